import * as cluster from "@container-platform/sdk/cluster";
import { at, unknown } from "../../../support/structs.ts";
import { oneNode } from "../../stage/outside.ts";
import { nodePoolDrifts } from "./node-pool.drifts.ts";
import { judging, type Judged, type KindCases, type Site } from "../kind-cases.ts";
import { password } from "../password.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create } = judging("NodePool");

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
const tainted = (effect: string, codes: Judged["codes"]) => update({ taints: [] }, { taints: [{ key: "a", effect }] }, codes);

const judged: Readonly<Record<string, Judged>> = {
  "more nodes": update(scaling(3), scaling(5), [], { undo: "yes" }),
  "fewer nodes": update(scaling(5), scaling(3), ["interrupts"], { undo: "partly", says: "2 nodes are removed" }),
  "fewer nodes where the platform scales": update(
    { native: { scaling: { minReplicas: 5, maxReplicas: 8 } } },
    { native: { scaling: { minReplicas: 2, maxReplicas: 8 } } },
    ["interrupts"],
    { undo: "partly", says: "the platform may remove up to 6 nodes" },
  ),
  "scaling switched on": update(
    { native: { replicas: 5, enableAutoscaling: false, scaling: { minReplicas: 1, maxReplicas: 5 } } },
    { native: { enableAutoscaling: true, scaling: { minReplicas: 1, maxReplicas: 5 } } },
    ["interrupts"],
    { says: "the platform may remove up to 4 nodes" },
  ),
  "new nodes with public addresses": create({ native: { internetAccessible: { maxBandwidthOut: 10 } } }, ["access-opened"], {
    says: "public addresses",
  }),
  "new nodes without": create({ native: { keyIds: [unknown] } }, []),
  "a taint that evicts": tainted("NoExecute", ["interrupts"]),
  "taints that are not known yet": update({ taints: [] }, { taints: unknown }, ["undecided"]),
  "bounds that are not known yet": update(scaling(5), { native: { scaling: { minReplicas: 1, maxReplicas: unknown } } }, ["undecided"]),
  "a setting of new nodes": update({ native: { kubeletArgs: ["max-pods=64"] } }, { native: { kubeletArgs: ["max-pods=32"] } }, []),
  "a setting of existing nodes": update(
    { native: { kubeletArgs: ["max-pods=64"], updateExistedNode: true } },
    { native: { kubeletArgs: ["max-pods=32"], updateExistedNode: true } },
    ["interrupts"],
    { says: "applies to existing nodes, too" },
  ),
  "other security groups, of new nodes alone": update(
    { native: { securityGroupIds: ["sg-1"] } },
    { native: { securityGroupIds: ["sg-2"] } },
    ["access-changed"],
    { says: "the nodes that are there keep the old ones" },
  ),
  "other security groups, which existing nodes do not get with updateExistedNode, either": update(
    { native: { securityGroupIds: ["sg-1"], updateExistedNode: true } },
    { native: { securityGroupIds: ["sg-2"], updateExistedNode: true } },
    ["access-changed"],
    { says: "the nodes that are there keep the old ones" },
  ),
  "a setting of nodes that nobody has judged": update({ native: { brandNew: 1 } }, { native: { brandNew: 2 } }, ["undecided"]),
  "a taint that does not": tainted("NoSchedule", []),
  "nodes paid in advance": update({ native: {} }, { native: { instanceChargeType: "PREPAID" } }, ["irreversible"], { undo: "no" }),
};

export const cases: KindCases = {
  drifts: nodePoolDrifts,
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
