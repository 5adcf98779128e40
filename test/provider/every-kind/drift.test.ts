import * as library from "@container-platform/pulumi";
import { expect, test } from "vitest";
import { z } from "zod";
import { lawOfDrift } from "./drift-law.ts";
import { clusterEndpointDrifts, endpointsAtOnce, userPermissionDrifts } from "../kinds/cluster/cluster-endpoint.cases.ts";
import { clusterDrifts } from "../kinds/cluster/cluster.drifts.ts";
import { nodePoolDrifts } from "../kinds/cluster/node-pool.drifts.ts";
import { networkOf } from "../drifts/place.ts";
import { namespaceDrifts, registryInstanceDrifts, tokenDrifts } from "../kinds/registry/registry-instance.drifts.ts";
import { replicationRuleDrifts, repositoryDrifts } from "../kinds/registry/replication-rule.cases.ts";
import { securityGroupDrifts } from "../kinds/network/security-group.cases.ts";
import { serviceAccountDrifts } from "../kinds/registry/service-account.drifts.ts";
import { subnetDrifts } from "../kinds/network/subnet.cases.ts";
import { ipv6BlockDrifts, vpcDrifts } from "../kinds/network/vpc.cases.ts";
import { makeCluster, makePool } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

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

test("each input of each resource is changed by hand, or listed as one that cannot be read back", () => {
  const kinds = Object.values(library).flatMap((one) => (typeof one === "function" && "kind" in one ? [one.kind] : []));
  const definitions = Object.fromEntries(kinds.map(({ type, inputs }) => [type, partsOf(inputs.shape)]));
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
