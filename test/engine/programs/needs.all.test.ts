/** Only the real engine tells what a program makes beside what needs it, and what it makes first. */
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

/** `wrong`: a repository that waits for nothing. Each endpoint waits for the pool of its cluster in a way of its own, and the last one in none. */
const program = (wrong: string) => `
import { Cluster, ClusterEndpoint, Namespace, NodePool, RegistryInstance, Repository, SecurityGroup, ServiceAccount, Subnet, Vpc } from "@container-platform/pulumi";
const { registryId } = new RegistryInstance("images", { registryName: "acme-images" });
const team = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
const actions = ["reg:PullRepository"];
const ci = new ServiceAccount("ci", { registryId, name: "ci", permissions: [{ resource: team.namespaceName, actions }] });
new Repository("web", { registryId, repositoryName: "web", namespaceName: team.namespaceName });
new Repository("api", { registryId, repositoryName: "api", namespaceName: "team" }, { dependsOn: ci });
new Repository("job", { registryId, repositoryName: "job", namespaceName: "team" }, { parent: team });
${wrong}
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
const { securityGroupId: securityGroup } = new SecurityGroup("access", {});
const native = { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 };
const ways = [
  (pool) => [{ nodePoolIds: [pool.nodePoolId] }],
  (pool) => [{}, { dependsOn: [pool] }],
  (pool) => [{ domain: pool.nodePoolId.apply(() => "api.acme.example") }],
  () => [{}],
];
for (const [index, way] of ways.entries()) {
  const { clusterId } = new Cluster("platform-" + index, { vpcId, subnetId, clusterCidr: "172." + (16 + index) + ".0.0/16" });
  const [args, options] = way(new NodePool("workers-" + index, { clusterId, native }));
  new ClusterEndpoint("public-" + index, { clusterId, isExtranet: true, securityGroup, ...args }, options);
}
`;

test("a repository that waits for no namespace is refused, and what waits, or is an endpoint of a cluster with a pool, passes and is made", async () => {
  await using stack = await Stack.create({
    program: program('new Repository("lost", { registryId, repositoryName: "lost", namespaceName: "team" });'),
  });
  const { output } = await stack.fails("preview");
  expect(output).toMatch(/namespaceName: namespace team not found in registry "images"\. Use an existing one\./);
  stack.write(program(""));
  await stack.preview();
  await stack.up();
});
