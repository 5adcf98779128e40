import type { CommonCode } from "../../operation/errors.ts";
import type { Request } from "../../transport/transport.ts";
import { versionMeant } from "../../operation/versions.ts";
import type { Behaviour } from "../behaviour.ts";

type Searched = Behaviour | { readonly code: CommonCode; readonly reason: string };

/** The behaviours that calls have asked for, by action and version, of each product. */
const asked = new WeakMap<readonly Behaviour[], Map<string, Behaviour>>();

/** The behaviour that a call asks for; or the code and reason of the refusal, if there is no such action or version. */
export function operationOf(request: Request, behaviours: readonly Behaviour[]): Searched {
  const known = asked.get(behaviours) ?? new Map<string, Behaviour>();
  asked.set(behaviours, known);
  const name = `${request.action} ${request.version}`;
  const found = known.get(name) ?? search(request, behaviours);
  if (!("code" in found)) known.set(name, found);
  return found;
}

function search({ product, action, version }: Request, behaviours: readonly Behaviour[]): Searched {
  const named = behaviours.filter(({ operation }) => operation.action === action);
  const versions = named.map(({ operation }) => operation.version).sort();
  const meant = versionMeant(versions, version);
  const found = named.find(({ operation }) => operation.version === meant);
  if (found) return found;
  if (named.length === 0) return { code: "InvalidAction", reason: `${product} has no action ${action}` };
  return { code: "NoSuchVersion", reason: `${action} has no version ${version}; there is ${versions.join(", ")}` };
}
