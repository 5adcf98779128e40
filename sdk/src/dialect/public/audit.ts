import { lookUpEvents } from "../../catalogue/audit.ts";
import { type Difference, differs } from "../rule.ts";

const names = {
  anywhere: [
    ["cp::", "qcs::"],
    ["svc:", "tke:"],
    ["reg$", "tcr$"],
  ],
} as const;

const services = [
  ["cluster", "tke"],
  ["registry", "tcr"],
  ["compute", "cvm"],
  ["disk", "cbs"],
  ["audit", "cloudaudit"],
  ["identity", "sts"],
] as const;
const product = { values: Object.fromEntries(services) };

/** What stands in the JSON of an event: at the beginning of a text, or of a name behind a comma. */
const inText = [
  ...names.anywhere.flatMap(([here, there]) => ['"', ","].map((before) => [before + here, before + there] as const)),
  ['"reg:', '"tcr:'] as const,
  ...["EventSource", "ResourceType"].flatMap((field) =>
    services.map(([here, there]) => [`"${field}":"${here}"`, `"${field}":"${there}"`] as const),
  ),
];

export const auditDifferences: readonly Difference[] = [
  differs(lookUpEvents, {
    request: {
      lookupAttributes: { fields: { attributeValue: { ...names, ...product, where: { field: "attributeKey", is: ["ResourceType"] } } } },
    },
    answer: {
      events: {
        fields: {
          eventTime: { time: "Beijing" },
          apiErrorCode: { there: false },
          eventSource: product,
          resources: {
            fields: {
              resourceType: product,
              resourceName: names,
            },
          },
          // The fields of recorded calls have names of resources, roles, accounts and permissions in them.
          cloudAuditEvent: { anywhere: inText },
        },
      },
    },
    unproven: "what `EventSource` and the text `CloudAuditEvent` have in them; the published example has an address, and other names",
  }),
];
