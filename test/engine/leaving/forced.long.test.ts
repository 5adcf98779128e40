import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

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

if (isLong)
  test("a range that another one gives up, and each way to ask for a replacement, go as the refusals tell", async () => {
    const one = (options: string, vpcName = "one", more = "") => `
import { RegistryInstance, Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("net", { vpcName: "${vpcName}", cidrBlock: "10.0.0.0/16" }, { ${options} });
new Subnet("nodes", { vpcId: vpc.vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1" });
${more}`;
    await using stack = await Stack.create({ program: one("") });
    await stack.up();
    const { urn } = await stack.resource("Vpc net");
    // Each way is refused as it is, and with the option it is carried out, what is in the VPC along with it.
    expect((await stack.fails("preview", "--replace", urn)).output).toContain("Add deleteBeforeReplace: true to its options");
    stack.write(one('replaceOnChanges: ["vpcName"]', "two"));
    await stack.preview();
    await stack.up();
    stack.write(one("deleteBeforeReplace: true", "two"));
    await stack.preview("--replace", urn);
    await stack.up("--replace", urn);
    await stack.ok("state", "taint", urn, "--yes");
    await stack.preview();
    await stack.up();
    await stack.up("--refresh", "--expect-no-changes");

    const images = (name: string, options: string, more = "") =>
      one(
        "",
        "two",
        `const images = new RegistryInstance("images", { registryName: "${name}", deleteBucket: true }, { ${options} });${more}`,
      );
    const taker = (options: string) => `new RegistryInstance("taker", { registryName: "acme-first", deleteBucket: true }, { ${options} });`;
    stack.write(images("acme-first", ""));
    await stack.up();
    // The old one would go last.
    stack.write(images("acme-second", "", taker("dependsOn: [images]")));
    expect((await stack.fails("preview")).output).toContain(
      'If it is to give that up, run `pulumi up` first without this resource. Or add deleteBeforeReplace: true to the options of "images", and have this one come after it, by dependsOn',
    );
    stack.write(images("acme-second", "deleteBeforeReplace: true", taker("dependsOn: [images]")));
    await stack.preview();
    await stack.up();
    await stack.up("--refresh", "--expect-no-changes");
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });
