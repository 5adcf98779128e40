import type { Operation } from "./operation.ts";

/** The version of a call that has none (specification, Versioning 1). */
const usualVersion = "2018-05-25";

/** The version of an action that a call means: the requested one; without a request 2018-05-25, or the newest if that does not exist. */
export function versionMeant(versions: readonly string[], requested: string | undefined): string | undefined {
  if (requested) return versions.find((version) => version === requested);
  return versions.find((version) => version === usualVersion) ?? versions.toSorted().at(-1);
}

/** The operations of a product's module, which also has enumerations. */
export function operationsIn(module: object): Operation[] {
  const isOperation = (member: unknown): member is Operation => typeof member === "object" && member !== null && "action" in member;
  return Object.values(module).filter(isOperation);
}

/** Operations, sorted by action and version. */
export function inOrder(operations: readonly Operation[]): Operation[] {
  return operations.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other), "en"));
}

function keyOf({ action, version }: Operation): string {
  return `${action} ${version}`;
}
