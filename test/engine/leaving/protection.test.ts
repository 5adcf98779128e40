/** Only the real engine shows whom Pulumi protects, and in which order it deletes what is inside of what `deletionProtection` protects. */

import { expect, test } from "vitest";
import { nameOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const network = `
import { Cluster, ClusterEndpoint, Namespace, NodePool, RegistryInstance, Subnet, UserPermission, Vpc } from "@container-platform/pulumi";
import { output } from "@pulumi/pulumi";
const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
`;

/** A protected cluster with a pool as its child, a permission and access, and registries: one with a namespace, and two that Pulumi does not protect. */
const program = (deletionProtection: boolean): string => `${network}
const deletionProtection = ${deletionProtection};
const cluster = new Cluster("platform", { vpcId, subnetId, clusterCidr: "172.16.0.0/16", deletionProtection });
const native = { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 };
const { clusterId } = cluster;
const { nodePoolId } = new NodePool("child", { clusterId, native }, { parent: cluster });
new ClusterEndpoint("internal", { clusterId, isExtranet: false, subnetId, nodePoolIds: [nodePoolId] });
new UserPermission("auditor", { targetUin: "100000000002", clusterId, roleName: "svc:ro", roleType: "cluster" });
const images = (name, protection, options) =>
  new RegistryInstance(name, { registryName: name + "-images", deletionProtection: protection, deleteBucket: true }, options);
const { registryId } = images("protected", deletionProtection, {});
new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
images("own", deletionProtection, { protect: false });
images("hidden", output(deletionProtection), {});
`;

test("a protected cluster and registry keep what is in them whatever the engine is asked to do, until the program lifts that", async () => {
  await using stack = await Stack.create({ program: program(true) });
  const protectedByPulumi = async () => (await stack.resources()).flatMap(({ urn, protect }) => (protect === true ? [nameOf(urn)] : []));
  await stack.up();
  expect((await protectedByPulumi()).toSorted()).toEqual(["Cluster platform", "RegistryInstance protected"]);
  const made = stack.leftovers();

  stack.write(network);
  expect((await stack.fails("preview")).output).toContain("protect");
  const { output } = await stack.failingUp("--continue-on-error");
  // The pool is not reached: the access, which is refused, needs it.
  for (const inside of ["ClusterEndpoint cls", "UserPermission 1", "Namespace tcr"])
    expect(output).toMatch(
      new RegExp(`deleting ${inside}\\S+: not deleted: it belongs to \\w+ (cls|tcr)-\\w+, which has deletionProtection on\\.`),
    );
  for (const how of ["--refresh", "--run-program", "--ignore-protect"])
    expect((await stack.fails("destroy", "--yes", "--skip-preview", how)).output).toContain(", which has deletionProtection on");
  expect(stack.leftovers()).toEqual(made);

  stack.write(program(false));
  await stack.up();
  expect(await protectedByPulumi()).toEqual([]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
