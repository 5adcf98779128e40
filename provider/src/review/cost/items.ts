import type { KindName } from "../../resources/reviews.ts";
import { type Fields, isFields, isList, isText, type Value } from "../plan/values.ts";
import type { Table } from "./prices.ts";

/** Something that is paid every month. */
export interface Item {
  readonly table: Table;
  /** What the table has a price for; `undefined` if the program does not say it, or it is not known yet. */
  readonly key: string | undefined;
  /** How many of them; `undefined` if it is not known. */
  readonly amount: number | undefined;
}

/** What is paid of a resource, by its inputs. Kinds that are not here have no price of their own. */
export const itemsOf: Partial<Readonly<Record<KindName, (inputs: Fields) => readonly Item[]>>> = {
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
