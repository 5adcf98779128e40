import type { z } from "zod";
import * as cluster from "../../catalogue/cluster.ts";
import { assignIpv6CidrBlock, assignIpv6SubnetCidrBlock, createSecurityGroup, createSubnet, createVpc } from "../../catalogue/vpc.ts";
import { cidrSubnet } from "../../formats/addresses.ts";
import { PlatformError } from "../../operation/errors.ts";
import { Cloud } from "../../client/client.ts";
import type { TimeScale } from "../time.ts";
import { type NewInstance, putInstance } from "../out-of-band.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";
import { nativeIn } from "./native.fixture.ts";

export type Stage = Awaited<ReturnType<typeof stage>>;

/** A world for tests of the cluster service, with a VPC and a stopped clock. */
export async function stage({
  timeScale = "fast",
  seed = "cluster",
  file = ":memory:",
}: { timeScale?: TimeScale; seed?: string; file?: string } = {}) {
  const world = World.open(file, { timeScale, seed });
  world.freeze(Date.UTC(2026, 0, 31, 12));
  const platform = new LocalPlatform(world);
  const region = "eu-frankfurt";
  const cloud = new Cloud({ transport: platform, region, retries: { attempts: 1, pause: 0, longest: 0 } });
  const network = await networkOf(cloud);
  return {
    world,
    platform,
    region,
    cloud,
    call: cloud.call.bind(cloud),
    ...network,
    ...makersOf(cloud, world, network),
    ...readersOf(cloud),
  };
}

export async function clusterStage() {
  const at = await stage();
  return { ...at, clusterId: await at.running() };
}

/** A stage with a running cluster, and a native pool of running nodes in it. */
export async function nodesStage(count = 1) {
  const at = await stage();
  return { ...at, ...(await at.withNodes(count)) };
}

/** A stage with a running cluster that has a node and an open public endpoint. */
export async function openStage() {
  const at = await nodesStage();
  const securityGroup = await at.group();
  await at.call(cluster.createClusterEndpoint, { clusterId: at.clusterId, isExtranet: true, securityGroup });
  at.world.advance(1500);
  return { ...at, securityGroup };
}

/** The code with which a call is refused; "none" if it is carried out. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "none",
    (error: unknown) => {
      if (error instanceof PlatformError) return error.code;
      throw error;
    },
  );
}

async function networkOf(cloud: Cloud) {
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  /** Makes a subnet 10.0.<third>.0 of the VPC. */
  const subnet = async (third: number, { zone = 1, prefix = 24 } = {}) => {
    const asked = { vpcId, subnetName: `s${third}`, cidrBlock: `10.0.${third}.0/${prefix}`, zone: `${cloud.region}-${zone}` };
    return (await cloud.call(createSubnet, asked)).subnet.subnetId;
  };
  const group = async () => (await cloud.call(createSecurityGroup, { groupName: "g", groupDescription: "" })).securityGroup.securityGroupId;
  /** Assigns a /64 to each subnet, as dual-stack clusters need. */
  const assignIpv6 = async (...subnetIds: string[]) => {
    const { ipv6CidrBlock } = await cloud.call(assignIpv6CidrBlock, { vpcId });
    const ipv6SubnetCidrBlocks = subnetIds.map((id, index) => ({
      subnetId: id,
      ipv6SubnetCidrBlock: cidrSubnet(ipv6CidrBlock, 64, index),
    }));
    await cloud.call(assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
  };
  return { vpcId, subnetId: await subnet(0), subnet, group, assignIpv6 };
}

type NativeSettings = NonNullable<z.input<typeof cluster.createNodePool.input>["native"]>;

function makersOf(cloud: Cloud, world: World, { vpcId, subnetId }: { vpcId: string; subnetId: string }) {
  const create = async (clusterCidr = "172.16.0.0/16", given: Partial<z.input<typeof cluster.createCluster.input>> = {}) =>
    (await cloud.call(cluster.createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr }, ...given })).clusterId;
  const running = async (...asked: Parameters<typeof create>) => {
    const clusterId = await create(...asked);
    world.advance(3000);
    return clusterId;
  };
  const pool = async (clusterId: string, native: number | Partial<NativeSettings>) => {
    const given = typeof native === "number" ? { replicas: native } : native;
    return (await cloud.call(cluster.createNodePool, { clusterId, name: "p", type: "Native", native: { ...nativeIn(subnetId), ...given } }))
      .nodePoolId;
  };
  const withNodes = async (count = 1) => {
    const clusterId = await running();
    const nodePoolId = await pool(clusterId, count);
    world.advance(2500);
    return { clusterId, nodePoolId };
  };
  /** Puts a machine into the subnet, for clusters to take. */
  const machine = (given: Partial<NewInstance> = {}) => putInstance(world, { region: cloud.region, vpcId, subnetId, ...given });
  const remove = (clusterId: string, instanceIds: string[], instanceDeleteMode: "retain" | "terminate" = "retain", forceDelete?: boolean) =>
    cloud.call(cluster.deleteClusterInstances, { clusterId, instanceIds, instanceDeleteMode, forceDelete });
  const drop = (clusterId: string, instanceDeleteMode: "retain" | "terminate" = "terminate") =>
    cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode });
  return { create, running, settings: nativeIn(subnetId), pool, withNodes, machine, remove, drop };
}

function readersOf(cloud: Cloud) {
  const stateOf = async (clusterId: string) =>
    (await cloud.call(cluster.describeClusterStatus, { clusterIds: [clusterId] })).clusterStatusSet[0]?.clusterState;
  const recordOf = async (clusterId: string) => (await cloud.call(cluster.describeClusters, { clusterIds: [clusterId] })).clusters[0];
  const nodesOf = async (clusterId: string) => (await cloud.call(cluster.describeClusterInstances, { clusterId })).instanceSet;
  const poolOf = async (clusterId: string, nodePoolId: string) =>
    (await cloud.call(cluster.describeNodePools, { clusterId, filters: [{ name: "NodePoolsId", values: [nodePoolId] }] })).nodePools[0];
  const taskOf = async (clusterId: string, taskType: cluster.TaskType) => {
    const filter = [
      { name: "ClusterId", values: [clusterId] },
      { name: "TaskType", values: [taskType] },
    ];
    return (await cloud.call(cluster.describeTasks, { filter, latest: true })).tasks[0];
  };
  return { stateOf, recordOf, nodesOf, poolOf, taskOf };
}
