import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { isRunning, type Run } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";

/** Kills the engine and waits, ten seconds at most, until none of its provider processes is left. */
async function killed(run: Run): Promise<void> {
  const providers = run.providers();
  expect(providers.length).toBeGreaterThan(0);
  run.kill();
  const begun = performance.now();
  while (providers.some(isRunning) && performance.now() - begun < 10_000) await sleep(200);
  expect(providers.filter(isRunning)).toEqual([]);
}

/** How often an engine is killed at one point. */
const rounds = isLong ? 5 : 1;

function carriedOut(stack: Stack, action: string): number {
  return stack.calls().filter((call) => call.action === action && call.code === "").length;
}

test.concurrent("an engine that is killed while it waits for a cluster leaves no provider behind, and the next up continues", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), pace: "realistic", programs: "language-host" });
  const first = stack.start("up", "--yes", "--skip-preview");
  await first.until(() => carriedOut(stack, "CreateCluster") === 1);
  first.interrupt();
  await first.ended;
  const { id } = await stack.resource("Cluster platform");

  for (let round = 0; round < rounds; round++) {
    const looks = carriedOut(stack, "DescribeClusters");
    const run = stack.start("up", "--yes", "--skip-preview");
    await run.until(() => carriedOut(stack, "DescribeClusters") >= looks + 2);
    await killed(run);
    await stack.ok("cancel", "--yes");
  }

  stack.world.advance(300_000);
  await stack.up();
  const finished = await stack.resource("Cluster platform");
  expect(finished.id).toBe(id);
  expect(finished.initErrors).toBeUndefined();
  expect(carriedOut(stack, "CreateCluster")).toBe(1);
  expect(stack.leftovers()).toMatchObject({ clusters: 1, subnets: 1, vpcs: 1 });
  await stack.up("--refresh", "--expect-no-changes");
});

test.concurrent("an engine that is killed while its provider is idle leaves no provider behind", async () => {
  const vpc = `
import { writeFileSync } from "node:fs";
import { Vpc } from "@container-platform/pulumi";
const platform = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;
  // The program is not done, so that the engine and the provider wait for it. The file tells that the provider has answered: a host that
  // Pulumi has started and not called yet holds no code of this library, and stays. With --refresh there is always one more of those.
  const idle = `${vpc}platform.id.apply(() => writeFileSync("answered", ""));\nawait new Promise((resolve) => setTimeout(resolve, 60_000));\n`;
  await using stack = await Stack.create({ program: vpc, programs: "language-host" });
  await stack.up();
  stack.write(idle);
  for (let round = 0; round < rounds; round++) {
    const answered = join(stack.folder, "answered");
    rmSync(answered, { force: true });
    const run = stack.start("up", "--yes", "--skip-preview");
    await run.until(() => existsSync(answered));
    await sleep(1000);
    await killed(run);
    await stack.ok("cancel", "--yes");
  }
  stack.write(vpc);
  await stack.up("--refresh", "--expect-no-changes");
  expect(carriedOut(stack, "CreateVpc")).toBe(1);
});

test.concurrent("resources whose creation an engine did not survive are taken over by the next up, and exist once", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), pace: "realistic", programs: "language-host" });
  stack.faults.add({ operation: { action: "CreateVpc" }, delay: 5000 });
  for (const action of ["CreateVpc", "CreateCluster"]) {
    const run = stack.start("up", "--yes", "--skip-preview");
    await run.until(() => carriedOut(stack, action) === 1);
    await killed(run);
    await stack.ok("cancel", "--yes");
  }
  stack.world.advance(300_000);
  const { output } = await stack.up();
  expect(output).toMatch(/takes over cls-[0-9a-f]{8}, which was made by a run that was ended before it could save it/);
  expect([carriedOut(stack, "CreateVpc"), carriedOut(stack, "CreateCluster")]).toEqual([1, 1]);
  expect(stack.leftovers()).toMatchObject({ clusters: 1, subnets: 1, vpcs: 1 });
  await stack.up("--refresh", "--expect-no-changes");
  stack.world.setPace("instant");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test.concurrent("a forced replacement of a saved resource makes a second one, and deletes the first", async () => {
  const program = `
import { SecurityGroup } from "@container-platform/pulumi";
new SecurityGroup("web", {});
`;
  await using stack = await Stack.create({ program });
  await stack.up();
  expect(carriedOut(stack, "AttachResourcesTag")).toBe(1);
  const { urn, id } = await stack.resource("SecurityGroup web");
  await stack.up("--target-replace", urn);
  expect([carriedOut(stack, "CreateSecurityGroup"), carriedOut(stack, "DeleteSecurityGroup")]).toEqual([2, 1]);
  expect((await stack.resource("SecurityGroup web")).id).not.toBe(id);
  expect(stack.leftovers()).toMatchObject({ securityGroups: 1 });
  await stack.up("--refresh", "--expect-no-changes");
  expect(carriedOut(stack, "AttachResourcesTag")).toBe(2);
});
