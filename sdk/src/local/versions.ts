import type { CommonCode } from "../errors.ts";
import type { Request } from "../transport/transport.ts";
import type { Behaviour } from "./behaviour.ts";

/** The version that is meant where a call names none (specification, Versioning 1). */
const usualVersion = "2018-05-25";

/**
 * What a call asks for; the code and the reason with which it is refused where there is no such action or version. Without a
 * version it is that of 2018-05-25, and of an action that this version lacks, the newest.
 */
export function operationOf(
  { product, action, version }: Request,
  behaviours: readonly Behaviour[],
): Behaviour | { readonly code: CommonCode; readonly reason: string } {
  const named = behaviours.filter(({ operation }) => operation.action === action);
  const versions = named.map(({ operation }) => operation.version).sort();
  const wished = version || (versions.includes(usualVersion) ? usualVersion : versions.at(-1));
  const found = named.find(({ operation }) => operation.version === wished);
  if (found) return found;
  if (named.length === 0) return { code: "InvalidAction", reason: `${product} has no action ${action}` };
  return { code: "NoSuchVersion", reason: `${action} has no version ${version}; there is ${versions.join(", ")}` };
}
