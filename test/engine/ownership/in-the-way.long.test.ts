import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** What only the real engine shows of resources that are in each other's way, and takes its time. */

const network = (range: string) => `
import { Cluster, RegistryInstance, Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "${range}.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "${range}.0.0/20", zone: "eu-frankfurt-1" });
`;

test("a cluster that keeps its range of pods is deleted before the new one is made, and a protected one keeps its network", async () => {
  const cluster = (more: string) => `new Cluster("platform", { vpcId, subnetId, clusterCidr: "172.16.0.0/16", ${more} });`;
  await using stack = await Stack.create({ program: network("10.0") + cluster("") });
  await stack.up();
  stack.write(network("10.0") + cluster('containerRuntime: "docker"'));
  await stack.preview();
  const since = stack.calls().length;
  await stack.up();
  expect(stack.writesSince(since).filter((action) => /^(Create|Delete)Cluster$/.test(action))).toEqual(["DeleteCluster", "CreateCluster"]);

  // By an Output, so that only the platform protects it.
  const hidden = 'containerRuntime: "docker", deletionProtection: output(true)';
  const imports = 'import { output } from "@pulumi/pulumi";';
  stack.write(imports + network("10.0") + cluster(hidden));
  await stack.up();
  stack.write(imports + network("10.1") + cluster(hidden));
  const before = stack.calls().length;
  expect((await stack.failingUp()).output).toContain("set its deletionProtection to false and run `pulumi up` first");
  expect(stack.writesSince(before)).toEqual([]);
  stack.write(network("10.0") + cluster('containerRuntime: "docker"'));
  await stack.up();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

if (isLong)
  test("what was deleted along by force, and is made unchecked, says what to do, and the next up mends it", async () => {
    const first = (options: string) => network("10.0").replace('"10.0.0.0/16" }', `"10.0.0.0/16" }, { ${options} }`);
    await using stack = await Stack.create({ program: first("deleteBeforeReplace: true") });
    await stack.up();
    const { urn } = await stack.resource("Vpc net");
    expect((await stack.failingUp("--target-replace", urn)).output).toContain("run `pulumi up` (or add --target-dependents)");
    await stack.up();
    await stack.up("--refresh", "--expect-no-changes");
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });

if (isLong)
  test("two registries exchange their names in three runs, as the preview says", async () => {
    const program = (one: string, other: string) => `
import { RegistryInstance } from "@container-platform/pulumi";
new RegistryInstance("one", { registryName: "${one}", deleteBucket: true });
new RegistryInstance("other", { registryName: "${other}", deleteBucket: true });
`;
    await using stack = await Stack.create({ program: program("acme-one", "acme-other") });
    await stack.up();
    stack.write(program("acme-other", "acme-one"));
    expect((await stack.fails("preview")).output).toContain(
      "take three runs: this one to a value that nobody has, then the other, then this one",
    );
    for (const [one, other] of [
      ["acme-third", "acme-other"],
      ["acme-third", "acme-one"],
      ["acme-other", "acme-one"],
    ] as const) {
      stack.write(program(one, other));
      await stack.preview();
      expect(Object.values(operationsOf(await stack.up())).flat()).not.toEqual([]);
    }
    await stack.destroy();
    expect(stack.leftovers()).toEqual({});
  });
