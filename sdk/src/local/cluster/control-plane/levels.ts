/** The levels of clusters, smallest first, each with the numbers of objects that it is made for (public API). */
export const levels = [
  { name: "L5", nodes: 5, pods: 150, configMaps: 128, crds: 150 },
  { name: "L20", nodes: 20, pods: 600, configMaps: 256, crds: 1250 },
  { name: "L50", nodes: 50, pods: 1500, configMaps: 512, crds: 1250 },
  { name: "L100", nodes: 100, pods: 3000, configMaps: 1024, crds: 2500 },
  { name: "L200", nodes: 200, pods: 6000, configMaps: 1024, crds: 2500 },
  { name: "L500", nodes: 500, pods: 15_000, configMaps: 2048, crds: 10_000 },
  { name: "L1000", nodes: 1000, pods: 30_000, configMaps: 4096, crds: 20_000 },
  { name: "L3000", nodes: 3000, pods: 90_000, configMaps: 6144, crds: 50_000 },
  { name: "L5000", nodes: 5000, pods: 150_000, configMaps: 10_240, crds: 100_000 },
] as const;

export const levelNames: readonly string[] = levels.map(({ name }) => name);

/** The smallest level, from `level` upward, that is made for a number of nodes. */
export function levelFor(level: string, nodeCount: number): string {
  const from = levelNames.indexOf(level);
  return levels.slice(from).find(({ nodes }) => nodes >= nodeCount)?.name ?? level;
}
