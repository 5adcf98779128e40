/** A stack for tests: a program, deployed by Pulumi's engine on a local platform. Both are removed afterwards. */

export { type Outcome } from "./testing/outcome.ts";
export { deploy, type Program, type RunOptions, TestStack, type TestStackOptions } from "./testing/test-stack.ts";
