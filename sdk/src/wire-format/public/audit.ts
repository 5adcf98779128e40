import { lookUpEvents } from "../../catalogue/audit.ts";
import { isObject, type JsonObject } from "../../operation/codec.ts";
import { type Difference, differs, type Rule, type Whole } from "../rule.ts";
import { formOf } from "../translate.ts";
import { renamedServices } from "./services.ts";

type Side = "here" | "there";

/** The platform's own names in calls of some actions: the field that holds them, and their beginnings here and there. */
interface Names extends Required<Pick<Rule, "prefix">> {
  readonly of: RegExp;
  readonly field: string;
}

const roles: Names = { of: /UserPermissions$/, field: "RoleName", prefix: ["svc:", "tke:"] };
const accounts: Names = { of: /ServiceAccount/, field: "Name", prefix: ["reg$", "tcr$"] };
const resources: Names = { of: /^ModifyResourceTags$/, field: "Resource", prefix: ["cp::", "qcs::"] };
/** In all other calls, names are the user's own texts. */
const names = [roles, accounts, resources];

const product = { values: Object.fromEntries(renamedServices) };

const recorded: Whole = {
  says: `names of roles (${beginnings(roles)}), service accounts (${beginnings(accounts)}) and resources (${beginnings(resources)}), and the permissions of service accounts, in events of the calls that take them; the products in \`CloudAuditEvent\``,
  here: (event) => eventOn("here", event),
  there: (event) => eventOn("there", event),
};

function beginnings({ prefix: [here, there] }: Names): string {
  return `\`${here}\` is \`${there}\``;
}

function eventOn(side: Side, event: JsonObject): JsonObject {
  const { EventName: action, Resources: about, CloudAuditEvent: text } = event;
  const own = names.find(({ of }) => typeof action === "string" && of.test(action));
  const name = isObject(about) ? about["ResourceName"] : undefined;
  return {
    ...event,
    ...(isObject(about) && typeof name === "string" && { Resources: { ...about, ResourceName: namesOn(side, name, own) } }),
    ...(typeof text === "string" && { CloudAuditEvent: textOn(side, text, own) }),
  };
}

/** Names with commas between them. */
function namesOn(side: Side, text: string, own: Names | undefined): string {
  return own ? text.split(",").map(formOf(own, side)).join(",") : text;
}

const inJson = String.raw`((?:[^"\\]|\\.)*)`;
const source = new RegExp(`(?<="EventSource":\\s*")${inJson}(?=")`);
const subjects = new RegExp(`(?<="Resources":\\s*\\{"ResourceType":\\s*")${inJson}(",\\s*"ResourceName":\\s*")${inJson}(?=")`);
/** An item of a list: what users write stands behind the name of its field. */
const permission = /(?<=[[,]\s*")(?:reg|tcr):(?=[A-Z])/g;

/** The JSON of an event. Its texts are found by their fields, and numbers stay as they are written. */
function textOn(side: Side, text: string, own: Names | undefined): string {
  const productOn = formOf(product, side);
  const told = text
    .replace(source, productOn)
    .replace(subjects, (_, type: string, between: string, name: string) => productOn(type) + between + namesOn(side, name, own));
  if (!own) return told;
  const named = told.replace(new RegExp(`(?<="${own.field}":\\s*")${inJson}(?=")`, "g"), formOf(own, side));
  return own === accounts ? named.replace(permission, side === "there" ? "tcr:" : "reg:") : named;
}

/** A look-up does not say of what kind the name is: one that begins as the platform's own is taken for such a one. */
const lookedUp: Whole = {
  says: `\`AttributeValue\` where \`AttributeKey\` is \`ResourceName\`: at its beginning, ${names.map(beginnings).join(", ")}`,
  here: (attribute) => attributeOn("here", attribute),
  there: (attribute) => attributeOn("there", attribute),
};

function attributeOn(side: Side, attribute: JsonObject): JsonObject {
  const { AttributeKey: key, AttributeValue: value } = attribute;
  if (key !== "ResourceName" || typeof value !== "string") return attribute;
  return { ...attribute, AttributeValue: names.reduce((text, own) => formOf(own, side)(text), value) };
}

export const auditDifferences: readonly Difference[] = [
  differs(lookUpEvents, {
    request: {
      lookupAttributes: {
        fields: { attributeValue: { ...product, where: { field: "attributeKey", is: ["ResourceType"] } } },
        whole: lookedUp,
      },
    },
    answer: {
      events: {
        fields: {
          eventTime: { time: "Beijing" },
          apiErrorCode: { there: false },
          eventSource: product,
          resources: { fields: { resourceType: product } },
        },
        whole: recorded,
      },
    },
    unproven: "the contents of `EventSource` and the text `CloudAuditEvent`; the published example has an address, and other names",
  }),
];
