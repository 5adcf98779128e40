import * as z from "@container-platform/sdk/zod";
import { findingSchema, reasonSchema, undoSchema, type Verdict, verdictSchema } from "./verdict.ts";
import { kinds } from "../resources/reviews.ts";

/** The review of a plan, as data. All renderings are made from it. It contains no secrets. */

const urn = z.string().describe("URN of a resource.");

const shownSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("absent") }),
    z.strictObject({
      kind: z.literal("value"),
      value: z.json().describe("Plain JSON. A part that is secret or unknown is a text that says so."),
    }),
    z.strictObject({
      kind: z.literal("secret"),
      digest: z.string().optional().describe("Keyed hash: equal secrets have equal hashes. Missing if the engine did not show the value."),
    }),
    z.strictObject({
      kind: z.literal("unknown"),
      from: z.array(z.string()).describe("Display names of the resources that the value comes from."),
    }),
  ])
  .describe("A value, without secrets.");
export type Shown = z.output<typeof shownSchema>;

const propertySchema = z.strictObject({
  path: z.string(),
  before: shownSchema,
  after: shownSchema,
  effect: z
    .enum(["replaces", "in place", "noted", "order", "unknown"])
    .describe("What this change does. `noted`: nothing on the platform. `order`: nothing but the order of creation."),
});
export type PropertyChange = z.output<typeof propertySchema>;

const causeSchema = z.strictObject({
  urn,
  called: z.string(),
  property: z.string().optional().describe("Missing if the resource was taken out of the program."),
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
  operation: z
    .enum(["create", "update", "replace", "delete", "adopt", "detach", "refused"])
    .describe("`detach`: it is taken out of the program, and stays on the platform."),
  verdict: z.enum(["safe", "needs-approval", "blocked"]),
  causes: z.array(causeSchema).describe("The first causes: inputs that were changed, or resources that were taken out of the program."),
  order: z.enum(["new one first", "old one first", "not told"]).optional().describe("The order of a replacement."),
  takesAlong: z.array(urn).describe("Dependents that are replaced or deleted because of it."),
  touches: z.array(urn).describe("Other dependents, which are changed in place because of it."),
  unreachable: z.array(z.string()).describe("What cannot be reached during the change, or afterwards."),
  undo: undoSchema,
  notes: z.array(z.string()),
  properties: z.array(propertySchema),
  seconds: z.int().describe("How long this change is likely to take."),
  source: sourceSchema.optional(),
});
export type Change = z.output<typeof changeSchema>;

const quotaSchema = z.strictObject({
  what: z.string(),
  limit: z.int(),
  at: z.string().describe("The region, or the user."),
  before: z.int().describe("In this stack."),
  after: z.int(),
  most: z.int().describe("While both the old and the new resources exist."),
});
export type Quota = z.output<typeof quotaSchema>;

const costSchema = z
  .strictObject({
    currency: z.string(),
    difference: z.number().describe("A month, of what is in `changes`."),
    changes: z.array(z.strictObject({ urn, called: z.string(), before: z.number(), after: z.number() })),
    missing: z.array(z.string()).describe("Prices that are missing. Resources that need them are not in `changes`."),
    notCounted: z.array(z.string()).describe("Kinds and types of other providers that have no price here."),
  })
  .describe("What the resources that change cost a month, if there are prices.");
export type Cost = z.output<typeof costSchema>;

export const reportSchema = z.strictObject({
  version: z.literal(1),
  about: z.enum(["preview", "drift"]),
  project: z.string().optional(),
  stack: z.string().optional(),
  region: z.string().optional(),
  verdict: verdictSchema,
  headline: z.string().describe("One sentence that says the worst first."),
  reasons: z.array(reasonSchema),
  counts: z.strictObject({
    create: z.int(),
    update: z.int(),
    replace: z.int(),
    delete: z.int(),
    adopt: z.int(),
    detach: z.int(),
    refused: z.int(),
    same: z.int().describe("Only those that the preview contains."),
  }),
  changes: z.array(changeSchema).describe("The worst first: deletions, replacements, then changes that need approval, then the others."),
  moves: z
    .array(z.strictObject({ does: z.enum(["create", "update", "delete", "adopt", "detach"]), urn, called: z.string() }))
    .describe("The engine's steps in order, if a resource is replaced or deleted and the preview contains the order."),
  graph: z
    .array(z.strictObject({ from: urn, to: urn }))
    .describe("The dependencies between the resources that change: `from` depends on `to`."),
  quotas: z.array(quotaSchema),
  seconds: z.int().describe("How long the whole change is likely to take."),
  cost: costSchema.optional(),
  failures: z.array(reasonSchema).describe("Why the preview did not finish."),
  warnings: z.array(z.strictObject({ urn: urn.optional(), called: z.string().optional(), sentence: z.string() })),
  findings: z.array(findingSchema).describe("The findings of policies, without passes."),
  folded: z.array(urn).describe("Resources that change only in how they are managed: nothing changes on the platform."),
  unanalysed: z.array(z.string()).describe("What this review could not analyse."),
  fingerprint: z.string().describe("The same for two reviews with the same content: an approval of one is valid for the other."),
});
export type Report = z.output<typeof reportSchema>;

/** The reviewer's exit codes, by verdict. 1 is its own failure, 2 a mistake in its arguments. */
export const exitCodes = { nothing: 0, safe: 0, "needs-approval": 3, blocked: 4 } as const satisfies Record<Verdict, number>;
