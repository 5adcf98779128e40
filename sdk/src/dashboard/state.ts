import type { ReadinessTable } from "../status/readiness.ts";
import type { State } from "./shown.ts";

/** A state, with what it means by the table of its enumeration. */
export function stateOf<Name extends string>(table: ReadinessTable<Name>, name: Name, reason?: string): State {
  const readiness = table[name];
  return { name, meaning: readiness === "deletionFailed" ? "failed" : readiness, reason };
}
