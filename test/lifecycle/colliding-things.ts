import type { Props } from "../support/structs.ts";
import { called, type Declaration, Reference } from "./program.ts";

/** Resources that come into each other's way, or have values that are wrong. */

export const kinds = [
  ...(["Vpc", "ElasticIp", "NatGateway", "RouteTable", "Subnet", "RegistryInstance"] as const),
  ...(["Namespace", "Cluster", "NodePool", "ClusterEndpoint"] as const),
];
export type KindName = (typeof kinds)[number];

/** What a resource needs: the one that it is in, and another one besides. */
export type Role = "place" | "beside";
export const needs: Readonly<Record<KindName, Readonly<Partial<Record<Role, KindName>>>>> = {
  Vpc: {},
  ElasticIp: {},
  NatGateway: { place: "Vpc", beside: "ElasticIp" },
  RouteTable: { place: "Vpc", beside: "NatGateway" },
  Subnet: { place: "Vpc" },
  RegistryInstance: {},
  Namespace: { place: "RegistryInstance" },
  Cluster: { place: "Subnet" },
  NodePool: { place: "Cluster", beside: "Subnet" },
  ClusterEndpoint: { place: "Cluster", beside: "Subnet" },
};
export const roles = ["place", "beside"] as const;

/** A resource: `value` says which range or name it has of few. The last ones are wrong. */
export interface Thing {
  readonly kind: KindName;
  readonly name: string;
  readonly value: number;
  readonly place?: string | undefined;
  readonly beside?: string | undefined;
  /** Of a subnet: the second number of its VPC's range when the subnet was written. */
  readonly inside?: number | undefined;
  readonly alias?: string;
  readonly first?: boolean;
  readonly after?: string;
}

export const mostValue = 9;

/** Whether a resource refers to another one. */
export function isOn(thing: Thing, { kind, name }: Thing): boolean {
  return roles.some((role) => needs[thing.kind][role] === kind && thing[role] === name);
}

export function declared(thing: Thing, all: readonly Thing[]): Declaration {
  const { kind, name, alias, first, after } = thing;
  return {
    type: kind,
    name,
    args: argsOf[kind](thing, all),
    ...(alias === undefined ? {} : { aliases: [alias] }),
    ...(first === undefined ? {} : { first }),
    ...(after === undefined ? {} : { dependsOn: [called({ type: kind, name: after })] }),
  };
}

/** The ranges that a subnet may have in its VPC: some overlap. */
const parts = ["0.0/17", "0.0/20", "16.0/20", "128.0/20", "128.0/17", "32.0/29"] as const;
/** The ranges that pods may have: some overlap, or are of a VPC. */
const pods = ["172.16.0.0/16", "172.16.0.0/17", "172.17.0.0/16", "172.18.0.0/16", "10.0.0.0/14"] as const;

/** The destinations that a route may have: the last one is in some VPCs. */
const destinations = ["0.0.0.0/0", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "10.0.1.0/24"] as const;

/** The second number of a VPC's range. */
function secondOf(value: number): number {
  return value >> 1;
}

/** Where a subnet is written for: the range that its VPC has in the program. */
export function insideOf({ kind, place }: Pick<Thing, "kind" | "place">, all: readonly Thing[]): number | undefined {
  if (kind !== "Subnet") return undefined;
  const value = all.find((one) => one.kind === "Vpc" && one.name === place)?.value;
  return value === undefined ? undefined : secondOf(value);
}

const argsOf: Readonly<Record<KindName, (thing: Thing, all: readonly Thing[]) => Props>> = {
  Vpc: ({ value }) => ({
    cidrBlock: value < 8 ? `10.${secondOf(value)}.0.0/${value % 2 === 0 ? 16 : 17}` : ["100.64.0.0/16", "10.0.0.0/15"][value - 8],
  }),
  ElasticIp: ({ value }) => ({
    internetMaxBandwidthOut: value === 8 ? 101 : 1 + value,
    ...(value === 7 ? { internetServiceProvider: "CMCC" } : {}),
    ...(value === 9 ? { internetChargeType: "BANDWIDTH_POSTPAID_BY_HOUR" } : {}),
  }),
  NatGateway: ({ value, place, beside }) => ({
    vpcId: idOf("Vpc", place),
    publicIpAddresses: [value === 9 ? "192.0.2.9" : new Reference(`ElasticIp ${beside}`, "addressIp")],
    ...(value % 3 === 0 ? {} : { zone: `eu-frankfurt-${value % 3}` }),
    ...(value === 8 ? { internetMaxBandwidthOut: 30 } : {}),
  }),
  RouteTable: ({ value, place, beside }) => {
    const gatewayId = value === 9 ? "nat-00000000" : idOf("NatGateway", beside);
    const route = { destinationCidrBlock: destinations[value % destinations.length], gatewayType: "NAT", gatewayId };
    return { vpcId: idOf("Vpc", place), routes: value === 8 ? [route, route] : [route] };
  },
  RegistryInstance: ({ value }) => ({
    registryName: value < 8 ? `acme-${value % 6}` : ["system", "Acme_Images"][value - 8],
    deleteBucket: true,
  }),
  Namespace: ({ value, place }) => ({
    registryId: value === 9 ? "tcr-00000000" : idOf("RegistryInstance", place),
    namespaceName: value === 8 ? "-" : `team-${value % 6}`,
    isPublic: false,
  }),
  Subnet: ({ value, place, inside = 0 }, all) => {
    const table = value % 2 === 0 ? all.find((one) => one.kind === "RouteTable" && one.place === place) : undefined;
    return {
      vpcId: value === 9 ? "vpc-00000000" : idOf("Vpc", place),
      zone: value === 8 ? "ap-singapore-1" : "eu-frankfurt-1",
      cidrBlock: `10.${value === 7 ? 200 : inside}.${parts[value % parts.length]}`,
      ...(table ? { routeTableId: idOf("RouteTable", table.name) } : {}),
    };
  },
  Cluster: ({ value, place }, all) => {
    const own = all.find(({ kind, name }) => kind === "Subnet" && name === place)?.place;
    const other = all.find(({ kind, name }) => kind === "Vpc" && name !== own)?.name;
    return {
      vpcId: idOf("Vpc", value === 9 ? (other ?? own) : own),
      subnetId: idOf("Subnet", place),
      clusterCidr: pods[value % pods.length],
      ...(value === 7 ? { serviceCidr: "172.16.0.0/20" } : {}),
      ...(value === 8 ? { clusterVersion: "1.99" } : {}),
    };
  },
  NodePool: ({ value, place, beside }) => ({
    clusterId: value === 9 ? "cls-00000000" : idOf("Cluster", place),
    native: {
      subnetIds: [idOf("Subnet", beside)],
      instanceTypes: [value === 8 ? "t3.medium" : "SA5.MEDIUM4"],
      systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
      replicas: 1 + (value % 2),
    },
  }),
  ClusterEndpoint: ({ value, place, beside }, all) => ({
    clusterId: idOf("Cluster", place),
    isExtranet: false,
    subnetId: value === 9 ? "subnet-00000000" : idOf("Subnet", beside),
    nodePoolIds: poolsIn(place, all).map(({ name }) => idOf("NodePool", name)),
    ...(value % 3 === 0 ? { domain: `api-${value}.example.org` } : {}),
  }),
};

const ids: Readonly<Partial<Record<KindName, string>>> = {
  ...{ NatGateway: "natGatewayId", NodePool: "nodePoolId", RegistryInstance: "registryId", RouteTable: "routeTableId" },
};

function idOf(kind: KindName, name = ""): Reference {
  return new Reference(`${kind} ${name}`, ids[kind] ?? `${kind.toLowerCase()}Id`);
}

/** The pools of a cluster. An endpoint needs a node. */
export function poolsIn(cluster: string | undefined, all: readonly Thing[]): readonly Thing[] {
  return all.filter(({ kind, place }) => kind === "NodePool" && place === cluster);
}
