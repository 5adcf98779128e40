import * as cluster from "@container-platform/sdk/cluster";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeCluster, makeNetwork, makeRole } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a UserPermission does when it changes and when it is taken out. */
async function userPermissionTable(stage: Stage): Promise<Table> {
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

  const base = { targetUin, clusterId, roleName: "svc:ro", roleType: "cluster" };
  const inside = { ...base, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" };
  const replaced = ["GrantUserPermissions", "GrantUserPermissions"];
  return {
    type: "UserPermission",
    inputs: ["targetUin", "clusterId", "roleName", "roleType", "namespace"],
    base,
    creates: ["GrantUserPermissions"],
    full: inside,
    createsFull: ["GrantUserPermissions"],
    deletes: ["GrantUserPermissions"],
    changes: [
      { of: "targetUin", to: { targetUin: "100000000003" }, does: "replace", calls: replaced },
      { of: "clusterId", to: { clusterId: other }, does: "replace", calls: replaced },
      { of: "roleName", to: { roleName: "svc:dev" }, does: "replace", calls: replaced },
      { of: "roleName, to a custom one", to: { roleName: "deployer" }, does: "replace", calls: replaced },
      {
        of: "roleType",
        from: { ...inside, roleName: "deployer" },
        to: { roleType: "cluster", namespace: undefined },
        does: "replace",
        calls: replaced,
      },
      { of: "namespace", from: inside, to: { namespace: "crew" }, does: "replace", calls: replaced },
    ],
    refusals: [
      {
        of: "a role of a namespace, without one",
        from: inside,
        to: { namespace: undefined },
        says: "namespace: is required for svc:ns:dev",
      },
      { of: "a namespace with a role of the cluster", to: { namespace: "team" }, says: 'namespace: svc:ro with roleType "cluster"' },
      {
        of: "a preset role of the other type",
        to: { roleType: "namespace", namespace: "team" },
        says: "roleType: svc:ro is a role of a cluster",
      },
      { of: "cls", to: { roleType: "cls" }, says: 'roleType: "cls" is not one of cluster, namespace' },
      { of: "ns", to: { roleType: "ns" }, says: 'roleType: "ns" is not one of cluster, namespace' },
    ],
    unknowns: [
      { of: "targetUin", to: { targetUin: unknown }, does: "replace" },
      { of: "clusterId", to: { clusterId: unknown }, does: "replace" },
      { of: "roleName", to: { roleName: unknown }, does: "replace" },
      { of: "roleType", to: { roleType: unknown }, does: "replace" },
      { of: "namespace", to: { namespace: unknown }, does: "replace" },
    ],
    vanish: () => cloud.call(cluster.deleteUserPermissions, { targetUin, permissions: [inside, base].map(itemOf) }),
  };
}

function itemOf({
  clusterId,
  roleName,
  roleType,
  namespace,
}: {
  clusterId: string;
  roleName: string;
  roleType: string;
  namespace?: string;
}) {
  const type = roleType === "namespace" ? "namespace" : "cluster";
  return { clusterId, roleName, roleType: type, ...(namespace !== undefined && { namespace }) } as const;
}

await laws(userPermissionTable);
