import type { Outliving } from "../../definition/outliving.ts";
import { isProps, type Props } from "../../schema/values.ts";

/** What is kept of each kind, if a deletion is told to. */
const kept: Readonly<Record<string, string>> = {
  CBS: "what there is of disks of its workloads",
  CLB: "what there is of load balancers of its services",
  CVM: "what there is of its machines",
};

/** What a deletion of a cluster leaves. */
export function outlivingCluster({ instanceDeleteMode, resourceDeleteOptions }: Props): readonly Outliving[] {
  const nodes = { what: "what there is of its nodes, as machines without a cluster,", unless: 'instanceDeleteMode: "terminate"' };
  const options: readonly unknown[] = Array.isArray(resourceDeleteOptions) ? resourceDeleteOptions : [];
  return [
    ...(instanceDeleteMode === "retain" ? [nodes] : []),
    ...Object.entries(kept).flatMap(([type, what]) =>
      options.some((option) => isProps(option) && option["resourceType"] === type && option["deleteMode"] === "retain")
        ? [{ what, unless: `deleteMode: "terminate" for ${type} in resourceDeleteOptions` }]
        : [],
    ),
  ];
}
