import { createCluster, createNodePool, deleteCluster } from "../../catalogue/cluster.ts";
import { createInstance, createInstanceToken, createNamespace, deleteInstance } from "../../catalogue/registry.ts";
import * as vpc from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { PlatformError } from "../../operation/errors.ts";
import type { Transport } from "../../transport/transport.ts";
import { nativeIn } from "../cluster/native.fixture.ts";
import { clusters } from "../cluster/tables.ts";
import { registries } from "../registry/tables.ts";
import { subnets, vpcs } from "../vpc/tables.ts";
import { World } from "./world.ts";

/** An endless list of writes, each of which changes several tables. The nth write is the same in the same world. */

const region = "eu-frankfurt";

/** What a write is about. The ids are those of resources in the world; empty if it has none of the kind. */
interface Place {
  readonly name: string;
  readonly cidrBlock: string;
  readonly vpcId: string;
  readonly ipv6CidrBlock: string;
  readonly subnetId: string;
  readonly clusterId: string;
  readonly registryId: string;
}

const steps: readonly ((cloud: Cloud, at: Place) => Promise<object>)[] = [
  (cloud, { name, cidrBlock }) => cloud.call(vpc.createVpc, { vpcName: name, cidrBlock }),
  (cloud, { vpcId }) => cloud.call(vpc.assignIpv6CidrBlock, { vpcId }),
  (cloud, { vpcId, name, cidrBlock }) => cloud.call(vpc.createSubnet, { vpcId, subnetName: name, cidrBlock, zone: `${region}-1` }),
  (cloud, { vpcId, subnetId, ipv6CidrBlock }) => {
    const ipv6SubnetCidrBlocks = [{ subnetId, ipv6SubnetCidrBlock: ipv6CidrBlock.replace("/56", "/64") }];
    return cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
  },
  (cloud, { vpcId, subnetId }) => cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } }),
  (cloud, { clusterId, subnetId, name }) =>
    cloud.call(createNodePool, { clusterId, name, type: "Native", native: { ...nativeIn(subnetId), replicas: 3 } }),
  (cloud, { name }) => cloud.call(createInstance, { registryName: name, registryType: "basic" }),
  (cloud, { registryId, name }) => cloud.call(createNamespace, { registryId, namespaceName: name, isPublic: false, severity: "high" }),
  (cloud, { registryId }) => cloud.call(createInstanceToken, { registryId, tokenType: "longterm", desc: "" }),
  (cloud, { name }) => cloud.call(vpc.createSecurityGroup, { groupName: name, groupDescription: "" }),
  (cloud, { clusterId }) => cloud.call(deleteCluster, { clusterId, instanceDeleteMode: "terminate" }),
  (cloud, { registryId }) => cloud.call(deleteInstance, { registryId }),
  (cloud, { subnetId }) => cloud.call(vpc.deleteSubnet, { subnetId }),
  (cloud, { vpcId }) => cloud.call(vpc.deleteVpc, { vpcId }),
];

/** A world in which the same writes have the same effect: its clock stands still. */
export function openWorld(file: string): World {
  const world = World.open(file, { timeScale: "instant", seed: "writes" });
  world.freeze(Date.UTC(2026, 0, 31, 12));
  return world;
}

/** Makes the nth write. `world` has the content of the transport's world before it. Answers the code of a refusal; empty otherwise. */
export async function write(transport: Transport, world: World, number: number): Promise<string> {
  const cloud = new Cloud({ transport, region, retries: { attempts: 1, pause: 0, longest: 0 } });
  const step = steps[number % steps.length];
  const refusal = await step?.(cloud, placeIn(world, Math.floor(number / steps.length))).catch((error: unknown) => error);
  if (!(refusal instanceof Error)) return "";
  if (refusal instanceof PlatformError && refusal.kind !== "unreachable" && refusal.kind !== "unsent") return refusal.code;
  throw refusal;
}

/** How many calls a world has carried out: each is recorded in one transaction with its effect. */
export function callsOf(world: World): number {
  return Number(world.prepare("SELECT count(*) AS count FROM audit").get()?.["count"]);
}

function placeIn(world: World, round: number): Place {
  const found = world.rows(vpcs, region).list()[0];
  return {
    name: `round-${round}`,
    cidrBlock: `10.${round % 256}.0.0/16`,
    vpcId: found?.id ?? "",
    ipv6CidrBlock: found?.ipv6CidrBlock ?? "",
    subnetId: world.rows(subnets, region).list()[0]?.id ?? "",
    clusterId: world.rows(clusters, region).list()[0]?.id ?? "",
    registryId: world.rows(registries, region).list()[0]?.id ?? "",
  };
}
