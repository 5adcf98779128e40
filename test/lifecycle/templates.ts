import type { Props } from "../support/structs.ts";
import { type Told } from "./program.ts";

/** What edits of a random program turn over: each number is another wish. */
export interface Settings {
  /** Of what changes in place. */
  readonly version: number;
  /** Of what takes a new thing. No two things of a sequence ever have the same. */
  readonly place: number;
  /** Whether a VPC has half of its range. The halves overlap with the whole. */
  readonly half: boolean;
}

/** Tells a property of what a thing needs, by what it is needed as; `subnet.vpc` is what the subnet needs. */
export type Tell = (role: string, property: string, carved?: Told["carved"]) => Told;

/** A kind of resource in a random program. */
export interface Template {
  readonly type: string;
  /** What it needs, by role: the names of templates. */
  readonly needs: Readonly<Record<string, TemplateName>>;
  /** The role of which one thing can have one of these at most. */
  readonly onceFor?: string;
  /** What may be changed besides in place. */
  readonly replaces: boolean;
  readonly args: (settings: Settings, tell: Tell) => Props;
}

const tags = (version: number): Props | undefined => (version % 3 === 0 ? undefined : { version: `${version}` });
const named = (version: number): string | undefined => (version === 0 ? undefined : `version-${version}`);

const names = [
  "vpc",
  "block",
  "subnet",
  "dualSubnet",
  "group",
  "cluster",
  "pool",
  "endpoint",
  "permission",
  "registry",
  "connectedRegistry",
  "namespace",
  "repository",
  "rule",
  "token",
  "account",
] as const;
export type TemplateName = (typeof names)[number];
export const templateNames: readonly TemplateName[] = names;

export const templates: Readonly<Record<TemplateName, Template>> = {
  vpc: {
    type: "Vpc",
    needs: {},
    replaces: true,
    args: ({ version, place, half }) => ({
      cidrBlock: `10.${place}.0.0/${half ? 17 : 16}`,
      vpcName: named(version),
      tags: tags(version),
    }),
  },
  block: {
    type: "Ipv6Block",
    needs: { vpc: "vpc" },
    onceFor: "vpc",
    replaces: false,
    args: (_settings, tell) => ({ vpcId: tell("vpc", "vpcId") }),
  },
  subnet: {
    type: "Subnet",
    needs: { vpc: "vpc" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      vpcId: tell("vpc", "vpcId"),
      zone: `eu-frankfurt-${(place % 3) + 1}`,
      cidrBlock: tell("vpc", "cidrBlock", { bits: 24, index: place }),
      subnetName: named(version),
      tags: tags(version),
    }),
  },
  dualSubnet: {
    type: "Subnet",
    needs: { block: "block" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      vpcId: tell("block.vpc", "vpcId"),
      zone: "eu-frankfurt-1",
      cidrBlock: tell("block.vpc", "cidrBlock", { bits: 24, index: place }),
      ipv6SubnetCidrBlock: version % 2 === 1 ? undefined : tell("block", "ipv6CidrBlock", { bits: 64, index: place }),
    }),
  },
  group: {
    type: "SecurityGroup",
    needs: {},
    replaces: false,
    args: ({ version }) => ({
      groupName: named(version),
      ingress: Array.from({ length: version % 4 }, (_, index) => ({
        protocol: "TCP",
        port: `${8000 + version + index}`,
        cidrBlock: "10.0.0.0/8",
        action: "ACCEPT",
      })),
      tags: tags(version),
    }),
  },
  cluster: {
    type: "Cluster",
    needs: { subnet: "subnet" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      vpcId: tell("subnet.vpc", "vpcId"),
      subnetId: tell("subnet", "subnetId"),
      // A range of pods of its own could not be there twice, and a new cluster comes before the old one goes.
      eniSubnetIds: [tell("subnet", "subnetId")],
      serviceCidr: `172.${16 + ((place >> 2) % 16)}.${(place % 4) * 64}.0/18`,
      clusterDescription: `version ${version}`,
      tags: tags(version),
    }),
  },
  pool: {
    type: "NodePool",
    needs: { cluster: "cluster" },
    replaces: false,
    args: ({ version }, tell) => ({
      clusterId: tell("cluster", "clusterId"),
      native: {
        subnetIds: [tell("cluster.subnet", "subnetId")],
        instanceTypes: ["SA5.MEDIUM4"],
        systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
        replicas: 1 + (version % 2),
      },
      labels: version % 3 === 0 ? undefined : { version: `${version}` },
    }),
  },
  endpoint: {
    type: "ClusterEndpoint",
    needs: { pool: "pool" },
    onceFor: "pool.cluster",
    replaces: true,
    args: ({ version, place }, tell) => ({
      clusterId: tell("pool.cluster", "clusterId"),
      isExtranet: false,
      subnetId: tell("pool.cluster.subnet", "subnetId"),
      domain: `place-${place}.example`,
      nodePoolIds: [tell("pool", "nodePoolId")],
      credentialsVersion: `${version}`,
    }),
  },
  permission: {
    type: "UserPermission",
    needs: { cluster: "cluster" },
    replaces: true,
    args: ({ place }, tell) => ({
      targetUin: "100000000002",
      clusterId: tell("cluster", "clusterId"),
      roleName: "svc:ns:dev",
      roleType: "namespace",
      namespace: `place-${place}`,
    }),
  },
  registry: {
    type: "RegistryInstance",
    needs: {},
    replaces: true,
    args: ({ version, place }) => ({
      registryName: `registry-${place}`,
      deleteBucket: true,
      publicAccess: version % 2 === 0 ? undefined : { whitelist: [{ cidrBlock: "198.51.100.0/24" }] },
      tags: tags(version),
    }),
  },
  connectedRegistry: {
    type: "RegistryInstance",
    needs: { subnet: "subnet" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      registryName: `registry-${place}`,
      deleteBucket: true,
      internalAccess: version % 3 === 2 ? undefined : [{ vpcId: tell("subnet.vpc", "vpcId"), subnetId: tell("subnet", "subnetId") }],
    }),
  },
  namespace: {
    type: "Namespace",
    needs: { registry: "registry" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      registryId: tell("registry", "registryId"),
      namespaceName: `place-${place}`,
      isPublic: version % 2 === 1,
      tags: tags(version),
    }),
  },
  repository: {
    type: "Repository",
    needs: { namespace: "namespace" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      registryId: tell("namespace", "registryId"),
      namespaceName: tell("namespace", "namespaceName"),
      repositoryName: `place-${place}`,
      description: `version ${version}`,
    }),
  },
  rule: {
    type: "ReplicationRule",
    // A namespace is of a registry of the other template: not of the source.
    needs: { source: "connectedRegistry", destination: "namespace" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      sourceRegistryId: tell("source", "registryId"),
      ruleName: `place-${place}`,
      destinationRegistryId: tell("destination", "registryId"),
      destNamespace: tell("destination", "namespaceName"),
      filters: [{ type: "name", value: `version-${version}/**` }],
      override: version % 2 === 1,
    }),
  },
  token: {
    type: "Token",
    needs: { registry: "registry" },
    replaces: false,
    args: ({ version }, tell) => ({ registryId: tell("registry", "registryId"), desc: `version ${version}` }),
  },
  account: {
    type: "ServiceAccount",
    needs: { namespace: "namespace" },
    replaces: true,
    args: ({ version, place }, tell) => ({
      registryId: tell("namespace.registry", "registryId"),
      name: `place-${place}`,
      permissions: [{ resource: tell("namespace", "namespaceName"), actions: ["reg:PullRepository"] }],
      description: named(version),
      passwordVersion: `${version >> 1}`,
    }),
  },
};
