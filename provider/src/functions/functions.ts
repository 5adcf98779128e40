import * as audit from "@container-platform/sdk/audit";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import type { Cloud } from "@container-platform/sdk";
import { nodePoolsOf, nodesOf, permissionsOf } from "@container-platform/sdk/finders/cluster";
import { namespacesOf } from "@container-platform/sdk/finders/registry";
import { Config } from "@pulumi/pulumi";
import { configurationFrom, namespace, openSession } from "../runtime/configuration.ts";

/*
 * Functions that read the platform while a program runs. They are configured as the resources are: by environment variables,
 * the stack's configuration, or a profile. Each throws a `PlatformError` if the platform refuses.
 */

const opened = new Map<string, Promise<Cloud>>();

/** One for each configuration: programs of several stacks may run in one process. */
async function connected(): Promise<Cloud> {
  const config = new Config(namespace);
  const configuration = await configurationFrom((key) => config.get(key));
  const key = JSON.stringify(configuration);
  const known = opened.get(key) ?? openSession(configuration).then(({ cloud }) => cloud);
  opened.set(key, known);
  return known;
}

/** The platform's regions. */
export async function getRegions() {
  return (await (await connected()).call(cluster.describeRegions, {})).regionInstanceSet;
}

/** The zones of the region, with `zoneState`: `AVAILABLE` when usable. */
export async function getZones() {
  return (await (await connected()).call(compute.describeZones, {})).zoneSet;
}

/** Key pairs that can be used to log in to nodes. */
export async function getKeyPairs() {
  return (await connected()).all(compute.describeKeyPairs, {});
}

/** Kubernetes versions that a new cluster can have, or that one cluster can be upgraded to. */
export async function getClusterVersions(clusterId?: string): Promise<string[]> {
  const cloud = await connected();
  if (clusterId !== undefined) return (await cloud.call(cluster.describeAvailableClusterVersion, { clusterId })).versions ?? [];
  return (await cloud.call(cluster.describeVersions, {})).versionInstanceSet.map(({ version }) => version);
}

/** The clusters of the region. */
export async function getClusters() {
  return (await connected()).all(cluster.describeClusters, {});
}

/**
 * One cluster.
 *
 * @throws Error if there is none with this id in the region
 */
export async function getCluster(clusterId: string) {
  const { clusters } = await (await connected()).call(cluster.describeClusters, { clusterIds: [clusterId] });
  return one(clusters, `cluster ${clusterId}`);
}

/**
 * The state of a cluster, and how many of its nodes run.
 *
 * @throws Error if there is none with this id in the region
 */
export async function getClusterStatus(clusterId: string) {
  const { clusterStatusSet } = await (await connected()).call(cluster.describeClusterStatus, { clusterIds: [clusterId] });
  return one(clusterStatusSet, `cluster ${clusterId}`);
}

/** The nodes of a cluster. */
export async function getClusterInstances(clusterId: string) {
  return nodesOf(await connected(), clusterId);
}

/** The node pools of a cluster. */
export async function getNodePools(clusterId: string) {
  return nodePoolsOf(await connected(), clusterId);
}

/** The kubeconfig of the caller, YAML: for access from the internet or, the default, from the VPC. Keep it secret: `pulumi.secret(…)`. */
export async function getKubeconfig(clusterId: string, { isExtranet = false }: { isExtranet?: boolean } = {}): Promise<string> {
  return (await (await connected()).call(cluster.describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;
}

/** The VPCs of the region. */
export async function getVpcs() {
  return (await connected()).all(vpc.describeVpcs, {});
}

/** The subnets of the region, or of one VPC. */
export async function getSubnets(vpcId?: string) {
  const filters = vpcId === undefined ? undefined : [{ name: "vpc-id", values: [vpcId] }];
  return (await connected()).all(vpc.describeSubnets, { filters });
}

/** The security groups of the region. */
export async function getSecurityGroups() {
  return (await connected()).all(vpc.describeSecurityGroups, {});
}

/** The registries of the region, with `status`. */
export async function getRegistries() {
  return (await connected()).all(registry.describeInstances, {});
}

/** The namespaces of a registry. */
export async function getNamespaces(registryId: string) {
  return namespacesOf(await connected(), registryId);
}

/** The repositories of a registry, or of one of its namespaces. */
export async function getRepositories(registryId: string, namespaceName?: string) {
  return (await connected()).all(registry.describeRepositories, { registryId, namespaceName });
}

/** The images of a repository, an entry for each version. */
export async function getImages(registryId: string, namespaceName: string, repositoryName: string) {
  return (await connected()).all(registry.describeImages, { registryId, namespaceName, repositoryName });
}

/** The permissions of a sub-account in all clusters of the region. */
export async function getUserPermissions(targetUin: string) {
  return permissionsOf(await connected(), targetUin);
}

/** The tasks of one kind of a cluster, newest first; none is no error. */
export async function getTasks(clusterId: string, taskType: string) {
  const filter = [
    { name: "ClusterId", values: [clusterId] },
    { name: "TaskType", values: [taskType] },
  ];
  return (await (await connected()).find(cluster.describeTasks, { filter }))?.tasks ?? [];
}

/** Which events to look for. */
export interface EventQuery {
  /** From this moment on. */
  from: Date;
  /** Up to this moment. */
  to: Date;
  /** What they are about, such as `{ ResourceName: "vpc-3f8a0c1e" }`. */
  attributes?: Readonly<Record<string, string>>;
}

/** Recorded operations of a window of time; none is no error. */
export async function lookUpEvents({ from, to, attributes = {} }: EventQuery) {
  const lookupAttributes = Object.entries(attributes).map(([attributeKey, attributeValue]) => ({ attributeKey, attributeValue }));
  const [startTime, endTime] = [from, to].map((moment) => Math.floor(moment.getTime() / 1000));
  const { events } = await (
    await connected()
  ).call(audit.lookUpEvents, { startTime: startTime ?? 0, endTime: endTime ?? 0, lookupAttributes });
  return events;
}

function one<Thing>(things: readonly Thing[], what: string): Thing {
  const [thing] = things;
  if (thing === undefined) throw new Error(`there is no ${what} in this region`);
  return thing;
}
