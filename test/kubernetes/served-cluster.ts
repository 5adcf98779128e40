import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import {
  createCluster,
  createClusterEndpoint,
  createNodePool,
  describeClusterInstances,
  describeClusterKubeconfig,
  modifyClusterEndpointSp,
} from "../../sdk/src/catalogue/cluster.ts";
import {
  assignIpv6CidrBlock,
  assignIpv6SubnetCidrBlock,
  createSecurityGroup,
  createSubnet,
  createVpc,
} from "../../sdk/src/catalogue/vpc.ts";
import { Cloud } from "../../sdk/src/client/client.ts";
import { carve } from "../../sdk/src/formats/addresses.ts";
import { LocalPlatform } from "../../sdk/src/local/platform.ts";
import { World } from "../../sdk/src/local/store/world.ts";
import { serve } from "../../sdk/src/server/server.ts";
import { Kubectl } from "./kubectl.ts";

export const region = "eu-frankfurt";

interface Given {
  readonly labels?: { name: string; value: string }[];
  readonly taints?: { key: string; value: string; effect: "NoSchedule" | "NoExecute" | "PreferNoSchedule" }[];
}

/** A world whose registries and clusters are served, with a dual-stack cluster of two nodes that this machine may reach. */
export async function servedCluster({ dualStack = true, nodes = 2 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "nodes-"));
  const world = World.open(join(folder, "world.db"), { pace: "instant", seed: "nodes" });
  const mistakes: unknown[] = [];
  const server = await serve(world, { images: {}, kubernetes: {}, report: (mistake) => mistakes.push(mistake) });
  onTestFinished(async () => {
    await server.close();
    world.close();
    rmSync(folder, { recursive: true, force: true });
    expect(mistakes).toEqual([]);
  });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const network = await networkOf(cloud);
  const { clusterId } = await cloud.call(createCluster, {
    vpcId: network.vpcId,
    subnetId: network.subnetId,
    clusterCidrSettings: dualStack
      ? { eniSubnetIds: [network.podSubnetId], serviceCidr: "172.20.0.0/20" }
      : { clusterCidr: "172.16.0.0/16", maxNodePodNum: 64, serviceCidr: "172.20.0.0/20" },
    clusterAdvancedSettings: dualStack ? { networkType: "VPC-CNI", isDualStack: true } : { networkType: "GR" },
  });
  const pool = async (replicas: number, given: Given = {}) =>
    (await cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native: nativeOf(network.subnetId, replicas), ...given }))
      .nodePoolId;
  const nodePoolId = await pool(nodes);
  const group = await cloud.call(createSecurityGroup, { groupName: "g", groupDescription: "" });
  await cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: group.securityGroup.securityGroupId });
  await cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["127.0.0.1/32"] });
  const { kubeconfig } = await cloud.call(describeClusterKubeconfig, { clusterId, isExtranet: true });
  const client = clientWith(kubeconfig);
  const nodesOf = async () => (await cloud.call(describeClusterInstances, { clusterId })).instanceSet;
  return { mistakes, world, cloud, server, folder, clusterId, nodePoolId, pool, nodesOf, ...network, ...client };
}

export type ServedCluster = Awaited<ReturnType<typeof servedCluster>>;

function nativeOf(subnetId: string, replicas: number) {
  return {
    subnetIds: [subnetId],
    instanceTypes: ["SA5.MEDIUM4"],
    instanceChargeType: "POSTPAID_BY_HOUR" as const,
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 0, maxReplicas: 10 },
    replicas,
  };
}

async function networkOf(cloud: Cloud) {
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const { ipv6CidrBlock } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const subnet = async (third: number) => {
    const place = { vpcId, subnetName: `s${third}`, cidrBlock: `10.0.${third}.0/24`, zone: `${region}-1` };
    const { subnetId } = (await cloud.call(createSubnet, place)).subnet;
    const ipv6SubnetCidrBlock = carve(ipv6CidrBlock, 64, third);
    await cloud.call(assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId, ipv6SubnetCidrBlock }] });
    return { subnetId, ipv6: ipv6SubnetCidrBlock };
  };
  const [own, pods] = [await subnet(0), await subnet(1)];
  return { vpcId, subnetId: own.subnetId, subnetIpv6: own.ipv6, podSubnetId: pods.subnetId, podIpv6: pods.ipv6 };
}

/** kubectl with a kubeconfig, and what tests ask of it. */
export function clientWith(kubeconfig: string) {
  const client = new Kubectl(kubeconfig);
  /** What it prints, also if it fails. */
  const kubectl = async (...args: string[]): Promise<string> => (await client.outcome(args)).output;
  /** What `kubectl get` finds, as far as a pattern of JSONPath shows it. */
  const get = (path: string, ...args: string[]) => kubectl("get", ...args, "-o", `jsonpath=${path}`);
  const apply = (...objects: object[]) => client.apply(...objects);
  /** Waits until a command prints what is expected. */
  const eventually = async (command: () => Promise<string>, expected: string | RegExp): Promise<void> => {
    const polled = expect.poll(command, { interval: 250 });
    await (typeof expected === "string" ? polled.toBe(expected) : polled.toMatch(expected));
  };
  return { kubectl, get, apply, eventually };
}

/** A Deployment of pods with one image. */
export function deploymentOf(
  name: string,
  {
    image = "nginx",
    namespace = "default",
    replicas = 1,
    secret,
  }: { image?: string; namespace?: string; replicas?: number; secret?: string } = {},
): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...(secret !== undefined && { imagePullSecrets: [{ name: secret }] }),
          containers: [{ name, image }],
          terminationGracePeriodSeconds: 1,
        },
      },
    },
  };
}
