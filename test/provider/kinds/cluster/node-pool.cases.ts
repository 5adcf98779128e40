import * as cluster from "@container-platform/sdk/cluster";
import { changeInPlace } from "../../../review/previews.ts";
import { at, unknown } from "../../../support/structs.ts";
import { oneNode } from "../../stage/outside.ts";
import { nodePoolDrifts } from "./node-pool.drifts.ts";
import type { BadInput, Judged, KindCases, Site } from "../kind-cases.ts";
import { password } from "../password.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const clusterId = "cls-1";
const pool = oneNode("subnet-1");
const native = (more: object) => ({ clusterId, native: { ...pool, ...more } });

const refusedSizes: readonly BadInput[] = [
  // What is not known yet keeps no rule about other values from being checked.
  [
    native({ subnetIds: [unknown], replicas: undefined, scaling: { minReplicas: 5, maxReplicas: 2 } }),
    "native.scaling: minReplicas 5 is above maxReplicas 2",
  ],
  [native({ subnetIds: [unknown], replicas: undefined }), "native: takes scaling or replicas: how many nodes there are to be"],
  [native({ replicas: undefined, scaling: { minReplicas: 3, maxReplicas: 2 } }), "native.scaling: minReplicas 3 is above maxReplicas 2"],
  [native({ replicas: 5, scaling: { minReplicas: 1, maxReplicas: 2 } }), "native.replicas: 5 is not within scaling, 1 to 2"],
  [native({ replicas: undefined }), "native: takes scaling or replicas: how many nodes there are to be"],
];

/** What a JavaScript program may get wrong. Secrets are never quoted. */
const refusedShapes: readonly BadInput[] = [
  [native({ systemDisk: { ...pool.systemDisk, sise: 3 } }), "native.systemDisk: has no property sise; it has diskType, diskSize"],
  [
    { clusterId: unknown, native: { ...pool, systemDisk: { diskType: unknown, sise: 3 } } },
    "native.systemDisk: has no property sise; it has diskType, diskSize",
    "native.systemDisk.diskSize: is required",
  ],
  [native({ password: [password] }), "native.password: takes a string, not an array"],
  [native({ management: { pasword: password } }), "native.management: has no property pasword; it has nameservers, hosts, kernelArgs"],
];

/** The pool of a dual-stack cluster scales by itself. */
async function site({ cloud, index, idOf, idsOf }: Site): Promise<readonly string[]> {
  const scales = index % 2 === 1;
  const { nodePoolId } = await cloud.call(cluster.createNodePool, {
    clusterId: idOf("Cluster"),
    name: "workers",
    type: "Native",
    labels: [{ name: "pool", value: "workers" }],
    taints: [{ key: "dedicated", value: "site", effect: "PreferNoSchedule" }],
    native: {
      subnetIds: [...idsOf("Subnet")],
      instanceTypes: ["SA5.MEDIUM4"],
      instanceChargeType: "POSTPAID_BY_HOUR",
      systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
      dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: 100, fileSystem: "ext4", autoFormatAndMount: true }],
      securityGroupIds: [idOf("SecurityGroup")],
      enableAutoscaling: scales,
      scaling: { minReplicas: 1, maxReplicas: scales ? 4 : 1 },
    },
  });
  return [`${idOf("Cluster")}/${nodePoolId}`];
}

const scaling = (maxReplicas: number) => ({ native: { scaling: { minReplicas: 1, maxReplicas } } });
const tainted = (effect: string) => changeInPlace("NodePool", { taints: [] }, { taints: [{ key: "a", effect }] });

const judged: Readonly<Record<string, Judged>> = {
  "more nodes": { step: changeInPlace("NodePool", scaling(3), scaling(5)), codes: [], undo: "yes" },
  "fewer nodes": {
    step: changeInPlace("NodePool", scaling(5), scaling(3)),
    codes: ["interrupts"],
    undo: "partly",
    says: "2 nodes are removed",
  },
  "fewer nodes where the platform scales": {
    step: changeInPlace(
      "NodePool",
      { native: { scaling: { minReplicas: 5, maxReplicas: 8 } } },
      { native: { scaling: { minReplicas: 2, maxReplicas: 8 } } },
    ),
    codes: ["interrupts"],
    undo: "partly",
    says: "the platform may remove up to 6 nodes",
  },
  "scaling switched on": {
    step: changeInPlace(
      "NodePool",
      { native: { replicas: 5, enableAutoscaling: false, scaling: { minReplicas: 1, maxReplicas: 5 } } },
      { native: { enableAutoscaling: true, scaling: { minReplicas: 1, maxReplicas: 5 } } },
    ),
    codes: ["interrupts"],
    says: "the platform may remove up to 4 nodes",
  },
  "new nodes with public addresses": {
    step: { kind: "NodePool", name: "x", op: "create", now: { native: { internetAccessible: { maxBandwidthOut: 10 } } } },
    codes: ["access-opened"],
    says: "public addresses",
  },
  "new nodes without": { step: { kind: "NodePool", name: "x", op: "create", now: { native: { keyIds: [unknown] } } }, codes: [] },
  "a taint that evicts": { step: tainted("NoExecute"), codes: ["interrupts"] },
  "taints that are not known yet": { step: changeInPlace("NodePool", { taints: [] }, { taints: unknown }), codes: ["undecided"] },
  "bounds that are not known yet": {
    step: changeInPlace("NodePool", scaling(5), { native: { scaling: { minReplicas: 1, maxReplicas: unknown } } }),
    codes: ["undecided"],
  },
  "a setting of new nodes": {
    step: changeInPlace("NodePool", { native: { kubeletArgs: ["max-pods=64"] } }, { native: { kubeletArgs: ["max-pods=32"] } }),
    codes: [],
  },
  "a setting of existing nodes": {
    step: changeInPlace(
      "NodePool",
      { native: { kubeletArgs: ["max-pods=64"], updateExistedNode: true } },
      { native: { kubeletArgs: ["max-pods=32"], updateExistedNode: true } },
    ),
    codes: ["interrupts"],
    says: "applies to existing nodes, too",
  },
  "other security groups, of new nodes alone": {
    step: changeInPlace("NodePool", { native: { securityGroupIds: ["sg-1"] } }, { native: { securityGroupIds: ["sg-2"] } }),
    codes: ["access-changed"],
    says: "the nodes that are there keep the old ones",
  },
  "other security groups, which existing nodes do not get with updateExistedNode, either": {
    step: changeInPlace(
      "NodePool",
      { native: { securityGroupIds: ["sg-1"], updateExistedNode: true } },
      { native: { securityGroupIds: ["sg-2"], updateExistedNode: true } },
    ),
    codes: ["access-changed"],
    says: "the nodes that are there keep the old ones",
  },
  "a setting of nodes that nobody has judged": {
    step: changeInPlace("NodePool", { native: { brandNew: 1 } }, { native: { brandNew: 2 } }),
    codes: ["undecided"],
  },
  "a taint that does not": { step: tainted("NoSchedule"), codes: [] },
  "nodes paid in advance": {
    step: changeInPlace("NodePool", { native: {} }, { native: { instanceChargeType: "PREPAID" } }),
    codes: ["irreversible"],
    undo: "no",
  },
};

export const cases: KindCases = {
  drifts: nodePoolDrifts,
  refused: [
    [{ ...native({}), clusterId: "cls-1/np-1" }, 'clusterId: takes the id of a cluster, such as cls-3f8a0c1e, not "cls-1/np-1"'],
    [{ clusterId, native: pool, name: "" }, "name: takes at least 1 character, not 0"],
    [{ clusterId, native: pool, name: "x".repeat(61) }, "name: takes at most 60 characters, not 61"],
    ...refusedSizes,
    [{ clusterId, native: pool, type: "Regular" }, 'type: "Regular" is not one of Native'],
    [native({ instanceChargeType: "PREPAID" }), 'native.instanceChargePrepaid: is required with instanceChargeType "PREPAID"'],
    [
      { clusterId, native: pool, taints: [{ key: "a", value: "b", effect: "Never" }] },
      'taints[0].effect: "Never" is not one of NoSchedule, PreferNoSchedule, NoExecute',
    ],
    [native({ subnetIds: [] }), "native.subnetIds: takes at least 1 entry, not 0"],
    ...refusedShapes,
  ],
  creates: { operation: cluster.createNodePool },
  killed: {
    tagged: ({ stage, clusterId: of, subnetIds: [subnetId] }) => ({
      args: { clusterId: of, native: oneNode(subnetId) },
      count: () => stage.rows("nodePools"),
      beside: true,
      tags: async (id) => {
        const { nodePools } = await stage.cloud.call(cluster.describeNodePools, { clusterId: of });
        return tagRecord(nodePools.find(({ nodePoolId }) => id.endsWith(nodePoolId))?.tags.flatMap((one) => one.tags));
      },
    }),
  },
  secrets: ({ clusterId: of, subnetIds: [subnetId] }) => {
    const secret = { ...oneNode(subnetId), password };
    return {
      args: () => ({ clusterId: of, native: secret }),
      to: { native: { ...secret, autoRepair: true } },
      secret: (props) => [at(props, "native", "password")],
      inputs: true,
    };
  },
  site,
  idsIn: idsOfTable("nodePools", ({ parent, id }) => `${parent}/${id}`),
  program: {
    one: (called) => `const { nodePoolId } = new NodePool("workers", {
  clusterId, name: "${called}", labels: tags,
  native: {
    subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1,
    password: "Pa55-word",
  },
});`,
  },
  random: {
    template: {
      needs: { cluster: "Cluster" },
      replaces: false,
      args: ({ version }, refer) => ({
        clusterId: refer("cluster", "clusterId"),
        native: { ...oneNode(refer("cluster.subnet", "subnetId")), replicas: 1 + (version % 2) },
        labels: version % 3 === 0 ? undefined : { version: `${version}` },
      }),
    },
    renamed: { exempt: "drift.test.ts renames it by hand" },
    deleted: { exempt: "an endpoint needs a running node" },
    imported: { exempt: "would need a cluster that was made by hand, too" },
  },
  judged,
};
