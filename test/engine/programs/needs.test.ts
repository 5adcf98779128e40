import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";

/** What a program makes beside what needs it, and what it makes first: the preview tells them apart by what the program passes and names. */

const program = (team: string, nodes: string) => `
import { Cluster, ClusterEndpoint, Namespace, NodePool, RegistryInstance, Repository, SecurityGroup, ServiceAccount, Subnet, Vpc } from "@container-platform/pulumi";
const { registryId } = new RegistryInstance("images", { registryName: "acme-images" });
const team = new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
const actions = ["reg:PullRepository"];
const ci = new ServiceAccount("ci", { registryId, name: "ci", permissions: [{ resource: team.namespaceName, actions }] });
new Repository("web", { registryId, repositoryName: "web", ${team} });
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
const { clusterId } = new Cluster("platform", { vpcId, subnetId, clusterCidr: "172.16.0.0/16" });
const native = { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 };
const pool = new NodePool("workers", { clusterId, native });
const { securityGroupId: securityGroup } = new SecurityGroup("access", {});
new ClusterEndpoint("public", { clusterId, isExtranet: true, securityGroup, ${nodes} });
`;

test("what nothing has wait for what it needs is refused, and what has passes", async () => {
  await using stack = await Stack.create({ program: program('namespaceName: "team"', "") });
  const { output } = await stack.fails("preview");
  expect(output).toMatch(/namespaceName: registry "images" has no namespace team: name one that is there/);
  const passing = [
    ["namespaceName: team.namespaceName", "nodePoolIds: [pool.nodePoolId]"],
    ['namespaceName: "team" }, { dependsOn: ci', "}, { dependsOn: [pool] "],
    ['namespaceName: "team" }, { parent: team', "domain: pool.nodePoolId.apply(() => 'api.acme.example')"],
  ] as const;
  for (const [team, nodes] of passing) {
    stack.write(program(team, nodes));
    await stack.preview();
  }
});

test("an endpoint that nothing has wait for the node pool of its cluster waits for it all the same", async () => {
  await using stack = await Stack.create({ program: program("namespaceName: team.namespaceName", "") });
  await stack.preview();
  await stack.up();
});
