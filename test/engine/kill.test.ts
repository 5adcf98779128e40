import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isRunning, type Run } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import { clusterAlone } from "./programs.ts";

/** Kills the engine and waits, ten seconds at most, until none of its provider processes is left. */
async function killed(run: Run): Promise<void> {
  const providers = run.providers();
  expect(providers.length).toBeGreaterThan(0);
  run.kill();
  const begun = performance.now();
  while (providers.some(isRunning) && performance.now() - begun < 10_000) await sleep(200);
  expect(providers.filter(isRunning)).toEqual([]);
}

function carriedOut(stack: Stack, action: string): number {
  return stack.calls().filter((call) => call.action === action && call.code === "").length;
}

test.concurrent("an engine that is killed while it waits for a cluster leaves no provider behind, and the next up goes on", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), pace: "realistic" });
  const first = stack.start("up", "--yes", "--skip-preview");
  await first.until(() => carriedOut(stack, "CreateCluster") === 1);
  first.interrupt();
  await first.ended;
  const { id } = await stack.resource("Cluster platform");

  for (let round = 0; round < 5; round++) {
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

test.concurrent("an engine that is killed while its provider has nothing to do leaves none behind", async () => {
  const vpc = `
import { Vpc } from "@container-platform/pulumi";
new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;
  // The program has more to do: engine and provider wait for it.
  const idle = `${vpc}await new Promise((resolve) => setTimeout(resolve, 15_000));\n`;
  await using stack = await Stack.create({ program: vpc });
  await stack.up();
  stack.write(idle);
  for (let round = 0; round < 5; round++) {
    const run = stack.start("up", "--yes", "--skip-preview", "--refresh");
    const looks = carriedOut(stack, "DescribeVpcs");
    await run.until(() => carriedOut(stack, "DescribeVpcs") > looks);
    await sleep(1000);
    await killed(run);
    await stack.ok("cancel", "--yes");
  }
  stack.write(vpc);
  await stack.up("--refresh", "--expect-no-changes");
  expect(carriedOut(stack, "CreateVpc")).toBe(1);
});

test.concurrent("a cluster whose creation the engine did not survive is taken over by its id", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), pace: "realistic" });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => carriedOut(stack, "CreateCluster") === 1);
  await killed(run);
  await stack.ok("cancel", "--yes");
  stack.world.advance(300_000);
  // Nobody has told the state about it; the platform names it.
  const { output } = await stack.failingUp();
  const [, id = ""] = /overlaps 172\.16\.0\.0\/16 of cluster (cls-[0-9a-f]{8})/.exec(output) ?? [];
  stack.write(clusterAlone(`{ import: "${id}" }`));
  await stack.up();
  stack.write(clusterAlone());
  await stack.up("--refresh", "--expect-no-changes");
  expect((await stack.resource("Cluster platform")).id).toBe(id);
  expect(carriedOut(stack, "CreateCluster")).toBe(1);
  expect(stack.leftovers()).toMatchObject({ clusters: 1 });
});
