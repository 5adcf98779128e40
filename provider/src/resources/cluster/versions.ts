interface Versioned {
  readonly clusterVersion?: string | undefined;
}

/** Why the platform refuses a version: the specification knows upgrades alone. */
export const downgrade = ({ clusterVersion }: Versioned, { clusterVersion: live }: Versioned) =>
  clusterVersion !== undefined &&
  live !== undefined &&
  isOlder(clusterVersion, live) &&
  `a cluster is never downgraded: it is ${live}, which is newer than ${clusterVersion}`;

/** Whether a version such as `1.30.4` is older than another. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)];
  const at = one.findIndex((number, index) => number !== (other[index] ?? 0));
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
