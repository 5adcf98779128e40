import type { dynamic } from "@pulumi/pulumi";
import { dynamicProvider } from "./dynamic/dynamic-provider.ts";
import { dynamicProcess } from "./dynamic/dynamic-process.ts";
import { everyKind, isKind, kinds } from "./resources/kinds.ts";

/**
 * Called by the text in Pulumi's state (`dynamic/stub.ts`): returns the lifecycle of a kind of resource, by the kind's name.
 * This file is loaded with `require`, so no file that it imports may use top-level await.
 */
export function get(type: string): dynamic.ResourceProvider {
  const process = dynamicProcess(everyKind);
  if (!isKind(type))
    throw new Error(
      `this version of @container-platform/pulumi has no ${type}; it has ${Object.keys(kinds).join(", ")}: install the version that made the stack`,
    );
  return dynamicProvider(
    kinds[type]().then(({ kind }) => kind),
    process,
  );
}
