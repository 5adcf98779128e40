import * as cluster from "@container-platform/sdk/cluster";
import type { Drifts } from "../../every-kind/drift-law.ts";
import { makeGroup } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";
import type { Network } from "../../drifts/place.ts";

/** The endpoints stand side by side: two of each cluster. */
export const endpointsAtOnce = 6;

export async function clusterEndpointDrifts(
  stage: Stage,
  network: Network,
  clusterIds: readonly [string, string, string],
): Promise<Drifts> {
  const { cloud } = stage;
  const [first, second, third] = clusterIds;
  const [group, otherGroup] = [await makeGroup(stage), await makeGroup(stage)];
  const [subnetId, otherSubnetId] = network.subnetIds;
  const open = (clusterId: string) => ({ clusterId, isExtranet: true, securityGroup: group });
  const inside = (clusterId: string) => ({ clusterId, isExtranet: false, subnetId });
  const doorOf = (id: string) => ({ clusterId: id.split("/")[0] ?? "", isExtranet: id.endsWith("/public") });
  const modify = (change: object) => (id: string) =>
    cloud.call(cluster.modifyClusterEndpointSp, { clusterId: doorOf(id).clusterId, ...change });
  /** An access of the same direction in its place. */
  const made = (change: { subnetId?: string; domain?: string; securityGroup?: string }) => async (id: string) => {
    await cloud.call(cluster.deleteClusterEndpoint, doorOf(id));
    await cloud.call(cluster.createClusterEndpoint, { ...doorOf(id), ...change });
  };
  const anew = ["DeleteClusterEndpoint", "CreateClusterEndpoint"];
  const settings = ["ModifyClusterEndpointSP"];
  return {
    type: "ClusterEndpoint",
    unread: {
      clusterId: "is a part of the id",
      isExtranet: "is a part of the id",
      nodePoolIds: "is an order only",
      credentialsVersion: "is the program's own count of what it had rotated",
      renewBefore: "is the program's own",
    },
    cases: [
      {
        input: "securityGroup",
        from: open(first),
        byHand: modify({ securityGroup: otherGroup }),
        shows: { securityGroup: otherGroup },
        repairs: settings,
      },
      {
        input: "allowedCidrBlocks",
        from: { ...open(second), allowedCidrBlocks: ["203.0.113.7", "2001:DB8::/32"] },
        byHand: modify({ securityPolicies: ["192.0.2.1", "2001:db8::/32", "203.0.113.7/32"] }),
        shows: { allowedCidrBlocks: ["203.0.113.7", "2001:DB8::/32", "192.0.2.1"] },
        repairs: settings,
      },
      {
        input: "domain",
        from: { ...open(third), domain: "one.example" },
        byHand: made({ securityGroup: group, domain: "two.example" }),
        shows: { domain: "two.example" },
        tells: ["address", "kubeconfig"],
        plan: "delete-replace",
        repairs: anew,
      },
      {
        input: "subnetId",
        from: inside(first),
        byHand: made({ subnetId: otherSubnetId }),
        shows: { subnetId: otherSubnetId },
        tells: ["address", "kubeconfig"],
        plan: "delete-replace",
        repairs: anew,
      },
      {
        input: "securityGroup",
        how: "of an access from the VPC",
        from: { ...inside(second), securityGroup: group },
        byHand: made({ subnetId, securityGroup: otherGroup }),
        shows: { securityGroup: otherGroup },
        tells: ["address", "kubeconfig"],
        plan: "delete-replace",
        repairs: anew,
      },
      {
        input: "subnetId",
        how: "the same one, made by hand",
        from: inside(third),
        byHand: made({ subnetId, securityGroup: group }),
        tells: ["address", "kubeconfig", "securityGroup"],
      },
      {
        input: "allowedCidrBlocks",
        how: "in another order and spelling",
        from: { ...open(first), allowedCidrBlocks: ["203.0.113.7", "2001:DB8::/32"] },
        byHand: modify({ securityPolicies: ["2001:db8::/32", "203.0.113.7/32"] }),
      },
      {
        input: "allowedCidrBlocks",
        how: "put in where there were none",
        from: open(second),
        byHand: modify({ securityPolicies: ["192.0.2.1"] }),
        shows: { allowedCidrBlocks: ["192.0.2.1"] },
        repairs: settings,
      },
      { input: "allowedCidrBlocks", how: "empty", from: { ...open(third), allowedCidrBlocks: [] } },
      {
        input: "credentialsVersion",
        how: "rotated by somebody else",
        from: { ...inside(first), credentialsVersion: "1", renewBefore: "72h" },
        byHand: (id) => cloud.call(cluster.updateClusterKubeconfig, { clusterId: doorOf(id).clusterId }),
      },
    ],
  };
}

export function userPermissionDrifts(stage: Stage, clusterId: string): Drifts {
  const { cloud } = stage;
  const targetUin = "100000000002";
  const part = "is a part of the id";
  const revoked = (roleName: string, namespace?: string) => () =>
    cloud.call(cluster.deleteUserPermissions, {
      targetUin,
      permissions: [{ clusterId, roleName, roleType: namespace === undefined ? "cluster" : "namespace", namespace, isCustom: false }],
    });
  return {
    type: "UserPermission",
    unread: { targetUin: part, clusterId: part, roleType: part },
    cases: [
      {
        input: "roleName",
        how: "which is taken away",
        from: { targetUin, clusterId, roleName: "svc:ro", roleType: "cluster" },
        byHand: revoked("svc:ro"),
        shows: "gone",
        repairs: ["GrantUserPermissions"],
      },
      {
        input: "namespace",
        how: "in which it is taken away",
        from: { targetUin, clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" },
        byHand: revoked("svc:ns:dev", "team"),
        shows: "gone",
        repairs: ["GrantUserPermissions"],
      },
      {
        input: "namespace",
        how: "beside which another is given",
        from: { targetUin, clusterId, roleName: "svc:ns:ro", roleType: "namespace", namespace: "team" },
        byHand: async () => {
          const { permissions } = await cloud.call(cluster.describeUserPermissions, { targetUin });
          const other = { clusterId, roleName: "svc:ns:ro", roleType: "namespace" as const, namespace: "other" };
          const all = [...permissions.map(({ namespace, ...one }) => ({ ...one, namespace: namespace || undefined })), other];
          await stage.before(
            () => cloud.call(cluster.grantUserPermissions, { targetUin, permissions: all }),
            revoked("svc:ns:ro", "other"),
          );
        },
      },
    ],
  };
}
