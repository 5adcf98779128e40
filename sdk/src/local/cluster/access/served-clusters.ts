import type { World } from "../../store/world.ts";

/** Serves the clusters of a world to Kubernetes clients, at addresses of this machine. */
export interface ServedClusters {
  /** Where the clusters answer clients of a place, such as `127.0.0.1:5001`. The place is the internet, or a VPC; its port is opened if it is not. */
  readonly addressFor: (vpcId: string | undefined) => Promise<string>;
  /** The same, without opening anything. */
  readonly openAddressFor: (vpcId: string | undefined) => string | undefined;
}

/** By world: those whose clusters this process serves. */
const served = new WeakMap<World, ServedClusters>();

/** Has the platform tell the addresses at which this process serves the clusters of a world; the platform's own again once it serves them no more. */
export function tellServedClusters(world: World, clusters: ServedClusters | undefined): void {
  if (clusters) served.set(world, clusters);
  else served.delete(world);
}

/** What serves the clusters of a world in this process, if something does. */
export function servedClusters(world: World): ServedClusters | undefined {
  return served.get(world);
}
