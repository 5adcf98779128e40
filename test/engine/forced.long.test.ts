import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

/** What the user forces for one resource alone. In the short form, without a cluster, which takes longer. */

const cluster = `
import { Cluster, NodePool, Subnet, UserPermission, Vpc } from "@container-platform/pulumi";

const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
const { clusterId } = new Cluster("platform", { vpcId, subnetId, eniSubnetIds: [subnetId] });
new NodePool("workers", {
  clusterId,
  native: { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 },
});
new UserPermission("auditor", { targetUin: "100000000003", clusterId, roleName: "svc:ro", roleType: "cluster" });
`;

if (isLong)
  test("a cluster that is replaced alone: the run names what went along, and the next up makes it again", async () => {
    await using stack = await Stack.create({ program: cluster });
    await stack.up();
    const { urn } = await stack.resource("Cluster platform");
    const { events } = await stack.up("--target-replace", urn);
    const warnings = events.flatMap(({ diagnosticEvent: line }) => (line?.severity === "warning" ? [[line.urn, line.message]] : []));
    expect(warnings).toContainEqual([
      urn,
      expect.stringMatching(
        /^with cls-\w+ goes what is in it.* NodePool "workers", UserPermission "auditor": the next `pulumi up` makes that again\.$/m,
      ),
    ]);
    expect(Object.keys(operationsOf(await stack.up())).toSorted()).toEqual(["NodePool workers", "UserPermission auditor"]);
    expect(stack.leftovers()).toMatchObject({ clusters: 1, nodePools: 1, nodes: 1 });
    await stack.destroy();
  });

test("a VPC that is replaced alone, the old one first: what is told of the old one says how to go on", async () => {
  const program = `
import { Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16" }, { deleteBeforeReplace: true });
new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
`;
  await using stack = await Stack.create({ program });
  await stack.up();
  const { urn, id } = await stack.resource("Vpc platform");
  const { output } = await stack.fails("up", "--yes", "--skip-preview", "--target-replace", urn);
  expect(output).toContain(`${id} was deleted in this same run`);
  await stack.up();
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 1 });
});
