import "./runtime/node-version.ts";
import { setFlagsFromString } from "node:v8";
import { DynamicProvider } from "./pulumi/dynamic-provider.ts";
import { isKind, kinds } from "./resources/kinds.ts";

// What the young generation has grown to by now is enough: the next doubling would take 30 MB more, in a process that mostly waits.
setFlagsFromString("--semi-space-growth-factor=1");

/**
 * The door that the text in Pulumi's state opens: the lifecycle of a kind of resource, by name.
 * Loaded with `require`, so nothing that it loads may use top-level await.
 */
export function get(type: string): DynamicProvider {
  if (!isKind(type))
    throw new Error(
      `this version of @container-platform/pulumi has no ${type}; it has ${Object.keys(kinds).join(", ")}: install the version that made the stack`,
    );
  return new DynamicProvider(kinds[type]().then(({ kind }) => kind));
}
