import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import {
  createCluster,
  createClusterEndpoint,
  createNodePool,
  describeClusterKubeconfig,
  modifyClusterEndpointSp,
} from "@container-platform/sdk/cluster";
import { LocalPlatform, putSubAccount, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";
import { createSecurityGroup, createSubnet, createVpc } from "@container-platform/sdk/vpc";
import { onTestFinished } from "vitest";
import { Kubectl } from "./kubectl.ts";

const region = "eu-frankfurt";

/** A world in a file, with a VPC, and what tests make there. */
export async function makeWorld() {
  const folder = mkdtempSync(join(tmpdir(), "clusters-"));
  const world = World.open(join(folder, "world.db"), { pace: "instant", seed: "clusters" });
  onTestFinished(() => {
    world.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const cloudOf = (uin = world.account) => new Cloud({ transport: new LocalPlatform(world, { uin }), region });
  const cloud = cloudOf();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const place = { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/20", zone: `${region}-1` };
  const { subnetId } = (await cloud.call(createSubnet, place)).subnet;
  const group = { groupName: "g", groupDescription: "" };
  const { securityGroupId: securityGroup } = (await cloud.call(createSecurityGroup, group)).securityGroup;
  const native = {
    subnetIds: [subnetId],
    instanceTypes: ["SA5.MEDIUM4"],
    instanceChargeType: "POSTPAID_BY_HOUR" as const,
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 0, maxReplicas: 10 },
    replicas: 2,
  };
  /** Makes a cluster with two nodes and both endpoints; this machine may come in. */
  const cluster = async ({ version = "1.34.1", clusterCidr = "172.16.0.0/16" } = {}) => {
    const asked = { vpcId, subnetId, clusterCidrSettings: { clusterCidr }, clusterBasicSettings: { clusterVersion: version } };
    const { clusterId } = await cloud.call(createCluster, asked);
    await cloud.call(createNodePool, { clusterId, name: "p", type: "Native", native });
    await cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
    await cloud.call(createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
    await cloud.call(modifyClusterEndpointSp, { clusterId, securityPolicies: ["127.0.0.1/32"] });
    return clusterId;
  };
  const subAccount = (name: string) => putSubAccount(world, { name, allow: ["*"] });
  const kubeconfigOf = async (clusterId: string, { uin = world.account, isExtranet = true } = {}) =>
    (await cloudOf(uin).call(describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;
  const as = async (clusterId: string, uin?: string) => new Kubectl(await kubeconfigOf(clusterId, { ...(uin !== undefined && { uin }) }));
  return { world, folder, cloud, cloudOf, vpcId, subnetId, cluster, subAccount, kubeconfigOf, as };
}

/** The same, served in this process. */
export async function serveWorld({ idle }: { idle?: number } = {}) {
  const made = await makeWorld();
  const lines: string[] = [];
  const mistakes: unknown[] = [];
  const start = () =>
    serve(made.world, {
      kubernetes: { told: (line) => lines.push(line), ...(idle !== undefined && { idle }) },
      report: (mistake) => mistakes.push(mistake),
    });
  const server = await start();
  onTestFinished(() => server.close());
  return { ...made, server, start, lines, mistakes };
}

/** The processes of this machine whose command line has a text. */
export async function processesWith(text: string): Promise<string[]> {
  const { readdir, readFile } = await import("node:fs/promises");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(join("/proc", pid, "cmdline"), "utf8").catch(() => "");
      return command.includes(text) && Number(pid) !== process.pid ? [`${pid} ${command.replaceAll("\0", " ")}`] : [];
    }),
  );
  return found.flat();
}
