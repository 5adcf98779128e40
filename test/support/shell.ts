import { test } from "vitest";

/** How the provider is reached: through Pulumi's dynamic host, or as the native plugin. */
export const shells = ["dynamic", "native"] as const;
export type Shell = (typeof shells)[number];

/** The shell through which the suites reach the provider. `--project native` has them all with the plugin. */
export const testedShell: Shell = process.env["TESTED_SHELL"] === "native" ? "native" : "dynamic";

/**
 * A test of what only the dynamic shell has: the class of a resource tells its provider what the engine's protocol tells no plugin, such as
 * an import that changes what it imports. docs/reference/compatibility.md lists all of it.
 */
export const dynamicTest: ReturnType<typeof test.runIf> = test.runIf(testedShell === "dynamic");

/** The URN that the engine has for a resource, by the one that the provider knows it by. */
export function engineUrn(urn: string): string {
  return testedShell === "native" ? nativeUrn(urn) : urn;
}

export function nativeUrn(urn: string): string {
  return urn.replaceAll(/pulumi-nodejs:dynamic\/container-platform:(\w+)/g, "container-platform:index:$1");
}
