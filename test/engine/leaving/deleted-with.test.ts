import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

test("the option deletedWith is warned of where the platform does not delete the one with the other", async () => {
  await using stack = await Stack.create({
    program: `import { Cluster, NodePool, RegistryInstance, SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";

const vpc = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/20" }, { deletedWith: vpc });
const cluster = new Cluster("main", { vpcId: vpc.vpcId, subnetId, eniSubnetIds: [subnetId] });
const other = new Cluster("other", { vpcId: vpc.vpcId, subnetId, eniSubnetIds: [subnetId] });
const registry = new RegistryInstance("images", { registryName: "deleted-with" });
new SecurityGroup("outside", {}, { deletedWith: registry });
const native = {
  subnetIds: [subnetId],
  instanceTypes: ["SA5.MEDIUM4"],
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  replicas: 1,
};
new NodePool("inside", { clusterId: cluster.clusterId, native }, { deletedWith: cluster });
new NodePool("elsewhere", { clusterId: cluster.clusterId, native }, { deletedWith: other });
`,
  });
  const { stdout } = await stack.preview();
  const said = [...stdout.matchAll(/warning: deletedWith: when (\w+ "\w+") is deleted, Pulumi only forgets this one/g)].map(
    ([, one]) => one,
  );
  expect([...new Set(said)].toSorted()).toEqual(['Cluster "other"', 'RegistryInstance "images"', 'Vpc "net"']);
});
