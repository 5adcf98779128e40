import * as z from "@container-platform/sdk/zod";
import { findingSchema } from "./judge/finding.ts";
import { reasonSchema, undoSchema, type Verdict, verdictSchema } from "./verdict.ts";
import { kinds } from "../resources/reviews.ts";

/** What the reviewer says of a plan, as data. Every rendering is made from this alone. It holds no secret. */

const urn = z.string().describe("URN of a resource.");

const shownSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("absent") }),
    z.strictObject({
      kind: z.literal("value"),
      value: z.json().describe("Plain JSON; a secret or unknown part of it is a text that says so."),
    }),
    z.strictObject({
      kind: z.literal("secret"),
      digest: z
        .string()
        .optional()
        .describe("Keyed hash: two secrets with the same are the same. None where the engine did not show the value."),
    }),
    z.strictObject({ kind: z.literal("unknown"), from: z.array(z.string()).describe("What it comes from, as people call it.") }),
  ])
  .describe("A value as it may be shown.");
export type Shown = z.output<typeof shownSchema>;

const propertySchema = z.strictObject({
  path: z.string(),
  before: shownSchema,
  after: shownSchema,
  effect: z
    .enum(["replaces", "in place", "noted", "order", "unknown"])
    .describe("What this change does. `noted`: nothing on the platform."),
});
export type PropertyChange = z.output<typeof propertySchema>;

const causeSchema = z.strictObject({
  urn,
  called: z.string(),
  property: z.string().optional().describe("None where the resource was taken out of the program."),
});
export type Cause = z.output<typeof causeSchema>;

const sourceSchema = z.strictObject({ file: z.string(), line: z.int(), column: z.int().optional() });

const changeSchema = z.strictObject({
  urn,
  called: z.string(),
  kind: z.enum(kinds).optional(),
  type: z.string(),
  name: z.string(),
  id: z.string().optional(),
  operation: z.enum(["create", "update", "replace", "delete", "adopt", "refused"]),
  verdict: z.enum(["safe", "needs-approval", "blocked"]),
  causes: z.array(causeSchema).describe("What it comes from in the end: inputs that were changed, or resources taken out of the program."),
  order: z.enum(["new one first", "old one first", "not told"]).optional().describe("Of a replacement."),
  takesAlong: z.array(urn).describe("What is replaced or deleted because of it."),
  touches: z.array(urn).describe("What else stands on it and is changed in place."),
  unreachable: z.array(z.string()).describe("What cannot be reached meanwhile, or any more."),
  undo: undoSchema,
  notes: z.array(z.string()),
  properties: z.array(propertySchema),
  seconds: z.int().describe("How long this alone is likely to take."),
  source: sourceSchema.optional(),
});
export type Change = z.output<typeof changeSchema>;

const quotaSchema = z.strictObject({
  what: z.string(),
  limit: z.int(),
  at: z.string().describe("The region, or the user."),
  before: z.int().describe("Of this stack alone."),
  after: z.int(),
  most: z.int().describe("While both the old and the new ones are there."),
});
export type Quota = z.output<typeof quotaSchema>;

export const reportSchema = z.strictObject({
  version: z.literal(1),
  about: z.enum(["preview", "drift"]),
  project: z.string().optional(),
  stack: z.string().optional(),
  region: z.string().optional(),
  verdict: verdictSchema,
  reasons: z.array(reasonSchema),
  counts: z.strictObject({
    create: z.int(),
    update: z.int(),
    replace: z.int(),
    delete: z.int(),
    adopt: z.int(),
    refused: z.int(),
    same: z.int().describe("Only those that the preview tells."),
  }),
  changes: z.array(changeSchema).describe("The worst first: deletions, replacements, then what needs approval, then the rest."),
  moves: z
    .array(z.strictObject({ does: z.enum(["create", "update", "delete", "adopt"]), urn, called: z.string() }))
    .describe("The order in which the engine does it, where something is replaced or deleted and the preview tells the order."),
  graph: z
    .array(z.strictObject({ from: urn, to: urn }))
    .describe("What stands on what, among the resources that change: `from` stands on `to`."),
  quotas: z.array(quotaSchema),
  seconds: z.int().describe("How long all of it is likely to take."),
  failures: z.array(reasonSchema).describe("Why the preview did not come to its end."),
  warnings: z.array(z.strictObject({ urn: urn.optional(), called: z.string().optional(), sentence: z.string() })),
  findings: z.array(findingSchema).describe("What the rules of policies found, passes left out."),
  folded: z.array(urn).describe("Resources of which only how they are managed changes: nothing on the platform."),
  unanalysed: z.array(z.string()).describe("What this review could not look at."),
  fingerprint: z.string().describe("The same for two reviews that say the same: an approval of the one holds for the other."),
});
export type Report = z.output<typeof reportSchema>;

/** What the reviewer ends with, by verdict. 1 is its own failure, 2 a mistake in its arguments. */
export const exitCodes = { nothing: 0, safe: 0, "needs-approval": 3, blocked: 4 } as const satisfies Record<Verdict, number>;
