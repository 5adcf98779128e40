/** The Kubernetes versions that the platform offers, oldest first. */
const offered = ["1.28.3", "1.30.0", "1.32.2", "1.34.1"] as const;

export const offeredVersions: readonly string[] = offered;
export const newestVersion: string = offered[offered.length - 1] ?? offered[0];

/** The offered versions that are newer than a version. */
export function versionsAfter(version: string): string[] {
  return offeredVersions.filter((other) => isNewer(other, version));
}

function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) > 0;
}
