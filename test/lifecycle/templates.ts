import type { Props } from "../support/structs.ts";
import { type Reference } from "./program.ts";

/** What edits of a random program change: with another number, the inputs are others. */
export interface Settings {
  /** For inputs that change in place. */
  readonly version: number;
  /** For inputs whose change makes a new resource. No two resources of a sequence ever have the same. */
  readonly place: number;
  /** Whether a VPC has half of its range, which overlaps with the whole one. */
  readonly half: boolean;
}

/** Refers to a property of a resource that another one needs, by its role; `subnet.vpc` is the VPC that the subnet needs. */
export type Refer = (role: string, property: string, carved?: Reference["carved"]) => Reference;

/** A kind of resource in a random program. */
export interface Template {
  readonly type: string;
  /** The templates of what it needs, by role. */
  readonly needs: Readonly<Record<string, TemplateName>>;
  /** The role of the resource that can have only one of these. */
  readonly onceFor?: string;
  /** Whether a change can also make a new one. */
  readonly replaces: boolean;
  readonly args: (settings: Settings, refer: Refer) => Props;
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
    args: (_settings, refer) => ({ vpcId: refer("vpc", "vpcId") }),
  },
  subnet: {
    type: "Subnet",
    needs: { vpc: "vpc" },
    replaces: true,
    args: ({ version, place }, refer) => ({
      vpcId: refer("vpc", "vpcId"),
      zone: `eu-frankfurt-${(place % 3) + 1}`,
      cidrBlock: refer("vpc", "cidrBlock", { bits: 24, index: place }),
      subnetName: named(version),
      tags: tags(version),
    }),
  },
  dualSubnet: {
    type: "Subnet",
    needs: { block: "block" },
    replaces: true,
    args: ({ version, place }, refer) => ({
      vpcId: refer("block.vpc", "vpcId"),
      zone: "eu-frankfurt-1",
      cidrBlock: refer("block.vpc", "cidrBlock", { bits: 24, index: place }),
      ipv6SubnetCidrBlock: version % 2 === 1 ? undefined : refer("block", "ipv6CidrBlock", { bits: 64, index: place }),
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
    args: ({ version, place }, refer) => ({
      vpcId: refer("subnet.vpc", "vpcId"),
      subnetId: refer("subnet", "subnetId"),
      // A range of pods of its own could not be there twice, and a new cluster comes before the old one goes.
      eniSubnetIds: [refer("subnet", "subnetId")],
      serviceCidr: `172.${16 + ((place >> 2) % 16)}.${(place % 4) * 64}.0/18`,
      clusterDescription: `version ${version}`,
      tags: tags(version),
    }),
  },
  pool: {
    type: "NodePool",
    needs: { cluster: "cluster" },
    replaces: false,
    args: ({ version }, refer) => ({
      clusterId: refer("cluster", "clusterId"),
      native: {
        subnetIds: [refer("cluster.subnet", "subnetId")],
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
    args: ({ version, place }, refer) => ({
      clusterId: refer("pool.cluster", "clusterId"),
      isExtranet: false,
      subnetId: refer("pool.cluster.subnet", "subnetId"),
      domain: `place-${place}.example`,
      nodePoolIds: [refer("pool", "nodePoolId")],
      credentialsVersion: `${version}`,
    }),
  },
  permission: {
    type: "UserPermission",
    needs: { cluster: "cluster" },
    replaces: true,
    args: ({ place }, refer) => ({
      targetUin: "100000000002",
      clusterId: refer("cluster", "clusterId"),
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
    args: ({ version, place }, refer) => ({
      registryName: `registry-${place}`,
      deleteBucket: true,
      internalAccess: version % 3 === 2 ? undefined : [{ vpcId: refer("subnet.vpc", "vpcId"), subnetId: refer("subnet", "subnetId") }],
    }),
  },
  namespace: {
    type: "Namespace",
    needs: { registry: "registry" },
    replaces: true,
    args: ({ version, place }, refer) => ({
      registryId: refer("registry", "registryId"),
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
    args: ({ version }, refer) => ({ registryId: refer("registry", "registryId"), desc: `version ${version}` }),
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
