import * as z from "@container-platform/sdk/zod";

/** What a rule of a policy found at one resource. */
export const findingSchema = z.strictObject({
  rule: z.string().describe("Id of the rule."),
  severity: z.enum(["low", "medium", "high", "critical"]).describe("How bad it is."),
  enforcement: z
    .enum(["advise", "require-approval", "block"])
    .describe("What a failure does to the verdict. One that cannot be decided, of a rule that blocks, needs approval."),
  outcome: z
    .enum(["pass", "fail", "undetermined", "excepted"])
    .describe("`undetermined`: a value is not known yet. `excepted`: it fails, and the policy has an exception for it."),
  before: z.boolean().optional().describe("It was so before the change, and stops nobody who changes something else."),
  urn: z.string().describe("URN of the resource."),
  property: z.string().optional().describe("Path of the input that decides."),
  sentence: z.string().describe("What is found."),
  remedy: z.string().optional().describe("How to mend it."),
  references: z.array(z.string()).optional().describe("The same rule elsewhere: ids of CIS and Checkov."),
});
export type Finding = z.output<typeof findingSchema>;
