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

/** What a rule of a policy found at one resource. */
export const findingSchema = z.strictObject({
  rule: z.string().describe("Id of the rule."),
  severity: z.enum(["low", "medium", "high", "critical"]).describe("How bad it is."),
  enforcement: z
    .enum(["advise", "require-approval", "block"])
    .describe("How a failure changes the verdict. If a rule that blocks cannot be decided, the change needs approval."),
  outcome: z
    .enum(["pass", "fail", "undetermined", "excepted"])
    .describe("`undetermined`: a value is not known yet. `excepted`: it fails, but the policy has an exception for it."),
  before: z.boolean().optional().describe("It was so before the change, and does not stop other changes."),
  urn: z.string().describe("URN of the resource."),
  property: z.string().optional().describe("Path of the input that is decisive."),
  sentence: z.string().describe("What was found."),
  remedy: z.string().optional().describe("How to correct it."),
  references: z.array(z.string()).optional().describe("The same rule in other catalogues: ids of CIS and Checkov."),
});
export type Finding = z.output<typeof findingSchema>;
