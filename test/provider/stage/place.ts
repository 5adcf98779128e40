import { makeAddress, makeCluster, makeGroup, makeNamespace, makeNetwork, makePool, makeRegistry } from "./outside.ts";
import type { Stage } from "./stage.ts";

/** What the cases of every kind may use: it exists before them, and was made without the provider. */
export interface Place {
  readonly stage: Stage;
  readonly vpcId: string;
  /** Three subnets in three zones, each with a /64. */
  readonly subnetIds: readonly [string, string, string];
  readonly groupId: string;
  /** Of an elastic IP that nothing uses. */
  readonly address: string;
  readonly clusterId: string;
  /** A registry with a namespace `team`. */
  readonly registryId: string;
}

export async function makePlace(stage: Stage): Promise<Place> {
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const groupId = await makeGroup(stage);
  const address = await makeAddress(stage);
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  await makePool(stage, clusterId, subnetIds[0]);
  const registryId = await makeRegistry(stage, "cases-before");
  await makeNamespace(stage, registryId, "team");
  return { stage, vpcId, subnetIds, groupId, address, clusterId, registryId };
}
