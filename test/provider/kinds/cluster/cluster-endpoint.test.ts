import * as cluster from "@container-platform/sdk/cluster";
import { unknown } from "../../../support/structs.ts";
import { inAndOut, laws, notKnown, refusedOnceSet } from "../../every-kind/change-laws.ts";
import { makeCluster, makeGroup, makeNetwork, makePool } from "../../stage/outside.ts";

/** What each input of a ClusterEndpoint does when it changes and when it is taken out. */
await laws(async (stage) => {
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
  const counted = { ...base, credentialsVersion: "1" };
  const does = "delete-replace";
  return {
    type: "ClusterEndpoint",
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
    updates: ["ModifyClusterEndpointSP"],
    deletes: ["DeleteClusterEndpoint"],
    changes: [
      { to: { clusterId: other }, does: "replace" },
      { of: "isExtranet, to inside", to: { isExtranet: false, subnetId: first }, does: "replace" },
      { of: "securityGroup, outside", to: { securityGroup: otherGroup } },
      { of: "securityGroup, inside, put in", from: inside, to: { securityGroup: group }, does },
      { of: "securityGroup, inside", from: { ...inside, securityGroup: group }, to: { securityGroup: otherGroup }, does },
      { from: inside, to: { subnetId: second }, does },
      { to: { allowedCidrBlocks: ["203.0.113.7"] } },
      { from: listed, to: { allowedCidrBlocks: ["203.0.113.0/24"] } },
      {
        of: "allowedCidrBlocks, another order and spelling",
        from: listed,
        to: { allowedCidrBlocks: ["198.51.100.0/24", "203.0.113.7/32"] },
        does: "nothing",
      },
      { from: listed, to: { allowedCidrBlocks: undefined } },
      { of: "allowedCidrBlocks, emptied", from: listed, to: { allowedCidrBlocks: [] } },
      { to: { domain: "one.example" }, does },
      { from: called, to: { domain: "two.example" }, does },
      { of: "domain, inside", from: inside, to: { domain: "one.example" }, does },
      ...inAndOut(base, { nodePoolIds: [poolId] }, { does: "nothing" }),
      { from: counted, to: { credentialsVersion: "2" }, calls: [] },
      { from: counted, to: { credentialsVersion: undefined }, calls: [] },
      ...inAndOut(base, { renewBefore: "72h" }, { calls: [] }),
    ],
    refusals: [...refusedOnceSet(base, "securityGroup"), ...refusedOnceSet(inside, "subnetId")],
    unknowns: [
      ...notKnown("replace", ["clusterId", "isExtranet"]),
      ...notKnown("update", ["securityGroup", "allowedCidrBlocks", "credentialsVersion", "renewBefore"]),
      ...notKnown("delete-replace", ["domain"]),
      ...notKnown("delete-replace", ["securityGroup", "subnetId"], inside),
      ...notKnown("nothing", ["nodePoolIds"]),
      { of: "one of allowedCidrBlocks", to: { allowedCidrBlocks: ["203.0.113.7", unknown] }, does: "update" },
      { of: "one of nodePoolIds", to: { nodePoolIds: [unknown] }, does: "nothing" },
    ],
    vanish: () => stage.cloud.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet: true }),
  };
});
