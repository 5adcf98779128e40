/** The version that is meant where none is named (specification, Versioning 1). */
const usualVersion = "2018-05-25";

/** The version of an action that a call means: the one asked for; else 2018-05-25 if the action has it, else the newest. */
export function versionMeant(versions: readonly string[], asked: string | undefined): string | undefined {
  if (asked) return versions.find((version) => version === asked);
  return versions.find((version) => version === usualVersion) ?? versions.toSorted().at(-1);
}
