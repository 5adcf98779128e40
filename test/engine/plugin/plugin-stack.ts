import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TimeScale } from "@container-platform/sdk/local";
import { classesOfReturn, nativeClasses } from "../../support/native-classes.ts";
import type { Outcome } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** The packages of classes between which the programs of these stacks choose: dynamic ones, those of the plugin, and dynamic ones again. */
export const [dynamic, native, back] = ["@container-platform/pulumi", "./native.ts", "./back.ts"] as const;

/** Fails a run that would change, or has changed, a resource. */
export const unchanged = "--expect-no-changes";

/** A stack with the plugin. Its classes are those that a generated SDK has. */
export async function pluginStack(program: string, timeScale: TimeScale = "instant"): Promise<Stack> {
  const stack = await Stack.create({ program, plugin: true, timeScale });
  writeFileSync(join(stack.folder, "native.ts"), nativeClasses);
  writeFileSync(join(stack.folder, "back.ts"), classesOfReturn);
  return stack;
}

/** What is only read is read by the other package, and its old state is dropped. */
const harmless = ["same", "read", "discard"];

/** What a run does to resources. A `Provider` is one of the other package by then, and no resource. */
export function changedIn({ events }: Outcome): string[] {
  const steps = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  return steps.filter(({ op, urn }) => !harmless.includes(op) && !urn.includes("::pulumi:providers:")).map(({ op, urn }) => `${op} ${urn}`);
}
