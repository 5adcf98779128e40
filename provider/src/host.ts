import "./node-version.ts";
import { DynamicProvider } from "./dynamic.ts";
import * as resources from "./index.ts";
import type { Kind } from "./kind.ts";

/**
 * The door that the text in Pulumi's state opens: the lifecycle of a kind of resource, by name.
 * Loaded with `require`, so nothing that it loads may use top-level await.
 */
export function get(type: string): DynamicProvider {
  const kinds = Object.values(resources).flatMap((member) => (hasKind(member) ? [member.kind] : []));
  const kind = kinds.find((candidate) => candidate.type === type);
  if (!kind)
    throw new Error(
      `this version of @container-platform/pulumi has no ${type}; it has ${kinds.map((candidate) => candidate.type).join(", ")}: install the version that made the stack`,
    );
  return new DynamicProvider(kind);
}

function hasKind(member: unknown): member is { readonly kind: Kind } {
  return typeof member === "function" && "kind" in member;
}
