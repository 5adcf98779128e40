import { expect, test } from "vitest";
import { z } from "zod";
import { kinds } from "../../provider/src/resources/kinds.ts";
import { lawOfDrift } from "./drift.ts";
import { clusterEndpointDrifts, endpointsAtOnce, userPermissionDrifts } from "./drifts/access.ts";
import { clusterDrifts } from "./drifts/cluster.ts";
import { nodePoolDrifts } from "./drifts/node-pool.ts";
import { networkOf } from "./drifts/place.ts";
import { namespaceDrifts, registryInstanceDrifts, tokenDrifts } from "./drifts/registry.ts";
import { replicationRuleDrifts, repositoryDrifts } from "./drifts/registry-content.ts";
import { securityGroupDrifts } from "./drifts/security-group.ts";
import { serviceAccountDrifts } from "./drifts/service-account.ts";
import { subnetDrifts } from "./drifts/subnet.ts";
import { ipv6BlockDrifts, vpcDrifts } from "./drifts/vpc.ts";
import { makeCluster, makePool } from "./outside.ts";
import { sharedStage } from "./shared-stage.ts";

const stage = await sharedStage();

const network = await networkOf(stage);
const clusterIds: [string, string, string] = [
  await makeCluster(stage, network.vpcId, network.subnetIds),
  await makeCluster(stage, network.vpcId, network.subnetIds),
  await makeCluster(stage, network.vpcId, network.subnetIds),
];
for (const clusterId of clusterIds) await makePool(stage, clusterId, network.subnetIds[0]);

const clusters = await clusterDrifts(stage, network);
const endpoints = await clusterEndpointDrifts(stage, network, clusterIds);
const others = [
  vpcDrifts(stage),
  await ipv6BlockDrifts(stage),
  await subnetDrifts(stage),
  await securityGroupDrifts(stage),
  await nodePoolDrifts(stage, network, clusterIds[0]),
  userPermissionDrifts(stage, clusterIds[0]),
  registryInstanceDrifts(stage, network),
  await namespaceDrifts(stage),
  await repositoryDrifts(stage),
  await replicationRuleDrifts(stage),
  await tokenDrifts(stage),
  await serviceAccountDrifts(stage),
];

lawOfDrift(stage, others);
// A region has room for twenty clusters.
lawOfDrift(stage, [clusters], 12);
lawOfDrift(stage, [endpoints], endpointsAtOnce);

test("each input of each resource is changed by hand, or listed as one that cannot be read back", async () => {
  const all = await Promise.all(Object.values(kinds).map(async (load) => (await load()).kind));
  const definitions = Object.fromEntries(all.map(({ type, inputs }) => [type, partsOf(inputs.shape)]));
  const covered = [...others, clusters, endpoints].map(({ type, unread, cases }): [string, string[]] => {
    const parts = definitions[type] ?? [];
    // A case about a part of an optional input counts for the whole input.
    const changed = cases.map(({ input }) => (parts.includes(input) ? input : (input.split(".")[0] ?? "")));
    return [type, [...new Set([...Object.keys(unread), ...changed])].sort()];
  });
  expect(Object.fromEntries(covered)).toEqual(definitions);
});

/** Inputs by name, and the parts of those that are always there. */
function partsOf(shape: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(shape)
    .flatMap(([key, schema]) => (schema instanceof z.ZodObject ? Object.keys(schema.shape).map((part) => `${key}.${part}`) : [key]))
    .sort();
}
