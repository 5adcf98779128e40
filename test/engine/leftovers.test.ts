import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { root } from "../support/compiler.ts";
import { isRunning, type Run } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

/** What a killed run has created and not saved: the first deletion of a later run removes it, and nothing that was saved. */

const network = `
import { RegistryInstance, Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
const { subnetId } = new Subnet("zone-1", { vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" });
new Subnet("zone-2", { vpcId, cidrBlock: "10.0.2.0/24", zone: "eu-frankfurt-2" });
`;
const registry = 'new RegistryInstance("images", { registryName: "team-images", registryType: "basic", deleteBucket: true });\n';
const cluster = 'new Cluster("platform", { vpcId, subnetId, clusterCidr: "172.16.0.0/16" });\n';

function carriedOut(stack: Stack, action: string): number {
  return stack.calls().filter((call) => call.action === action && call.code === "").length;
}

/** An `up` that is killed once the platform has carried out some creations, whose answers have not come. */
async function upKilledIn(stack: Stack, ...actions: readonly string[]): Promise<void> {
  for (const action of actions) stack.faults.add({ operation: { action }, delay: 60_000 });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => actions.every((action) => carriedOut(stack, action) === 1));
  await killed(run);
  await stack.ok("cancel", "--yes");
}

async function killed(run: Run): Promise<void> {
  const providers = run.providers();
  run.kill();
  await expect.poll(() => providers.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  await sleep(100);
}

const ended = "which was made by a run that was ended before it could save it";

test("the first deletion removes what a killed run has not saved, in order, and leaves what it has saved", async () => {
  await using stack = await Stack.create({
    program: network.replace("{ ", "{ Cluster, ") + registry + cluster,
    programs: "language-host",
  });
  await upKilledIn(stack, "CreateInstance", "CreateCluster");
  const saved = await stack.resources();
  expect(saved).toHaveLength(3);
  const { urn } = await stack.resource("Subnet zone-2");
  const { output } = await stack.destroy("--target", urn);
  expect(output).toMatch(new RegExp(`removed cls-[0-9a-f]{8} \\(Cluster\\), ${ended}`));
  expect(output).toMatch(new RegExp(`removed tcr-[0-9a-f]{8} \\(RegistryInstance\\), ${ended}`));
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 1 });
  expect([stack.count("clusters"), stack.count("registries")]).toEqual([0, 0]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("where the state has no resource, the engine starts no provider: the command lists what is left, then deletes it", async () => {
  await using stack = await Stack.create({
    program: `import { RegistryInstance } from "@container-platform/pulumi";\n${registry}`,
    programs: "language-host",
  });
  await upKilledIn(stack, "CreateInstance");
  await stack.destroy();
  expect(stack.count("registries")).toBe(1);
  const listed = await command(stack, "--leftovers");
  expect(listed).toMatchObject({ status: 1, stdout: expect.stringMatching(/^tcr-[0-9a-f]{8} \(RegistryInstance\)\n$/) });
  const deleted = await command(stack, "--leftovers", "--delete");
  expect(deleted).toMatchObject({ status: 0, stdout: `deleted ${listed.stdout}` });
  expect(stack.leftovers()).toEqual({});
  expect(await command(stack, "--leftovers")).toMatchObject({ status: 0, stdout: "" });
});

test("up of a resource that was renamed after its creation was killed removes what holds the range, and creates it", async () => {
  const vpc = (name: string) => `import { Vpc } from "@container-platform/pulumi";\nnew Vpc("${name}", { cidrBlock: "10.0.0.0/16" });\n`;
  await using stack = await Stack.create({ program: vpc("old"), programs: "language-host" });
  await upKilledIn(stack, "CreateVpc");
  stack.write(vpc("renamed"));
  const { output } = await stack.up();
  expect(output).toMatch(new RegExp(`removed vpc-[0-9a-f]{8} \\(Vpc\\), ${ended}`));
  expect([carriedOut(stack, "CreateVpc"), stack.count("vpcs")]).toEqual([2, 1]);
  await stack.up("--refresh", "--expect-no-changes");
});

/** Runs the command in the folder of a stack. */
async function command(
  stack: Stack,
  ...args: string[]
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  const child = spawn(process.execPath, [bin, ...args, "--stack", "test"], {
    cwd: stack.folder,
    env: stack.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status: Number(status), stdout, stderr };
}
