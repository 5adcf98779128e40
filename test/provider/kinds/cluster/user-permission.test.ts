import * as cluster from "@container-platform/sdk/cluster";
import { laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeCluster, makeNetwork, makeRole } from "../../stage/outside.ts";

/** What each input of a UserPermission does when it changes and when it is taken out. */
await laws(async (stage) => {
  const { cloud } = stage;
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const other = await makeCluster(stage, vpcId, subnetIds);
  await makeRole(stage, clusterId, "deployer");
  const targetUin = "100000000002";
  // A grant by hand, which no change of another touches.
  await cloud.call(cluster.grantUserPermissions, {
    targetUin,
    permissions: [{ clusterId, roleName: "svc:ns:ro", roleType: "namespace", namespace: "by-hand" }],
  });

  const role = { clusterId, roleName: "svc:ro", roleType: "cluster" as const };
  const roleInside = { clusterId, roleName: "svc:ns:dev", roleType: "namespace" as const, namespace: "team" };
  const inside = { targetUin, ...roleInside };
  return {
    type: "UserPermission",
    base: { targetUin, ...role },
    creates: ["GrantUserPermissions"],
    full: inside,
    deletes: ["GrantUserPermissions"],
    changes: [
      { to: { targetUin: "100000000003" }, does: "replace" },
      { to: { clusterId: other }, does: "replace" },
      { to: { roleName: "svc:dev" }, does: "replace" },
      { of: "roleName, to a custom one", to: { roleName: "deployer" }, does: "replace" },
      { from: { ...inside, roleName: "deployer" }, to: { roleType: "cluster", namespace: undefined }, does: "replace" },
      { from: inside, to: { namespace: "crew" }, does: "replace" },
    ],
    unknowns: notKnown("replace", ["targetUin", "clusterId", "roleName", "roleType", "namespace"]),
    vanish: () => cloud.call(cluster.deleteUserPermissions, { targetUin, permissions: [roleInside, role] }),
  };
});
