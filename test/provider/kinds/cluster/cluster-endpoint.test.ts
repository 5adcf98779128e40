import * as cluster from "@container-platform/sdk/cluster";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeCluster, makeGroup, makeNetwork, makePool } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a ClusterEndpoint does when it changes and when it is taken out. */
async function clusterEndpointTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [first, second] = subnetIds;
  const [group, otherGroup] = [await makeGroup(stage), await makeGroup(stage)];
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const other = await makeCluster(stage, vpcId, subnetIds);
  const poolId = await makePool(stage, clusterId, first);
  await makePool(stage, other, first);

  const base = { clusterId, isExtranet: true, securityGroup: group };
  const inside = { clusterId, isExtranet: false, subnetId: first };
  const listed = { ...base, allowedCidrBlocks: ["203.0.113.7", "198.51.100.0/24"] };
  const called = { ...base, domain: "one.example" };
  const replaced = ["CreateClusterEndpoint", "DeleteClusterEndpoint"];
  const deletedFirst = ["DeleteClusterEndpoint", "CreateClusterEndpoint"];
  const modify = ["ModifyClusterEndpointSP"];
  return {
    type: "ClusterEndpoint",
    inputs: [
      "clusterId",
      "isExtranet",
      "securityGroup",
      "subnetId",
      "allowedCidrBlocks",
      "domain",
      "nodePoolIds",
      "credentialsVersion",
      "renewBefore",
    ],
    base,
    creates: ["CreateClusterEndpoint"],
    full: {
      ...listed,
      ...called,
      allowedCidrBlocks: ["203.0.113.7/32", "2001:DB8::/32"],
      nodePoolIds: [poolId],
      credentialsVersion: "7",
      renewBefore: "72h",
    },
    notFound: ["credentialsVersion", "nodePoolIds", "renewBefore", "securityGroup"],
    createsFull: ["CreateClusterEndpoint", "ModifyClusterEndpointSP"],
    deletes: ["DeleteClusterEndpoint"],
    changes: [
      { of: "clusterId", to: { clusterId: other }, does: "replace", calls: replaced },
      { of: "isExtranet, to inside", to: { isExtranet: false, subnetId: first }, does: "replace", calls: replaced },
      { of: "securityGroup, outside", to: { securityGroup: otherGroup }, does: "update", calls: modify },
      { of: "securityGroup, inside, put in", from: inside, to: { securityGroup: group }, does: "delete-replace", calls: deletedFirst },
      {
        of: "securityGroup, inside",
        from: { ...inside, securityGroup: group },
        to: { securityGroup: otherGroup },
        does: "delete-replace",
        calls: deletedFirst,
      },
      { of: "subnetId", from: inside, to: { subnetId: second }, does: "delete-replace", calls: deletedFirst },
      { of: "allowedCidrBlocks, put in", to: { allowedCidrBlocks: ["203.0.113.7"] }, does: "update", calls: modify },
      { of: "allowedCidrBlocks", from: listed, to: { allowedCidrBlocks: ["203.0.113.0/24"] }, does: "update", calls: modify },
      {
        of: "allowedCidrBlocks, another order and spelling",
        from: listed,
        to: { allowedCidrBlocks: ["198.51.100.0/24", "203.0.113.7/32"] },
        does: "nothing",
        calls: [],
      },
      { of: "allowedCidrBlocks, taken out", from: listed, to: { allowedCidrBlocks: undefined }, does: "update", calls: modify },
      { of: "allowedCidrBlocks, emptied", from: listed, to: { allowedCidrBlocks: [] }, does: "update", calls: modify },
      { of: "domain, put in", to: { domain: "one.example" }, does: "delete-replace", calls: deletedFirst },
      { of: "domain", from: called, to: { domain: "two.example" }, does: "delete-replace", calls: deletedFirst },
      { of: "domain, inside", from: inside, to: { domain: "one.example" }, does: "delete-replace", calls: deletedFirst },
      { of: "nodePoolIds", to: { nodePoolIds: [poolId] }, does: "nothing", calls: [] },
      {
        of: "nodePoolIds, taken out",
        from: { ...base, nodePoolIds: [poolId] },
        to: { nodePoolIds: undefined },
        does: "nothing",
        calls: [],
      },
      { of: "credentialsVersion", from: { ...base, credentialsVersion: "1" }, to: { credentialsVersion: "2" }, does: "update", calls: [] },
      {
        of: "credentialsVersion, taken out",
        from: { ...base, credentialsVersion: "1" },
        to: { credentialsVersion: undefined },
        does: "update",
        calls: [],
      },
      { of: "renewBefore", to: { renewBefore: "72h" }, does: "update", calls: [] },
      { of: "renewBefore, taken out", from: { ...base, renewBefore: "72h" }, to: { renewBefore: undefined }, does: "update", calls: [] },
    ],
    refusals: [
      { of: "securityGroup, taken out", to: { securityGroup: undefined }, says: "securityGroup: cannot be taken out once it is set" },
      { of: "subnetId, taken out", from: inside, to: { subnetId: undefined }, says: "subnetId: cannot be taken out once it is set" },
    ],
    unknowns: [
      { of: "clusterId", to: { clusterId: unknown }, does: "replace" },
      { of: "isExtranet", to: { isExtranet: unknown }, does: "replace" },
      { of: "securityGroup, outside", to: { securityGroup: unknown }, does: "update" },
      { of: "securityGroup, inside", from: inside, to: { securityGroup: unknown }, does: "delete-replace" },
      { of: "subnetId", from: inside, to: { subnetId: unknown }, does: "delete-replace" },
      { of: "allowedCidrBlocks", to: { allowedCidrBlocks: unknown }, does: "update" },
      { of: "one of allowedCidrBlocks", to: { allowedCidrBlocks: ["203.0.113.7", unknown] }, does: "update" },
      { of: "domain", to: { domain: unknown }, does: "delete-replace" },
      { of: "nodePoolIds", to: { nodePoolIds: unknown }, does: "nothing" },
      { of: "one of nodePoolIds", to: { nodePoolIds: [unknown] }, does: "nothing" },
      { of: "credentialsVersion", to: { credentialsVersion: unknown }, does: "update" },
      { of: "renewBefore", to: { renewBefore: unknown }, does: "update" },
    ],
    vanish: () => cloud.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet: true }),
  };
}

await laws(clusterEndpointTable);
