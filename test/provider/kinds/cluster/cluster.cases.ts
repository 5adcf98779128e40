import * as cluster from "@container-platform/sdk/cluster";
import { putInstance } from "@container-platform/sdk/local";
import { tagsOf } from "../../../lifecycle/template.ts";
import { at } from "../../../support/structs.ts";
import { region } from "../../stage/stage.ts";
import { clusterDrifts } from "./cluster.drifts.ts";
import { judging, type Judged, type KindCases, type Site } from "../kind-cases.ts";
import { password } from "../password.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create, remove } = judging("Cluster");

/** Every other cluster is dual-stack, and has a machine of its own. */
async function site({ cloud, world, index, idOf, idsOf }: Site): Promise<readonly string[]> {
  const isDualStack = index % 2 === 1;
  const vpcId = idOf("Vpc");
  const [subnetId = "", ...others] = idsOf("Subnet");
  const { clusterId } = await cloud.call(cluster.createCluster, {
    clusterBasicSettings: { clusterName: `site-${index}`, vpcId, subnetId, clusterVersion: index % 3 === 0 ? undefined : "1.30.0" },
    clusterCidrSettings: isDualStack ? { eniSubnetIds: others } : { clusterCidr: "172.16.0.0/16" },
    clusterAdvancedSettings: isDualStack ? { networkType: "VPC-CNI", isDualStack } : { deletionProtection: true },
  });
  if (isDualStack) {
    const machine = await putInstance(world, { region: cloud.region, vpcId, subnetId, ipv6: true });
    await cloud.call(cluster.addExistedInstances, { clusterId, instanceIds: [machine] });
  }
  return [clusterId];
}

const judged: Readonly<Record<string, Judged>> = {
  "rotated credentials": update({ credentialsVersion: "1" }, { credentialsVersion: "2" }, ["interrupts"], { undo: "no" }),
  "protection on": update({ deletionProtection: false }, { deletionProtection: true }, []),
  "protection taken out of the program": update({ deletionProtection: true }, {}, ["safeguard-weakened"]),
  "machines that join": update({}, { existingInstances: [{ instanceIds: ["ins-1"] }] }, ["irreversible"], {
    undo: "no",
    says: "are reinstalled",
  }),
  "a new cluster that machines join": create({ existingInstances: [{ instanceIds: ["ins-1"] }] }, ["irreversible"], {
    says: "are reinstalled",
  }),
  "pods in more subnets": update({ eniSubnetIds: ["subnet-1"] }, { eniSubnetIds: ["subnet-1", "subnet-2"] }, ["irreversible"], {
    undo: "no",
  }),
  "a higher level": update({ clusterLevel: "L5" }, { clusterLevel: "L200" }, []),
  "a lower level": update({ clusterLevel: "L200" }, { clusterLevel: "L5" }, ["interrupts"]),
  "nodes destroyed with the cluster": update({ instanceDeleteMode: "retain" }, { instanceDeleteMode: "terminate" }, ["safeguard-weakened"]),
  "a protected cluster deleted": remove({ deletionProtection: true }, ["protected", "deletes"], { undo: "no" }),
  "nodes kept when the cluster goes": remove({ instanceDeleteMode: "retain" }, ["deletes"], { says: "the nodes are kept" }),
};

export const cases: KindCases = {
  drifts: clusterDrifts,
  creates: { operation: cluster.createCluster },
  killed: {
    tagged: ({ stage, vpcId, subnetIds }) => ({
      args: { vpcId, subnetId: subnetIds[0], eniSubnetIds: [...subnetIds] },
      count: () => stage.rows("clusters"),
      beside: true,
      tags: async (id) => {
        const { clusters } = await stage.cloud.call(cluster.describeClusters, { clusterIds: [id] });
        return tagRecord(clusters[0]?.tagSpecification.flatMap((one) => one.tags));
      },
    }),
  },
  secrets: ({ stage, vpcId, subnetIds: [subnetId] }) => ({
    // It takes in a machine, which goes with it.
    args: async () => {
      const machine = await putInstance(stage.world, { region, vpcId, subnetId, imageId: "img-custom01" });
      const existingInstances = [{ instanceIds: [machine], loginSettings: { password } }];
      return { vpcId, subnetId, clusterCidr: "172.16.0.0/16", existingInstances };
    },
    to: { clusterDescription: "changed" },
    secret: (props) => [at(props, "existingInstances", 0, "loginSettings", "password")],
    inputs: true,
  }),
  site,
  idsIn: idsOfTable("clusters"),
  program: {
    one: (called) => `const { clusterId } = new Cluster("platform", {
  clusterName: "${called}", vpcId, subnetId, eniSubnetIds: [subnetId], isDualStack: true, tags,
});`,
    further: `new Cluster("ranged", { vpcId, subnetId, clusterCidr: "172.20.0.0/16", clusterVersion: "1.30.0", clusterLevel: "L20" });`,
  },
  random: {
    template: {
      needs: { subnet: "Subnet" },
      replaces: true,
      args: ({ version, place: number }, refer) => ({
        vpcId: refer("subnet.vpc", "vpcId"),
        subnetId: refer("subnet", "subnetId"),
        // A range of pods of its own could not be there twice, and a new cluster comes before the old one goes.
        eniSubnetIds: [refer("subnet", "subnetId")],
        serviceCidr: `172.${16 + ((number >> 2) % 16)}.${(number % 4) * 64}.0/18`,
        clusterDescription: `version ${version}`,
        tags: tagsOf(version),
      }),
    },
    renamed: { exempt: "drift.test.ts renames it by hand" },
    deleted: { exempt: "its pools and endpoints, which are in the program, would go with it" },
    imported: { exempt: "would need a network that was made by hand, too" },
  },
  judged,
};
