/** The version that is meant where none is named (specification, Versioning 1). */
const usualVersion = "2018-05-25";

/** Of the versions of an action the one that is wished; without a wish that of 2018-05-25, or else the newest. */
export function versionMeant(versions: readonly string[], wished: string | undefined): string | undefined {
  if (wished) return versions.find((version) => version === wished);
  return versions.find((version) => version === usualVersion) ?? versions.toSorted().at(-1);
}
