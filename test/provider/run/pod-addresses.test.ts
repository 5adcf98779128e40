import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { makeClusterWith, makeGrCluster, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** The pods of a full pool need IP addresses: 27 on a node of this type, and one for the node. */

const stage = await sharedStage();
const { nextRun, said, warnings } = runsOf(stage);
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const [elsewhere, apart] = [await makeSubnet(stage, vpcId, "10.0.8.0/24", 3), await makeSubnet(stage, vpcId, "10.0.9.0/24")];
// 61 addresses each: two nodes.
const [first, second] = [await makeSubnet(stage, vpcId, "10.0.0.0/26"), await makeSubnet(stage, vpcId, "10.0.1.0/26", 2)];
const clusterId = await makeClusterWith(stage, {
  clusterCidrSettings: { eniSubnetIds: [first, second] },
  clusterBasicSettings: { vpcId, subnetId: elsewhere },
  clusterAdvancedSettings: { networkType: "VPC-CNI" },
});
const routed = await makeGrCluster(stage, vpcId, elsewhere);

const remedies = (most: number) => `.
  - Set it to ${most} or less.
  - Or use larger subnets, or add subnets to eniSubnetIds of the cluster.
  - Or limit the pods of a node with native.kubeletArgs: ["max-pods=…"].`;
const pool = (native: Props, subnetIds: readonly unknown[] = [first, second]): Props => ({
  clusterId,
  native: { ...oneNode(first), subnetIds, ...native },
});

/** What the preview of a pool warns of. */
async function warned(args: Props, options: Props = {}, before: () => Promise<unknown> = nextRun): Promise<readonly string[]> {
  await before();
  expect(await said("NodePool", args, options, "workers")).toBe("create");
  return warnings();
}

const needs = (nodes: number, pods: number) => `${nodes} nodes of "workers" with up to ${pods} pods each need more IP addresses than`;

test.each<[of: string, native: Props, subnetIds: readonly unknown[] | undefined, says: RegExp | undefined]>([
  ["as many nodes as fit in one zone", { replicas: 2 }, undefined, undefined],
  [
    "more",
    { replicas: 3 },
    undefined,
    /^native\.replicas: 3 nodes .* subnet-\w+ has \(6\d free\): 2 fit in eu-frankfurt-\d, if the platform/,
  ],
  [
    "more than fit in both",
    { replicas: 5 },
    undefined,
    /^native\.replicas: 5 .* (subnet-\w+) and (subnet-\w+) have \(12\d free\): 4 fit\./,
  ],
  ["by the maximum", { scaling: { minReplicas: 0, maxReplicas: 9 } }, undefined, /^native\.scaling\.maxReplicas: 9 nodes .*: 4 fit\./],
  ["whose number is fixed", { scaling: { minReplicas: 0, maxReplicas: 9 }, enableAutoscaling: false, replicas: 2 }, undefined, undefined],
  ["with fewer pods on a node", { replicas: 5, kubeletArgs: ["max-pods=10"] }, undefined, undefined],
  ["of the type that takes more", { replicas: 5, instanceTypes: ["SA5.2XLARGE32", "SA5.SMALL2"] }, undefined, undefined],
  ["in a subnet without pods, with pods beside it", { replicas: 2 }, [apart], undefined],
  ["in such a one, with more", { replicas: 3 }, [apart], /^native\.replicas: 3 nodes .*: 2 fit\.\n/],
  ["in a zone without a pod subnet, which takes all of them", { replicas: 4 }, [elsewhere], undefined],
  ["of an unknown type", { replicas: 5, instanceTypes: [unknown] }, undefined, undefined],
  ["in an unknown subnet", { replicas: 5 }, [first, unknown], undefined],
  ["of an unknown number", { replicas: unknown }, undefined, undefined],
])("%s", async (_, native, subnetIds, says) => {
  expect(await warned(pool(native, subnetIds))).toEqual(says ? [expect.stringMatching(says)] : []);
});

test("the warning says what to do", async () => {
  const [text = ""] = await warned(pool({ replicas: 5 }));
  expect(text).toContain(needs(5, 27));
  expect(text.endsWith(`: 4 fit${remedies(4)}`)).toBe(true);
});

test("pods of a cluster with a CIDR block of their own take none", async () => {
  expect(await warned({ ...pool({ replicas: 50 }), clusterId: routed })).toEqual([]);
});

test("of a cluster and subnets of the program, the program says where pods are, and how large", async () => {
  const of = (sources: Readonly<Record<string, string>>) => ({ __of: sources });
  const planned = async () => {
    await nextRun();
    const inVpc = { vpcId, cidrBlock: "10.0.16.0/26", zone: "eu-frankfurt-3" };
    await said("Subnet", inVpc, {}, "pods");
    const network = { vpcId, subnetId: elsewhere, networkType: "VPC-CNI", eniSubnetIds: [unknown] };
    await said("Cluster", network, of({ "eniSubnetIds.0": urnOf("Subnet", "pods") }), "platform");
  };
  const sources = of({ clusterId: urnOf("Cluster", "platform"), "native.subnetIds.0": urnOf("Subnet", "pods") });
  const there = (native: Props) => ({ ...pool(native, [unknown]), clusterId: unknown });
  expect(await warned(there({ replicas: 2 }), sources, planned)).toEqual([]);
  expect(await warned(there({ replicas: 3 }), sources, planned)).toEqual([
    `native.replicas: ${needs(3, 27)} "pods" has (61 free): 2 fit${remedies(2)}`,
  ]);
});

test("the nodes that exist have their addresses, and what does not change the pool's size is not counted", async () => {
  await nextRun();
  const sized = (replicas: number, more: Props = {}) =>
    pool({ replicas, scaling: { minReplicas: 0, maxReplicas: 9 }, enableAutoscaling: false, ...more });
  const full = sized(1);
  await using one = await stage.deployed("NodePool", full, "workers");
  expect(warnings()).toEqual([]);
  await nextRun();
  await one.preview({ ...full, labels: { team: "a" } });
  expect(warnings()).toEqual([]);
  await nextRun();
  await one.preview(sized(1, { instanceTypes: ["SA5.LARGE8", "SA5.MEDIUM4"] }));
  await nextRun();
  await one.preview(sized(3));
  expect(warnings()).toEqual([]);
  await nextRun();
  await one.preview(sized(6));
  expect(warnings()).toEqual([expect.stringMatching(/^native\.scaling\.maxReplicas: 6 nodes .*: 5 fit\./)]);
});
