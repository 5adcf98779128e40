/** The version of a call that has none (specification, Versioning 1). */
const usualVersion = "2018-05-25";

/** The version of an action that a call means: the requested one; without a request 2018-05-25, or the newest if that does not exist. */
export function versionMeant(versions: readonly string[], requested: string | undefined): string | undefined {
  if (requested) return versions.find((version) => version === requested);
  return versions.find((version) => version === usualVersion) ?? versions.toSorted().at(-1);
}
