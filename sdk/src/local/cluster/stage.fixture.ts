import { carve } from "../../formats/addresses.ts";
import {
  createCluster,
  createNodePool,
  describeClusters,
  describeClusterInstances,
  describeClusterStatus,
  describeNodePools,
  describeTasks,
  type TaskType,
} from "../../catalogue/cluster.ts";
import { assignIpv6CidrBlock, assignIpv6SubnetCidrBlock, createSecurityGroup, createSubnet, createVpc } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import type { TimeScale } from "../time-scale.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";

/** A world for tests of the cluster service, with a VPC and a stopped clock. */
export async function stage({
  timeScale = "fast",
  seed = "cluster",
  file = ":memory:",
}: { timeScale?: TimeScale; seed?: string; file?: string } = {}) {
  const world = World.open(file, { pace: timeScale, seed });
  world.freeze(Date.UTC(2026, 0, 31, 12));
  const platform = new LocalPlatform(world);
  const region = "eu-frankfurt";
  const cloud = new Cloud({ transport: platform, region, retries: { attempts: 1, pause: 0, longest: 0 } });
  const network = await networkOf(cloud);
  return { world, platform, region, cloud, ...network, ...makersOf(cloud, world, network), ...readersOf(cloud) };
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
    const ipv6SubnetCidrBlocks = subnetIds.map((id, index) => ({ subnetId: id, ipv6SubnetCidrBlock: carve(ipv6CidrBlock, 64, index) }));
    await cloud.call(assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
  };
  return { vpcId, subnetId: await subnet(0), subnet, group, assignIpv6 };
}

function makersOf(cloud: Cloud, world: World, { vpcId, subnetId }: { vpcId: string; subnetId: string }) {
  const create = async (clusterCidr = "172.16.0.0/16") =>
    (await cloud.call(createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr } })).clusterId;
  /** Makes a cluster, and waits until it is running. */
  const running = async (clusterCidr?: string) => {
    const clusterId = await create(clusterCidr);
    world.advance(3000);
    return clusterId;
  };
  const settings = {
    subnetIds: [subnetId],
    instanceTypes: ["SA5.MEDIUM4"],
    instanceChargeType: "POSTPAID_BY_HOUR" as const,
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 0, maxReplicas: 10 },
  };
  const pool = async (clusterId: string, replicas: number) =>
    (await cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native: { ...settings, replicas } })).nodePoolId;
  /** Makes a running cluster with running nodes. */
  const withNodes = async (count = 1) => {
    const clusterId = await running();
    const nodePoolId = await pool(clusterId, count);
    world.advance(2500);
    return { clusterId, nodePoolId };
  };
  return { create, running, settings, pool, withNodes };
}

function readersOf(cloud: Cloud) {
  const stateOf = async (clusterId: string) =>
    (await cloud.call(describeClusterStatus, { clusterIds: [clusterId] })).clusterStatusSet[0]?.clusterState;
  const recordOf = async (clusterId: string) => (await cloud.call(describeClusters, { clusterIds: [clusterId] })).clusters[0];
  const nodesOf = async (clusterId: string) => (await cloud.call(describeClusterInstances, { clusterId })).instanceSet;
  const poolOf = async (clusterId: string, nodePoolId: string) =>
    (await cloud.call(describeNodePools, { clusterId, filters: [{ name: "NodePoolsId", values: [nodePoolId] }] })).nodePools[0];
  /** The newest task of a kind. */
  const taskOf = async (clusterId: string, taskType: TaskType) => {
    const filter = [
      { name: "ClusterId", values: [clusterId] },
      { name: "TaskType", values: [taskType] },
    ];
    return (await cloud.call(describeTasks, { filter, latest: true })).tasks[0];
  };
  return { stateOf, recordOf, nodesOf, poolOf, taskOf };
}
