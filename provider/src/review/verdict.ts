import * as z from "@container-platform/sdk/zod";

const verdicts = ["nothing", "safe", "needs-approval", "blocked"] as const;
export const verdictSchema = z.enum(verdicts);
export type Verdict = z.output<typeof verdictSchema>;

const reasonCodes = [
  "access-opened",
  "access-narrowed",
  "access-changed",
  "deletes",
  "replaces",
  "interrupts",
  "irreversible",
  "safeguard-weakened",
  "protected",
  "quota",
  "failed",
  "collides",
  "undecided",
  "drift",
  "policy",
] as const;
export const reasonSchema = z.strictObject({
  code: z.enum(reasonCodes),
  verdict: z.enum(["needs-approval", "blocked"]),
  urn: z.string().describe("URN of a resource.").optional(),
  called: z.string().optional().describe("The display name of the resource: `Cluster platform`."),
  property: z.string().optional().describe("The input that causes it."),
  sentence: z.string(),
});
export type Reason = z.output<typeof reasonSchema>;

export const undoSchema = z.strictObject({
  possible: z.enum(["yes", "partly", "no"]),
  sentence: z.string(),
});
export type Undo = z.output<typeof undoSchema>;
