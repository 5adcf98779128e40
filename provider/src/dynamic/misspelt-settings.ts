import { log, type Resource, runtime } from "@pulumi/pulumi";
import { misspelt } from "../runtime/configuration.ts";

/** The stacks that are looked at: a process may run several programs. */
const seen = new WeakSet<Resource>();

/** Warns of what the stack's configuration has that is spelt like a setting, once. The provider's process is not told all names. */
export function warnOfMisspelt(): void {
  const stack = runtime.getStackResource();
  if (!stack || seen.has(stack)) return;
  seen.add(stack);
  for (const sentence of misspelt(Object.keys(runtime.allConfig()))) void log.warn(sentence);
}
