import { join, resolve } from "node:path";
import { serve } from "./review/policy/pack.ts";
import { noSettings, readSettings } from "./review/policy/settings.ts";
import type { Described } from "./review/policy/language/rule.ts";
import { rules as checked } from "./review/policy/rules.ts";

export { policies } from "./review/policy/pack.ts";
export { type Described as Rule } from "./review/policy/language/rule.ts";
export { readSettings } from "./review/policy/settings.ts";

/** All rules, in the order of reports. */
export const rules: readonly Described[] = checked;

/**
 * Serves the rules as a policy pack to the engine that has started this process. The settings are read from the file that
 * `CONTAINER_PLATFORM_POLICY` names, or from the nearest `container-platform.policy.yaml` in the program's folder or above it.
 *
 * @param folder the program's folder, if this process runs in another one
 */
export function servePolicyPack(folder: string = process.cwd()): void {
  const named = process.env["CONTAINER_PLATFORM_POLICY"] || undefined;
  const found = readSettings(named === undefined ? undefined : resolve(folder, named), folder);
  const settings = found ?? readSettings(undefined, process.cwd()) ?? noSettings;
  serve(settings, new Date().toISOString().slice(0, 10), join(import.meta.dirname, ".."));
}
