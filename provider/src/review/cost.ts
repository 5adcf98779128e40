import * as z from "@container-platform/sdk/zod";
import { checked, parsedYaml, textOf } from "./policy/settings.ts";
import type { KindName } from "../resources/reviews.ts";
import { type Fields, isFields, isList, isText, type Value } from "./plan/values.ts";
import { displayNameOf } from "./plan/names.ts";
import { isKept, type Subject } from "./plan/subject.ts";
import type { Cost } from "./report.ts";

const table = z.record(z.string(), z.number().min(0)).default({});

const tables = z.strictObject({
  /** By level, such as `L20`: a cluster. */
  clusterLevel: table,
  /** `internet` and `internal`: an endpoint of a cluster. */
  clusterEndpoint: table,
  /** By type, such as `SA5.MEDIUM4`: a node. */
  instanceType: table,
  /** By type, such as `CLOUD_PREMIUM`: a GB of a disk. */
  diskType: table,
  /** `basic`, `standard` and `premium`: a registry. */
  registryType: table,
});

const prices = z.strictObject({
  /** The currency of the amounts: `EUR`. */
  currency: z.string().min(1).max(20),
  perMonth: tables.prefault({}),
});

export type Prices = z.output<typeof prices>;
type Table = keyof Prices["perMonth"];

/** @throws PolicyError with the lines that are wrong */
export function pricesFrom(text: string, file: string): Prices {
  return checked(parsedYaml(text), file, prices, ([first]) => (first === "perMonth" ? tables : prices).keyof().options);
}

/** @throws PolicyError if the file cannot be read, or is not valid */
export function readPrices(file: string): Prices {
  return pricesFrom(textOf(file), file);
}

/** An item with a monthly price. */
interface Item {
  readonly table: Table;
  /** What the table has a price for; `undefined` if the program does not say it, or it is not known yet. */
  readonly key: string | undefined;
  /** How many of them; `undefined` if it is not known. */
  readonly amount: number | undefined;
}

/** The items of a resource, by its inputs. Kinds that are not here have no price of their own. */
const itemsOf: Partial<Readonly<Record<KindName, (inputs: Fields) => readonly Item[]>>> = {
  Cluster: ({ clusterLevel }) => [{ table: "clusterLevel", key: textIn(clusterLevel), amount: 1 }],
  ClusterEndpoint: ({ isExtranet }) => [
    { table: "clusterEndpoint", key: typeof isExtranet === "boolean" ? (isExtranet ? "internet" : "internal") : undefined, amount: 1 },
  ],
  NodePool: ({ native }) => itemsOfPool(isFields(native) ? native : {}),
  RegistryInstance: ({ registryType = "basic" }) => [{ table: "registryType", key: textIn(registryType), amount: 1 }],
};

/** Nodes are of the first type, as long as the zone has it. A pool that scales counts with its fewest nodes. */
function itemsOfPool({ instanceTypes, systemDisk, dataDisks = [], ...native }: Fields): Item[] {
  const nodes = nodesOf(native);
  const disks = [systemDisk ?? null, ...(isList(dataDisks) ? dataDisks : [null])];
  return [
    { table: "instanceType", key: isList(instanceTypes) ? textIn(instanceTypes[0]) : undefined, amount: nodes },
    ...disks.map((disk): Item => {
      const { diskType, diskSize } = isFields(disk) ? disk : {};
      const size = typeof diskSize === "number" ? diskSize : undefined;
      return { table: "diskType", key: textIn(diskType), amount: nodes === undefined || size === undefined ? undefined : nodes * size };
    }),
  ];
}

function nodesOf({ scaling, replicas, enableAutoscaling }: Fields): number | undefined {
  const { minReplicas, maxReplicas } = isFields(scaling) ? scaling : {};
  const scales = typeof enableAutoscaling === "boolean" ? enableAutoscaling : minReplicas !== maxReplicas;
  const found = scales ? minReplicas : (replicas ?? minReplicas);
  return typeof found === "number" ? found : undefined;
}

function textIn(value: Value | undefined): string | undefined {
  return isText(value) ? value : undefined;
}

/**
 * What the resources that change cost a month, before and after. A resource of which one price is missing is in no sum: half of it would
 * be wrong.
 */
export function costOf(changed: readonly Subject[], prices: Prices): Cost {
  const missing = new Set<string>();
  const changes: Cost["changes"] = [];
  const notCounted = new Set<string>();
  for (const subject of changed) {
    const { kind, type, urn } = subject;
    const items = kind && itemsOf[kind];
    if (!items) {
      notCounted.add(kind ?? type);
      continue;
    }
    const called = displayNameOf(subject);
    const priced = (inputs: Fields | undefined) => (inputs === undefined ? 0 : pricedOf(items(inputs), called, prices, missing));
    // What is taken over is paid for already.
    const before = priced(subject.operation === "create" ? undefined : subject.operation === "adopt" ? subject.inputs : subject.before);
    const after = isKept(subject) ? before : priced(subject.operation === "delete" ? undefined : subject.inputs);
    if (before !== undefined && after !== undefined && before !== after) changes.push({ urn, called, before, after });
  }
  const difference = rounded(changes.reduce((sum, { before, after }) => sum + after - before, 0));
  return { currency: prices.currency, difference, changes, missing: [...missing], notCounted: [...notCounted] };
}

/** The price of items; `undefined` if one of them has none. */
function pricedOf(items: readonly Item[], called: string, { perMonth }: Prices, missing: Set<string>): number | undefined {
  let sum: number | undefined = 0;
  for (const { table, key, amount } of items) {
    const price = key === undefined || !Object.hasOwn(perMonth[table], key) ? undefined : perMonth[table][key];
    if (key === undefined) missing.add(`${table}, which is not known of ${called}`);
    else if (price === undefined) missing.add(`${table} ${key}`);
    else if (amount === undefined) missing.add(`how much there is of ${table} ${key}, which is not known of ${called}`);
    sum = sum === undefined || price === undefined || amount === undefined ? undefined : rounded(sum + price * amount);
  }
  return sum;
}

function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}
