import * as cluster from "@container-platform/sdk/cluster";
import { at, unknown } from "../../../support/structs.ts";
import { type Drifts, setByHand, unnoticed } from "../../every-kind/drift-law.ts";
import { makeCluster, makeGroup, makePool } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type Judged, type KindCases } from "../kind-cases.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create } = judging("ClusterEndpoint");

async function clusterWithNode({ stage, vpcId, subnetIds }: Place): Promise<string> {
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  await makePool(stage, clusterId, subnetIds[0]);
  return clusterId;
}

async function drifts(place: Place): Promise<Drifts> {
  const { stage, clusterId, subnetIds } = place;
  const { cloud } = stage;
  const first = clusterId;
  const [second, third] = [await clusterWithNode(place), await clusterWithNode(place)];
  const [group, otherGroup] = [await makeGroup(stage), await makeGroup(stage)];
  const [subnetId, otherSubnetId] = subnetIds;
  const open = (clusterId: string) => ({ clusterId, isExtranet: true, securityGroup: group });
  const inside = (clusterId: string) => ({ clusterId, isExtranet: false, subnetId });
  const doorOf = (id: string) => ({ clusterId: id.split("/")[0] ?? "", isExtranet: id.endsWith("/public") });
  const modify = (change: object) => (id: string) =>
    cloud.call(cluster.modifyClusterEndpointSp, { clusterId: doorOf(id).clusterId, ...change });
  const addressesOf = async ({ clusterId }: { clusterId: string }) => {
    const { clusterExternalEndpoint, clusterIntranetEndpoint } = await cloud.call(cluster.describeClusterEndpoints, { clusterId });
    return `${clusterExternalEndpoint} ${clusterIntranetEndpoint}`;
  };
  /** An access of the same direction in its place, at another address: a public one is drawn, and may be the same. */
  const made = (change: { subnetId?: string; domain?: string; securityGroup?: string }) => async (id: string) => {
    const before = await addressesOf(doorOf(id));
    do {
      await cloud.call(cluster.deleteClusterEndpoint, doorOf(id));
      await cloud.call(cluster.createClusterEndpoint, { ...doorOf(id), ...change });
    } while ((await addressesOf(doorOf(id))) === before);
  };
  const changed = setByHand(modify, ["ModifyClusterEndpointSP"]);
  const remade = setByHand((change) => made({ subnetId, ...change }), ["DeleteClusterEndpoint", "CreateClusterEndpoint"]);
  // The last case rotates the certificates of both endpoints of its cluster.
  const rotated = { tells: ["kubeconfig", "kubeconfigExpiresAt"] } as const;
  const anew = { tells: ["address", "kubeconfig"], plan: "delete-replace" } as const;
  return {
    // They stand side by side: two of each cluster.
    atOnce: 6,
    unread: {
      clusterId: "is a part of the id",
      isExtranet: "is a part of the id",
      nodePoolIds: "is an order only",
      credentialsVersion: "is the program's own count of what it had rotated",
      renewBefore: "is the program's own",
    },
    cases: [
      changed(open(first), { securityGroup: otherGroup }),
      changed(
        { ...open(second), allowedCidrBlocks: ["203.0.113.7", "2001:DB8::/32"] },
        { allowedCidrBlocks: ["203.0.113.7", "2001:DB8::/32", "192.0.2.1"] },
        { byHand: modify({ securityPolicies: ["192.0.2.1", "2001:db8::/32", "203.0.113.7/32"] }) },
      ),
      remade(
        { ...open(third), domain: "one.example" },
        { domain: "two.example" },
        { byHand: made({ securityGroup: group, domain: "two.example" }), ...anew },
      ),
      remade(inside(first), { subnetId: otherSubnetId }, anew),
      remade({ ...inside(second), securityGroup: group }, { securityGroup: otherGroup }, { how: "of an access from the VPC", ...anew }),
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
        ...rotated,
      },
      changed(
        open(second),
        { allowedCidrBlocks: ["192.0.2.1"] },
        { how: "put in where there were none", byHand: modify({ securityPolicies: ["192.0.2.1"] }) },
      ),
      unnoticed("allowedCidrBlocks", "empty", { ...open(third), allowedCidrBlocks: [] }),
      {
        input: "credentialsVersion",
        how: "rotated by somebody else",
        from: { ...inside(first), credentialsVersion: "1", renewBefore: "72h" },
        byHand: (id) => {
          // The new certificate ends a second later than the old one, at least.
          stage.world.advance(1000);
          return cloud.call(cluster.updateClusterKubeconfig, { clusterId: doorOf(id).clusterId });
        },
        ...rotated,
      },
    ],
  };
}

const halves = ["0.0.0.0/1", "128.0.0.0/1"];
const judged: Readonly<Record<string, Judged>> = {
  "a new endpoint of which is not known whether it is on the internet": create({ isExtranet: unknown }, ["undecided"]),
  "an endpoint for other addresses": update(
    { allowedCidrBlocks: ["203.0.113.7/32"] },
    { allowedCidrBlocks: ["203.0.113.8/32"] },
    ["access-opened", "access-narrowed"],
    { says: "opens the cluster's API to 203.0.113.8/32" },
  ),
  "an endpoint with another group": update({ securityGroup: "sg-1" }, { securityGroup: "sg-2" }, ["access-changed"]),
  "an endpoint whose kubeconfig is read again": update({}, { credentialsVersion: "2" }, []),
  "a new endpoint on the internet": create({ isExtranet: true, allowedCidrBlocks: ["203.0.113.7/32"] }, ["access-opened"], {
    says: "opens the cluster's API on the internet, to 203.0.113.7",
  }),
  "a new endpoint for all of the internet in parts": create({ isExtranet: true, allowedCidrBlocks: halves }, ["access-opened"], {
    says: "opens the cluster's API on the internet, to everyone: 0.0.0.0/1, 128.0.0.0/1",
  }),
  "a new endpoint in the VPC": create({ isExtranet: false }, []),
};

export const cases: KindCases = {
  drifts,
  creates: { operation: cluster.createClusterEndpoint },
  killed: {
    keyed: ({ stage, clusterId, groupId }) => {
      const args = { clusterId, isExtranet: true, securityGroup: groupId };
      return {
        args,
        id: `${clusterId}/public`,
        count: () => stage.rows("clusterEndpoints"),
        byHand: () => stage.cloud.call(cluster.createClusterEndpoint, args),
        undo: () => stage.cloud.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet: true }),
      };
    },
  },
  secrets: ({ clusterId, groupId }) => ({
    args: () => ({ clusterId, isExtranet: true, securityGroup: groupId }),
    to: { allowedCidrBlocks: ["203.0.113.7"] },
    secret: (props) => [at(props, "kubeconfig")],
    inputs: false,
  }),
  site: async ({ cloud, idOf, idsOf }) => {
    const clusterId = idOf("Cluster");
    const [, access] = idsOf("SecurityGroup");
    await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: access });
    await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: false, subnetId: idOf("Subnet") });
    return [`${clusterId}/public`, `${clusterId}/internal`];
  },
  idsIn: idsOfTable("clusterEndpoints"),
  program: {
    one: (called) => `const nodePoolIds = [nodePoolId];
new ClusterEndpoint("public", {
  clusterId, isExtranet: true, securityGroup: securityGroupId, nodePoolIds,
  allowedCidrBlocks: ["${called === "one" ? "203.0.113.7/32" : "203.0.113.8/32"}", "2001:DB8::/32"],
});`,
    further: `new ClusterEndpoint("internal", { clusterId, isExtranet: false, subnetId, nodePoolIds });`,
  },
  random: {
    template: {
      needs: { pool: "NodePool" },
      onceFor: "pool.cluster",
      replaces: true,
      args: ({ version, place }, refer) => ({
        clusterId: refer("pool.cluster", "clusterId"),
        isExtranet: false,
        subnetId: refer("pool.cluster.subnet", "subnetId"),
        domain: `place-${place}.example`,
        nodePoolIds: [refer("pool", "nodePoolId")],
        credentialsVersion: `${version}`,
      }),
    },
    renamed: { exempt: "has no name" },
    deleted: { exempt: "drift.test.ts deletes it by hand" },
    imported: { exempt: "would need a cluster that was made by hand, too" },
  },
  judged,
};
