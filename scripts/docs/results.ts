import { unwrapped } from "@container-platform/sdk";
import * as audit from "@container-platform/sdk/audit";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as disk from "@container-platform/sdk/disk";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { format, resolveConfig } from "prettier";
import { z } from "zod";

/** What functions answer: the lists of the catalogue, of whose items an interface is made. */
export const lists = (): Readonly<Record<string, z.core.$ZodType>> => ({
  ClusterRecord: cluster.describeClusters.output.shape.clusters,
  ClusterStatusRecord: cluster.describeClusterStatus.output.shape.clusterStatusSet,
  NodeRecord: cluster.describeClusterInstances.output.shape.instanceSet,
  NodePoolRecord: cluster.describeNodePools.output.shape.nodePools,
  PermissionRecord: cluster.describeUserPermissions.output.shape.permissions,
  TaskRecord: cluster.describeTasks.output.shape.tasks,
  RegionRecord: cluster.describeRegions.output.shape.regionInstanceSet,
  OsImageRecord: cluster.describeOsImages.output.shape.osImageSeriesSet,
  ZoneRecord: compute.describeZones.output.shape.zoneSet,
  KeyPairRecord: compute.describeKeyPairs.output.shape.keyPairSet,
  InstanceTypeRecord: compute.describeZoneInstanceConfigInfos.output.shape.instanceTypeQuotaSet,
  DiskTypeRecord: disk.describeDiskConfigQuota.output.shape.diskConfigSet,
  VpcRecord: vpc.describeVpcs.output.shape.vpcSet,
  SubnetRecord: vpc.describeSubnets.output.shape.subnetSet,
  SecurityGroupRecord: vpc.describeSecurityGroups.output.shape.securityGroupSet,
  RegistryRecord: registry.describeInstances.output.shape.registries,
  NamespaceRecord: registry.describeNamespaces.output.shape.namespaceList,
  RepositoryRecord: registry.describeRepositories.output.shape.repositoryList,
  ImageRecord: registry.describeImages.output.shape.imageInfoList,
  EventRecord: audit.lookUpEvents.output.shape.events,
});

/** Names of structures that several records share: by the names of their fields, or by that of the field that holds them. */
const byFields: Readonly<Record<string, string>> = { "key, value": "TagRecord", "key, value, effect": "TaintRecord" };
const byHolder: Readonly<Record<string, string>> = {
  labels: "LabelRecord",
  annotations: "AnnotationRecord",
  instanceAdvancedSettings: "InstanceSettingsRecord",
};

/**
 * The interfaces of what functions answer, written from the catalogue: names and comments for people. That they say what the catalogue
 * says, the compiler checks where a function returns what it has read.
 */
export async function resultInterfaces(): Promise<Map<string, string>> {
  const printer = new Printer();
  for (const [name, list] of Object.entries(lists())) printer.interfaceOf(name, itemOf(list));
  const config = await resolveConfig(new URL(import.meta.url));
  const text = `// Written by \`npm run fix\` from the SDK's catalogue.\n\n${[...printer.texts.values()].join("\n")}`;
  return new Map([["../provider/src/functions/results.ts", await format(text, { ...config, parser: "typescript" })]]);
}

export function itemOf(list: z.core.$ZodType): z.core.$ZodType {
  const inside = unwrapped(list);
  if (!(inside instanceof z.ZodArray)) throw new Error(`no list: ${inside._zod.def.type}`);
  return inside.element;
}

class Printer {
  readonly texts = new Map<string, string>();

  /** Writes an interface, and those of the objects inside it first. */
  interfaceOf(name: string, schema: z.core.$ZodType): string {
    const inside = unwrapped(schema);
    if (!(inside instanceof z.ZodObject)) throw new Error(`${name} is no object`);
    const shape: Readonly<Record<string, z.core.$ZodType>> = inside.shape;
    const fields = Object.entries(shape).map(([key, field]) => {
      const left = field instanceof z.ZodOptional || field instanceof z.ZodNullable ? " | undefined" : "";
      return `  /** ${descriptionOf(field)} */\n  readonly ${key}: ${this.#typeOf(name, key, field)}${left};\n`;
    });
    const text = `export interface ${name} {\n${fields.join("")}}\n`;
    const known = this.texts.get(name);
    if (known !== undefined && uncommented(known) !== uncommented(text)) throw new Error(`${name} would have two forms:\n${known}${text}`);
    if (known === undefined) this.texts.set(name, text);
    return name;
  }

  #typeOf(owner: string, key: string, schema: z.core.$ZodType): string {
    const inside = unwrapped(schema);
    if (inside instanceof z.ZodArray) {
      const item = this.#typeOf(owner, itemKeyOf(key), inside.element);
      return item.includes(" ") ? `(${item})[]` : `${item}[]`;
    }
    if (inside instanceof z.ZodObject) return this.interfaceOf(nameFor(owner, key, inside), inside);
    if (inside instanceof z.ZodEnum) return alternatives(inside.options);
    if (inside instanceof z.ZodLiteral) return alternatives([...inside.values]);
    const { values } = z.globalRegistry.get(inside) ?? {};
    if (Array.isArray(values)) return alternatives(values);
    const { type } = inside._zod.def;
    if (type === "string" || type === "number" || type === "boolean" || type === "unknown") return type;
    throw new Error(`${owner}.${key} has a type that is not printed: ${type}`);
  }
}

/** What the interface of a structure is called that is the field of another one. */
export function nameFor(owner: string, key: string, { shape }: z.ZodObject): string {
  return byFields[Object.keys(shape).join(", ")] ?? byHolder[key] ?? `${owner}${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}

function uncommented(text: string): string {
  return text.replaceAll(/^ *\/\*\*.*$/gm, "");
}

function alternatives(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

export function descriptionOf(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? z.globalRegistry.get(unwrapped(schema)) ?? {};
  if (description === undefined) throw new Error("a field of a result is not described");
  return description.replaceAll("*/", "*\\/");
}

/** The key by which the items of a list are named. */
export function itemKeyOf(key: string): string {
  return byHolder[key] === undefined ? singular(key) : key;
}

function singular(key: string): string {
  return key.replace(/ies$/, "y").replace(/Set$|List$|(?<=[^s])s$/, "");
}
