import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { Cloud, PlatformError, type Transport } from "@container-platform/sdk";
import { Faults, type TimeScale, World } from "@container-platform/sdk/local";
import { catalogue } from "@container-platform/sdk/reference";
import { expect } from "vitest";

/** A way to reach a world: in this process, over HTTP, through a program. */
export interface Reach {
  /** Calls of an account of the world. */
  as(uin: string): Promise<Transport>;
  close(): Promise<void>;
}

export type Reaching = (world: World) => Promise<Reach>;

export type Body = Parameters<Transport["send"]>[0]["body"];

export interface Refusal {
  readonly code: string;
  readonly reason: string;
}

/** A world whose clock stands still. Resources are made through the interface; `world` is for what the interface does not do. */
export class Stage implements AsyncDisposable {
  readonly region = "eu-frankfurt";
  readonly world: World;
  readonly faults: Faults;
  readonly cloud: Cloud;
  readonly #transport: Transport;
  readonly #reach: Reach;

  private constructor(world: World, reach: Reach, transport: Transport) {
    this.world = world;
    this.faults = new Faults(world);
    this.#reach = reach;
    this.#transport = transport;
    this.cloud = this.cloudIn(this.region);
  }

  static async open(reaching: Reaching, timeScale: TimeScale = "fast"): Promise<Stage> {
    const world = World.open(":memory:", { timeScale, seed: "specification" });
    world.freeze(Date.UTC(2026, 0, 31, 12));
    const reach = await reaching(world);
    return new Stage(world, reach, await reach.as(world.account));
  }

  cloudIn(region: string, transport = this.#transport): Cloud {
    return new Cloud({ transport, region, retries: { attempts: 1, pause: 0, longest: 0 } });
  }

  /** A client of another account of the world, for the same region. */
  async cloudOf(uin: string): Promise<Cloud> {
    return this.cloudIn(this.region, await this.#reach.as(uin));
  }

  /** Lets so many seconds pass. */
  pass(seconds: number): void {
    this.world.advance(seconds * 1000);
  }

  /** A call as it travels: for what the typed client would not send. The version is that of the older action unless given. */
  async send(product: (typeof catalogue)[number]["product"], action: string, body: Body, version?: string): Promise<Body> {
    const known = catalogue.find((operation) => operation.product === product && operation.action === action);
    const request = { product, action, version: version ?? known?.version ?? "", region: this.region, body };
    return (await this.#transport.send(request)).body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reach.close();
    this.world.close();
  }
}

export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (error instanceof PlatformError) return { code: error.code, reason: error.reason };
    throw error;
  }
  return { code: "none", reason: "the call was carried out" };
}

export async function codeOf(call: Promise<unknown>): Promise<string> {
  return (await refusalOf(call)).code;
}

/** A call is refused with a code, and for a reason that has these words. */
export async function refuses(call: Promise<unknown>, code: string, words = ""): Promise<void> {
  const refusal = await refusalOf(call);
  expect(refusal.code).toBe(code);
  expect(refusal.reason).toContain(words);
}

export async function vpcIn({ cloud }: Stage, cidrBlock = "10.0.0.0/16"): Promise<string> {
  return (await cloud.call(vpc.createVpc, { vpcName: "net", cidrBlock })).vpc.vpcId;
}

export interface Network {
  readonly vpcId: string;
  readonly subnetId: string;
}

/** A subnet `10.0.<third>.0/<prefix>` of a VPC that has `10.0.0.0/16`. */
export async function subnetIn({ cloud, region }: Stage, vpcId: string, third = 0, prefix = 24): Promise<string> {
  const asked = { vpcId, subnetName: `part-${third}`, cidrBlock: `10.0.${third}.0/${prefix}`, zone: `${region}-1` };
  return (await cloud.call(vpc.createSubnet, asked)).subnet.subnetId;
}

export async function networkIn(stage: Stage): Promise<Network> {
  const vpcId = await vpcIn(stage);
  return { vpcId, subnetId: await subnetIn(stage, vpcId) };
}

export async function groupIn({ cloud }: Stage): Promise<string> {
  const { securityGroup } = await cloud.call(vpc.createSecurityGroup, { groupName: "guard", groupDescription: "" });
  return securityGroup.securityGroupId;
}

interface NewCluster {
  readonly name?: string;
  readonly cidr?: string;
  readonly type?: "INDEPENDENT_CLUSTER";
}

/** Asks for a cluster; it is `Creating`. */
export async function newCluster({ cloud }: Stage, network: Network, given: NewCluster = {}): Promise<string> {
  const { name = "one", cidr = "172.16.0.0/16", type: clusterType } = given;
  const settings = { clusterBasicSettings: { clusterName: name }, clusterCidrSettings: { clusterCidr: cidr } };
  return (await cloud.call(cluster.createCluster, { ...network, ...settings, clusterType })).clusterId;
}

/** A cluster that is `Running`, in a network of its own. */
export async function clusterIn(stage: Stage): Promise<Network & { readonly clusterId: string }> {
  const network = await networkIn(stage);
  const clusterId = await newCluster(stage, network);
  stage.pass(3);
  return { ...network, clusterId };
}

export function nativeSettings(subnetId: string) {
  return {
    subnetIds: [subnetId],
    instanceTypes: ["SA5.MEDIUM4"],
    instanceChargeType: "POSTPAID_BY_HOUR" as const,
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 0, maxReplicas: 10, createPolicy: "ZoneEquality" as const },
  };
}

/** The same as it travels. */
export function nativeBody(subnetId: string) {
  return {
    SubnetIds: [subnetId],
    InstanceTypes: ["SA5.MEDIUM4"],
    InstanceChargeType: "POSTPAID_BY_HOUR",
    SystemDisk: { DiskType: "CLOUD_PREMIUM", DiskSize: 50 },
    Scaling: { MinReplicas: 0, MaxReplicas: 10, CreatePolicy: "ZoneEquality" },
  };
}

export async function clusterWithNodes(stage: Stage, replicas = 1) {
  const place = await clusterIn(stage);
  const native = { ...nativeSettings(place.subnetId), replicas };
  const { clusterId } = place;
  const { nodePoolId } = await stage.cloud.call(cluster.createNodePool, { clusterId, name: "workers", type: "Native", native });
  stage.pass(2.5);
  const { instanceSet } = await stage.cloud.call(cluster.describeClusterInstances, { clusterId });
  return { ...place, nodePoolId, instanceIds: instanceSet.map(({ instanceId }) => instanceId) };
}

/** A running cluster with a node, and its public endpoint open for 203.0.113.0/24. */
export async function openCluster(stage: Stage) {
  const place = await clusterWithNodes(stage);
  const securityGroup = await groupIn(stage);
  await stage.cloud.call(cluster.createClusterEndpoint, { clusterId: place.clusterId, isExtranet: true, securityGroup });
  stage.pass(1.5);
  await stage.cloud.call(cluster.modifyClusterEndpointSp, { clusterId: place.clusterId, securityPolicies: ["203.0.113.0/24"] });
  return { ...place, securityGroup };
}

/** A registry that is `Running`, with the namespace `team`. */
export async function registryIn(stage: Stage, registryName = "acme-images"): Promise<string> {
  const { registryId } = await stage.cloud.call(registry.createInstance, { registryName, registryType: "premium" });
  stage.pass(2);
  await stage.cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false });
  return registryId;
}

/** A registry whose public endpoint is open for the address 203.0.113.7. */
export async function openRegistry(stage: Stage) {
  const registryId = await registryIn(stage);
  await stage.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  stage.pass(0.8);
  await stage.cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "office" });
  const [record] = (await stage.cloud.call(registry.describeInstances, { registryIds: [registryId] })).registries;
  return { registryId, server: record?.publicDomain ?? "", from: { clientIp: "203.0.113.7" } };
}
