import * as cluster from "@container-platform/sdk/cluster";
import { putInstance } from "@container-platform/sdk/local";
import { tagsOf } from "../../../lifecycle/template.ts";
import { changeInPlace } from "../../../review/previews.ts";
import { at } from "../../../support/structs.ts";
import { region } from "../../stage/stage.ts";
import { clusterDrifts } from "./cluster.drifts.ts";
import type { BadInput, Judged, KindCases, Site } from "../kind-cases.ts";
import { password } from "../password.ts";
import { tagRecord } from "../tag-record.ts";
import { idsOfTable } from "../world-ids.ts";

const place = { vpcId: "vpc-1", subnetId: "subnet-1" };
const ranged = { ...place, clusterCidr: "172.16.0.0/16" };

const refusedNetworks: readonly BadInput[] = [
  [{ ...ranged, networkType: "GR", isDualStack: true }, 'isDualStack: a dual-stack cluster needs networkType "VPC-CNI", not "GR"'],
  [{ ...place, networkType: "VPC-CNI" }, 'eniSubnetIds: networkType "VPC-CNI" needs at least one subnet for pods'],
  [{ ...place, isDualStack: true }, 'eniSubnetIds: networkType "VPC-CNI" needs at least one subnet for pods'],
  [{ ...place, eniSubnetIds: [] }, "eniSubnetIds: takes at least 1 entry, not 0"],
  [place, 'clusterCidr: networkType "GR" needs a range for pods and services, outside of the VPC\'s'],
  [{ ...ranged, networkType: "CNI" }, 'networkType: "CNI" is not one of GR, VPC-CNI'],
  [{ ...ranged, maxNodePodNum: 8 }, "maxNodePodNum: takes at least 16, not 8"],
];

/** Secrets are never quoted. */
const refusedSecrets: readonly BadInput[] = [
  [
    { ...ranged, existingInstances: [{ instanceIds: ["ins-1"], loginSettings: { password: { value: password } } }] },
    "existingInstances[0].loginSettings.password: takes a string, not an object",
  ],
  [
    { ...ranged, existingInstances: [{ instanceIds: [], loginSettings: { password } }] },
    "existingInstances[0].instanceIds: takes at least 1 entry, not 0",
  ],
];

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
  "rotated credentials": {
    step: changeInPlace("Cluster", { credentialsVersion: "1" }, { credentialsVersion: "2" }),
    codes: ["interrupts"],
    undo: "no",
  },
  "protection on": { step: changeInPlace("Cluster", { deletionProtection: false }, { deletionProtection: true }), codes: [] },
  "protection taken out of the program": {
    step: changeInPlace("Cluster", { deletionProtection: true }, {}),
    codes: ["safeguard-weakened"],
  },
  "machines that join": {
    step: changeInPlace("Cluster", {}, { existingInstances: [{ instanceIds: ["ins-1"] }] }),
    codes: ["irreversible"],
    undo: "no",
    says: "are reinstalled",
  },
  "a new cluster that machines join": {
    step: { kind: "Cluster", name: "x", op: "create", now: { existingInstances: [{ instanceIds: ["ins-1"] }] } },
    codes: ["irreversible"],
    says: "are reinstalled",
  },
  "pods in more subnets": {
    step: changeInPlace("Cluster", { eniSubnetIds: ["subnet-1"] }, { eniSubnetIds: ["subnet-1", "subnet-2"] }),
    codes: ["irreversible"],
    undo: "no",
  },
  "a higher level": { step: changeInPlace("Cluster", { clusterLevel: "L5" }, { clusterLevel: "L200" }), codes: [] },
  "a lower level": { step: changeInPlace("Cluster", { clusterLevel: "L200" }, { clusterLevel: "L5" }), codes: ["interrupts"] },
  "nodes destroyed with the cluster": {
    step: changeInPlace("Cluster", { instanceDeleteMode: "retain" }, { instanceDeleteMode: "terminate" }),
    codes: ["safeguard-weakened"],
  },
  "a protected cluster deleted": {
    step: { kind: "Cluster", name: "x", op: "delete", old: { deletionProtection: true } },
    codes: ["protected", "deletes"],
    undo: "no",
  },
  "nodes kept when the cluster goes": {
    step: { kind: "Cluster", name: "x", op: "delete", old: { instanceDeleteMode: "retain" } },
    codes: ["deletes"],
    says: "the nodes are kept",
  },
};

export const cases: KindCases = {
  drifts: clusterDrifts,
  refused: [
    [{ ...ranged, clusterName: "" }, "clusterName: takes at least 1 character, not 0"],
    [{ ...ranged, clusterName: "x".repeat(61) }, "clusterName: takes at most 60 characters, not 61"],
    ...refusedNetworks,
    [{ ...ranged, clusterType: "MANAGED" }, 'clusterType: "MANAGED" is not one of MANAGED_CLUSTER, INDEPENDENT_CLUSTER'],
    [{ ...ranged, instanceDeleteMode: "keep" }, 'instanceDeleteMode: "keep" is not one of terminate, retain'],
    [{ ...ranged, containerRuntime: "rkt" }, 'containerRuntime: "rkt" is not one of containerd, docker'],
    [{ ...ranged, clusterLevel: "big" }, 'clusterLevel: takes a level such as L5 or L20, not "big"'],
    [{ ...ranged, deletionProtection: "yes" }, "deletionProtection: takes a boolean, not a string"],
    ...refusedSecrets,
  ],
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
