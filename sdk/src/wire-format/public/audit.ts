import { lookUpEvents } from "../../catalogue/audit.ts";
import { isObject, type JsonObject } from "../../operation/codec.ts";
import { type Difference, differs, type Whole } from "../rule.ts";
import { renamedServices } from "./services.ts";

type Side = "here" | "there";

/** The platform's own names in calls of some actions: the field that holds them, and their beginnings here and there. */
interface Names {
  readonly of: RegExp;
  readonly field: string;
  readonly here: string;
  readonly there: string;
}

/** In all other calls, names are the user's own texts. */
const names: readonly Names[] = [
  { of: /UserPermissions$/, field: "RoleName", here: "svc:", there: "tke:" },
  { of: /ServiceAccount/, field: "Name", here: "reg$", there: "tcr$" },
  { of: /^ModifyResourceTags$/, field: "Resource", here: "cp::", there: "qcs::" },
];

const product = { values: Object.fromEntries(renamedServices) };

const recorded: Whole = {
  says: `names of roles (${beginnings("svc:")}), service accounts (${beginnings("reg$")}) and resources (${beginnings("cp::")}), and the permissions of service accounts, in events of the calls that take them; the products in \`CloudAuditEvent\``,
  here: (event) => eventOn("here", event),
  there: (event) => eventOn("there", event),
};

function beginnings(ours: string): string {
  return `\`${ours}\` is \`${names.find(({ here }) => here === ours)?.there ?? ""}\``;
}

function eventOn(side: Side, event: JsonObject): JsonObject {
  const { EventName: action, Resources: resources, CloudAuditEvent: text } = event;
  const own = names.find(({ of }) => typeof action === "string" && of.test(action));
  const name = isObject(resources) ? resources["ResourceName"] : undefined;
  return {
    ...event,
    ...(isObject(resources) && typeof name === "string" && { Resources: { ...resources, ResourceName: namesOn(side, name, own) } }),
    ...(typeof text === "string" && { CloudAuditEvent: textOn(side, text, own) }),
  };
}

/** Names with commas between them. */
function namesOn(side: Side, text: string, own: Names | undefined): string {
  return own
    ? text
        .split(",")
        .map((name) => begunOn(side, name, own))
        .join(",")
    : text;
}

function begunOn(side: Side, text: string, { here, there }: Omit<Names, "of" | "field">): string {
  const [from, to] = side === "there" ? [here, there] : [there, here];
  return text.startsWith(from) ? to + text.slice(from.length) : text;
}

const inJson = String.raw`((?:[^"\\]|\\.)*)`;
const source = new RegExp(`(?<="EventSource":\\s*")${inJson}(?=")`);
const about = new RegExp(`(?<="Resources":\\s*\\{"ResourceType":\\s*")${inJson}(",\\s*"ResourceName":\\s*")${inJson}(?=")`);
/** An item of a list: what users write stands behind the name of its field. */
const permission = /(?<=[[,]\s*")(?:reg|tcr):(?=[A-Z])/g;

/** The JSON of an event. Its texts are found by their fields, and numbers stay as they are written. */
function textOn(side: Side, text: string, own: Names | undefined): string {
  const told = text
    .replace(source, (service) => productOn(side, service))
    .replace(about, (_, type: string, between: string, name: string) => productOn(side, type) + between + namesOn(side, name, own));
  if (!own) return told;
  const named = told.replace(new RegExp(`(?<="${own.field}":\\s*")${inJson}(?=")`, "g"), (name) => begunOn(side, name, own));
  return own.field === "Name" ? named.replace(permission, side === "there" ? "tcr:" : "reg:") : named;
}

function productOn(side: Side, service: string): string {
  const pair = renamedServices.find((each) => each[side === "there" ? 0 : 1] === service);
  return pair?.[side === "there" ? 1 : 0] ?? service;
}

/** A look-up does not say of what kind the name is: one that begins as the platform's own is taken for such a one. */
const lookedUp: Whole = {
  says: `\`AttributeValue\` where \`AttributeKey\` is \`ResourceName\`: at its beginning, ${names.map(({ here }) => beginnings(here)).join(", ")}`,
  here: (attribute) => attributeOn("here", attribute),
  there: (attribute) => attributeOn("there", attribute),
};

function attributeOn(side: Side, attribute: JsonObject): JsonObject {
  const { AttributeKey: key, AttributeValue: value } = attribute;
  if (key !== "ResourceName" || typeof value !== "string") return attribute;
  return { ...attribute, AttributeValue: names.reduce((text, own) => begunOn(side, text, own), value) };
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
