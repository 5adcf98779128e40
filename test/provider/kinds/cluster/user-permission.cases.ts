import * as cluster from "@container-platform/sdk/cluster";
import { changeInPlace } from "../../../review/previews.ts";
import { unknown } from "../../../support/structs.ts";
import { type Drifts, unnoticed } from "../../every-kind/drift-law.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type KindCases, type Site } from "../kind-cases.ts";
import { idsOfTable } from "../world-ids.ts";

const { create } = judging("UserPermission");

function drifts({ stage, clusterId }: Place): Drifts {
  const { cloud } = stage;
  const targetUin = "100000000002";
  const whole = { targetUin, clusterId, roleName: "svc:ro", roleType: "cluster" };
  const part = { targetUin, clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" };
  const gone = { shows: "gone", repairs: ["GrantUserPermissions"] } as const;
  const inId = "is a part of the id";
  const revoked = (roleName: string, namespace?: string) => () =>
    cloud.call(cluster.deleteUserPermissions, {
      targetUin,
      permissions: [{ clusterId, roleName, roleType: namespace === undefined ? "cluster" : "namespace", namespace, isCustom: false }],
    });
  return {
    unread: { targetUin: inId, clusterId: inId, roleType: inId },
    cases: [
      { input: "roleName", how: "which is taken away", from: whole, byHand: revoked("svc:ro"), ...gone },
      { input: "namespace", how: "in which it is taken away", from: part, byHand: revoked("svc:ns:dev", "team"), ...gone },
      unnoticed(
        "namespace",
        "beside which another is given",
        { targetUin, clusterId, roleName: "svc:ns:ro", roleType: "namespace", namespace: "team" },
        async () => {
          const { permissions } = await cloud.call(cluster.describeUserPermissions, { targetUin });
          const other = { clusterId, roleName: "svc:ns:ro", roleType: "namespace" as const, namespace: "other" };
          const all = [...permissions.map(({ namespace, ...one }) => ({ ...one, namespace: namespace || undefined })), other];
          await stage.before(
            () => cloud.call(cluster.grantUserPermissions, { targetUin, permissions: all }),
            revoked("svc:ns:ro", "other"),
          );
        },
      ),
    ],
  };
}

const within = { targetUin: "100000000002", clusterId: "cls-1", roleName: "svc:ns:dev", roleType: "namespace" };

/** One permission in a namespace, one in the whole cluster, of two users. */
async function site({ cloud, idOf }: Site): Promise<readonly string[]> {
  const clusterId = idOf("Cluster");
  const give = async (targetUin: string, roleName: string, namespace?: string) => {
    const { permissions } = await cloud.call(cluster.describeUserPermissions, { targetUin });
    const roleType = namespace === undefined ? ("cluster" as const) : ("namespace" as const);
    await cloud.call(cluster.grantUserPermissions, {
      targetUin,
      permissions: [
        ...permissions.map((one) => ({
          clusterId: one.clusterId,
          roleName: one.roleName,
          roleType: one.roleType,
          namespace: one.namespace || undefined,
        })),
        { clusterId, roleName, roleType, namespace },
      ],
    });
    return `${targetUin}/${clusterId}/${roleType}/${namespace ?? "-"}/${roleName}`;
  };
  return [await give("100000000002", "svc:ns:dev", "team"), await give("100000000003", "svc:ro")];
}

export const cases: KindCases = {
  drifts,
  creates: { operation: cluster.grantUserPermissions },
  killed: {
    keyed: ({ stage, clusterId }) => {
      const { cloud } = stage;
      const targetUin = "100000000002";
      const one = { clusterId, roleName: "svc:ns:dev", roleType: "namespace" as const, namespace: "team" };
      return {
        args: { targetUin, ...one },
        id: `${targetUin}/${clusterId}/namespace/team/svc:ns:dev`,
        count: async () => (await cloud.call(cluster.describeUserPermissions, { targetUin })).permissions.length,
        byHand: () => cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [{ ...one, isCustom: false }] }),
        undo: () => cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [] }),
      };
    },
  },
  site,
  idsIn: idsOfTable("permissions", ({ id }) => id.replace("/cluster//", "/cluster/-/")),
  program: {
    one: () =>
      `new UserPermission("team", { targetUin: "100000000002", clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" });`,
    further: `new UserPermission("all", { targetUin: "100000000002", clusterId, roleName: "svc:ro", roleType: "cluster" });`,
  },
  random: {
    template: {
      needs: { cluster: "Cluster" },
      replaces: true,
      args: ({ place }, refer) => ({
        targetUin: "100000000002",
        clusterId: refer("cluster", "clusterId"),
        roleName: "svc:ns:dev",
        roleType: "namespace",
        namespace: `place-${place}`,
      }),
    },
    renamed: { exempt: "has no name" },
    deleted: { exempt: "drift.test.ts takes it away by hand" },
    imported: { exempt: "would need a cluster that was made by hand, too" },
  },
  judged: {
    "a new permission of which the role is not known": create({ roleName: unknown }, ["undecided"]),
    "a new permission in a cluster that is there": create({ ...within, namespace: "shop" }, ["access-opened"], {
      says: "100000000002 gets svc:ns:dev in shop in cls-1",
    }),
    "a new permission in a new cluster": create({ roleName: "svc:ro", clusterId: unknown }, []),
    "a permission narrowed": {
      step: { ...changeInPlace("UserPermission", { roleName: "svc:admin" }, { roleName: "svc:ro" }), op: "replace", because: ["roleName"] },
      codes: ["access-narrowed"],
      undo: "yes",
    },
  },
};
