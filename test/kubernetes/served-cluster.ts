import { describeClusterInstances } from "@container-platform/sdk/cluster";
import { assignIpv6CidrBlock, assignIpv6SubnetCidrBlock } from "@container-platform/sdk/vpc";
import { expect } from "vitest";
import { cidrSubnet } from "../../sdk/src/formats/addresses.ts";
import { Kubectl } from "./kubectl.ts";
import { serveWorld } from "./stage.ts";

/** A world whose registries and clusters are served, with a dual-stack cluster of two nodes that this machine may reach. */
export async function servedCluster({ dualStack = true, nodes = 2 } = {}) {
  const at = await serveWorld();
  const { cloud, vpcId, subnetId } = at;
  const podSubnetId = await at.subnet(1);
  const { ipv6CidrBlock } = await cloud.call(assignIpv6CidrBlock, { vpcId });
  const [subnetIpv6, podIpv6] = [cidrSubnet(ipv6CidrBlock, 64, 0), cidrSubnet(ipv6CidrBlock, 64, 1)];
  const ipv6SubnetCidrBlocks = [
    { subnetId, ipv6SubnetCidrBlock: subnetIpv6 },
    { subnetId: podSubnetId, ipv6SubnetCidrBlock: podIpv6 },
  ];
  await cloud.call(assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
  const ranges = { serviceCidr: "172.20.0.0/20", ...(dualStack ? { podSubnetId } : { maxNodePodNum: 64 }) };
  const clusterId = await at.cluster({ nodes, ...ranges });
  const nodesOf = async () => (await cloud.call(describeClusterInstances, { clusterId })).instanceSet;
  const nodePoolId = (await nodesOf())[0]?.nodePoolId ?? "";
  return { ...at, subnetIpv6, podIpv6, clusterId, nodePoolId, nodesOf, ...clientWith(await at.kubeconfigOf(clusterId)) };
}

export type ServedCluster = Awaited<ReturnType<typeof servedCluster>>;

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

export function deploymentOf(name: string, { image = "nginx", namespace = "default", replicas = 1, secret = "" } = {}): object {
  const labels = { app: name };
  const pods = { containers: [{ name, image }], terminationGracePeriodSeconds: 1 };
  const spec = { ...(secret !== "" && { imagePullSecrets: [{ name: secret }] }), ...pods };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
