import { z } from "zod";
import { cidrSubnet } from "../../formats/addresses.ts";
import { seededNumbers } from "../../rounds.fixture.ts";
import { metaOf, type Operation, unwrapped } from "../../operation/operation.ts";
import { resourceKinds, resourceName } from "../../formats/resource-name.ts";
import { instances, keyPairs } from "../compute/tables.ts";
import { clusters, nodePools, nodes } from "../cluster/tables.ts";
import { offeredVersions } from "../cluster/control-plane/versions.ts";
import { regions, zonesOf } from "../regions.ts";
import {
  namespaces,
  registries,
  registryTokens,
  replicationRules,
  repositories,
  retentionRules,
  serviceAccounts,
} from "../registry/tables.ts";
import type { Table } from "../store/table.ts";
import { routeTables, securityGroups, subnets, vpcs } from "../vpc/tables.ts";
import type { World } from "../store/world.ts";

/** Random inputs of operations, drawn from their schemas and from the world's rows: mostly valid, some nearly valid, some nonsense. */

/** The world, account and region in which a call is made. */
export interface Spot {
  readonly world: World;
  readonly account: string;
  readonly region: string;
}

/** Random choices, which are the same for the same seed. */
class Draw {
  readonly #number: () => number;

  constructor(seed: number) {
    this.#number = seededNumbers(seed);
  }

  chance(probability: number): boolean {
    return this.#number() < probability;
  }

  whole(least: number, most: number): number {
    return least + Math.floor(this.#number() * (most - least + 1));
  }

  /** One of a list; `undefined` of an empty one. */
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.whole(0, list.length - 1)];
  }
}

/** Optional fields without which an operation is mostly refused. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  CreateCluster: ["vpcId", "subnetId", "clusterCidrSettings", "clusterCidr", "clusterBasicSettings", "clusterVersion"],
  CreateClusterEndpoint: ["subnetId"],
  CreateNodePool: ["native", "scaling", "replicas"],
  CreateSecurityGroupPolicies: ["ingress", "protocol", "port", "cidrBlock", "action"],
  DeleteSecurityPolicy: ["policyIndex", "cidrBlock"],
  DeleteUserPermissions: ["permissions"],
  GrantUserPermissions: ["permissions"],
  ModifyNodePool: ["native", "name", "scaling"],
  ReplaceSecurityGroupPolicies: ["egress", "protocol", "port", "cidrBlock", "action"],
  UpgradeClusterInstances: ["instanceIds", "upgradeType"],
};

/** How much more often these operations are called than others, which need the resources that these make. */
const often: Readonly<Record<string, number>> = {
  CreateVpc: 6,
  CreateSubnet: 8,
  AssignIpv6CidrBlock: 3,
  CreateCluster: 10,
  CreateNodePool: 6,
  CreateClusterEndpoint: 4,
  CreateInstance: 6,
  CreateNamespace: 4,
  CreateRepository: 3,
};

/** A random operation with an input. Mostly an operation for which the account has the resources that it needs. */
export function randomCall(operations: readonly Operation[], spot: Spot, seed: number): { operation: Operation; input: object } {
  const draw = new Draw(seed);
  const known = new Known(spot, draw);
  const possible = draw.chance(0.95) ? operations.filter((operation) => known.has(operation)) : [];
  const weighed = possible.flatMap((operation) => Array.from({ length: often[operation.action] ?? 1 }, () => operation));
  const operation = draw.pick(weighed) ?? draw.pick(operations);
  if (!operation) throw new Error("there is no operation to draw from");
  return { operation, input: inputOf(operation, known, draw) };
}

function inputOf(operation: Operation, known: Known, draw: Draw): object {
  const sought = new Set(wanted[operation.action]);
  const valueOf = (schema: z.core.$ZodType, name: string): unknown => {
    const inside = unwrapped(schema);
    if (inside instanceof z.ZodArray) {
      const length = draw.chance(0.8) ? 1 : draw.whole(0, 3);
      return Array.from({ length }, () => valueOf(inside.element, itemName(name)));
    }
    if (inside instanceof z.ZodObject) {
      const given = Object.entries<z.core.$ZodType>(inside.shape).filter(
        ([field, inner]) => !isOptional(inner) || draw.chance(sought.has(field) ? 0.95 : 0.08),
      );
      return Object.fromEntries(given.map(([field, inner]) => [field, valueOf(inner, field)]));
    }
    const meant = draw.chance(0.97) ? known.called(operation.action, name) : undefined;
    return meant !== undefined && z.safeParse(inside, meant).success ? meant : anyOf(inside, draw);
  };
  return z.record(z.string(), z.unknown()).parse(valueOf(operation.input, ""));
}

const needed = new Map<Operation, readonly string[]>();

/** The fields that an operation needs, with lists in the singular, but without the name that it gives to a new resource. */
function neededBy(operation: Operation): readonly string[] {
  const known = needed.get(operation);
  if (known) return known;
  const { action, input } = operation;
  const names = Object.entries<z.core.$ZodType>(input.shape)
    .filter(([field, schema]) => !isOptional(schema) || wanted[action]?.includes(field))
    .filter(([field]) => !isOwnName(action, field))
    .map(([field]) => itemName(field));
  needed.set(operation, names);
  return names;
}

function itemName(name: string): string {
  return name.replace(/s$/, "");
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

const texts = ["", "a", "b-1", "acme", "10.0.0.0/33", "*", "0", "2026-01-31 12:00:00", "ä".repeat(61), "running"];

/** A random value that fits a schema, without regard to the field's name. */
function anyOf(schema: z.core.$ZodType, draw: Draw): unknown {
  if (schema._zod.def.type === "string") return draw.pick(texts);
  if (schema instanceof z.ZodNumber) return draw.chance(0.9) ? draw.whole(0, 12) : draw.whole(-5, 100_000);
  if (schema instanceof z.ZodBoolean) return draw.chance(0.5);
  if (schema instanceof z.ZodEnum) return draw.pick(schema.options);
  if (schema instanceof z.ZodLiteral) return draw.pick([...schema.values]);
  if (schema instanceof z.ZodUnion) return anyOf(draw.pick(schema.options) ?? schema, draw);
  if (schema instanceof z.ZodCustom) return draw.pick(z.array(z.string()).catch([]).parse(metaOf(schema)["values"])) ?? "a";
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodRecord) return {};
  throw new Error(`nothing can be drawn for a schema of type ${schema._zod.def.type}`);
}

/** The resources that a call can be about: one VPC, one cluster and one registry are chosen for all of its fields. */
class Known {
  readonly #spot: Spot;
  readonly #draw: Draw;
  readonly #vpc: string | undefined;
  readonly #cluster: string | undefined;
  readonly #registry: string | undefined;

  constructor(spot: Spot, draw: Draw) {
    this.#spot = spot;
    this.#draw = draw;
    const cluster = draw.pick(this.#rows(clusters));
    this.#cluster = cluster?.id;
    this.#vpc = (draw.chance(0.6) ? cluster?.vpcId : undefined) ?? this.#id(vpcs);
    this.#registry = this.#id(registries);
  }

  /** Whether there is a resource for each id that an operation needs. */
  has(operation: Operation): boolean {
    return neededBy(operation).every((name) => this.#isThere(name));
  }

  readonly #there = new Map<string, boolean>();

  #isThere(name: string): boolean {
    const suiting = this.#suiting[name];
    const isThere = this.#there.get(name) ?? (!suiting || suiting() !== undefined);
    this.#there.set(name, isThere);
    return isThere;
  }

  /** A value that suits a field by its name; `undefined` if the name is not known. */
  called(action: string, name: string): unknown {
    const draw = this.#draw;
    if (name === "cidrBlock") return this.#range(action);
    if (isOwnName(action, name)) return draw.pick(["acme-one", "acme-two", "team-a", "team-b"]);
    if (name === "resource" && action.endsWith("ServiceAccount")) return `${String(this.#suiting["namespaceName"]?.())}/`;
    const suiting = this.#suiting[name];
    return suiting || !/name$/i.test(name) ? suiting?.() : "some-name";
  }

  readonly #suiting: Readonly<Record<string, () => unknown>> = {
    vpcId: () => this.#vpc,
    subnetId: () => this.#id(subnets, this.#vpc),
    eniSubnetId: () => this.#id(subnets, this.#vpc),
    routeTableId: () => this.#id(routeTables, this.#vpc),
    securityGroupId: () => this.#id(securityGroups),
    securityGroup: () => this.#id(securityGroups),
    clusterId: () => this.#cluster,
    nodePoolId: () => this.#id(nodePools, this.#cluster),
    instanceId: () => (this.#draw.chance(0.7) ? this.#id(nodes, this.#cluster) : undefined) ?? this.#id(instances),
    keyId: () => this.#id(keyPairs),
    registryId: () => this.#registry,
    sourceRegistryId: () => this.#registry,
    destinationRegistryId: () => this.#id(registries),
    namespaceName: () => this.#draw.pick(this.#rows(namespaces, this.#registry))?.name,
    namespaceId: () => this.#draw.pick(this.#rows(namespaces, this.#registry))?.number,
    repositoryName: () => this.#draw.pick(this.#rows(repositories, this.#registry))?.name,
    tokenId: () => this.#id(registryTokens, this.#registry),
    name: () => this.#draw.pick(this.#rows(serviceAccounts, this.#registry))?.name,
    ruleName: () => this.#draw.pick(this.#rows(replicationRules, this.#registry))?.name,
    retentionId: () => this.#draw.pick(this.#rows(retentionRules, this.#registry))?.number,
    zone: () => this.#draw.pick(zonesOf(this.#spot.region))?.zone,
    regionName: () => this.#draw.pick(regions),
    protocol: () => this.#draw.pick(["TCP", "UDP", "ALL"]),
    port: () => this.#draw.pick(["80", "443,8000-8010", "ALL"]),
    action: () => this.#draw.pick(["ACCEPT", "DROP", "reg:PullRepository"]),
    clusterVersion: () => this.#draw.pick(offeredVersions),
    clusterOs: () => this.#draw.pick(["ubuntu22.04x86_64", "tlinux3.1x86_64", "img-0000000a"]),
    targetUin: () => this.#draw.pick(["100000000003", "100000000001"]),
    roleName: () => this.#draw.pick(["svc:admin", "svc:ro", "svc:ns:dev"]),
    roleType: () => this.#draw.pick(["cluster", "namespace"]),
    clusterCidr: () => `172.${this.#draw.whole(16, 24)}.0.0/16`,
    ipv6SubnetCidrBlock: () => cidrSubnet(this.#vpcRow()?.ipv6CidrBlock ?? "fd00::/56", 64, this.#draw.whole(0, 3)),
    dstVersion: () => this.#draw.pick(offeredVersions),
    resource: () => {
      const { region, account } = this.#spot;
      return this.#vpc === undefined ? undefined : resourceName({ ...resourceKinds.vpc, region, account, id: this.#vpc });
    },
    replicas: () => this.#draw.whole(0, 4),
    instanceType: () => "SA5.MEDIUM4",
    diskType: () => "CLOUD_PREMIUM",
    diskSize: () => 50,
    minReplicas: () => 0,
    maxReplicas: () => 5,
    registryName: () => this.#draw.pick(["acme-images", "acme-other", "acme-third"]),
    policyIndex: () => this.#draw.whole(0, 2),
  };

  #range(action: string): string {
    const draw = this.#draw;
    if (action === "CreateVpc") return `10.${draw.whole(0, 5)}.${draw.chance(0.9) ? 0 : 64}.0/${draw.pick([14, 16, 16, 18, 24])}`;
    if (action !== "CreateSubnet") return `10.${draw.whole(0, 5)}.0.${draw.whole(0, 3)}/32`;
    return cidrSubnet(this.#vpcRow()?.cidrBlock ?? "10.0.0.0/16", draw.pick([26, 26, 27, 28]) ?? 28, draw.whole(0, 3));
  }

  #vpcRow() {
    return this.#rows(vpcs).find(({ id }) => id === this.#vpc);
  }

  #id<Row extends { id: string }>(of: Table<Row>, parent?: string): string | undefined {
    return this.#draw.pick(this.#rows(of, parent))?.id;
  }

  #rows<Row extends { id: string }>(of: Table<Row>, parent?: string): Row[] {
    const { world, account, region } = this.#spot;
    return world.rows(of, region, account).list(parent);
  }
}

/** Whether a field is the name of the resource that an operation creates. */
function isOwnName(action: string, field: string): boolean {
  return action.startsWith("Create") && ["name", `${action.slice("Create".length).toLowerCase()}name`].includes(field.toLowerCase());
}
