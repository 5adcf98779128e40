import { test } from "vitest";

/** The shell through which the suites reach the provider: Pulumi's dynamic host, or the native plugin. `--project native` has them all. */
export const testedShell: "dynamic" | "native" = process.env["TESTED_SHELL"] === "native" ? "native" : "dynamic";

/**
 * A test of what only the dynamic shell has: the class of a resource tells its provider what the engine's protocol tells no plugin, such as
 * an import that changes what it imports. docs/native-plugin.md lists all of it.
 */
export const dynamicTest: ReturnType<typeof test.runIf> = test.runIf(testedShell === "dynamic");

/** The URN that the engine has for a resource, by the one that the provider knows it by. */
export function engineUrn(urn: string): string {
  return testedShell === "native" ? nativeUrn(urn) : urn;
}

export function nativeUrn(urn: string): string {
  return urn.replaceAll(/pulumi-nodejs:dynamic\/container-platform:(\w+)/g, "container-platform:index:$1");
}
