/** How many minor versions back a control plane can behave as an older one, and the oldest that it can (Kubernetes, `--emulated-version`). */
const farthest = 3;
const oldest = 31;

/** Why a program cannot run clusters of a version; `undefined` if it can: it behaves as their minor version. */
export function versionComplaint(clusterVersion: string, program: string): string | undefined {
  const newest = minorOf(program);
  const first = Math.max(oldest, newest - farthest);
  const wanted = minorOf(clusterVersion);
  if (first <= wanted && wanted <= newest) return undefined;
  return `a cluster of version ${clusterVersion} cannot be served: Kubernetes ${program} can behave as versions 1.${first} to 1.${newest}`;
}

function minorOf(version: string): number {
  return Number(version.split(".")[1]);
}
