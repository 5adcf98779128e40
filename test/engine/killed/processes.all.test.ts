/** The engine alone starts providers: they end when it is killed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";
import { carriedOut, killed } from "../killed-runs.ts";

test.concurrent("an engine that is killed while it waits for a cluster leaves no provider running, and the next up continues", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), timeScale: "realistic", programs: "language-host" });
  const first = stack.start("up", "--yes", "--skip-preview");
  await first.until(() => carriedOut(stack, "CreateCluster") === 1);
  first.interrupt();
  await first.ended;
  const { id } = await stack.resource("Cluster platform");

  const looks = carriedOut(stack, "DescribeClusters");
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => carriedOut(stack, "DescribeClusters") >= looks + 2);
  await killed(run);
  await stack.ok("cancel", "--yes");

  stack.world.advance(300_000);
  await stack.up();
  const finished = await stack.resource("Cluster platform");
  expect(finished.id).toBe(id);
  expect(finished.initErrors).toBeUndefined();
  expect(carriedOut(stack, "CreateCluster")).toBe(1);
  await stack.up("--refresh", "--expect-no-changes");
});

test.concurrent("an engine that is killed while its provider is idle leaves no provider running", async () => {
  const vpc = `
import { writeFileSync } from "node:fs";
import { Vpc } from "@container-platform/pulumi";
const platform = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;
  // The program is not done, so that the engine and the provider wait for it. The file tells that the provider has answered: a host that
  // Pulumi has started and not called yet holds no code of this library, and stays. With --refresh there is always one more of those.
  const idle = `${vpc}platform.id.apply(() => writeFileSync("answered", ""));\nawait new Promise((resolve) => setTimeout(resolve, 60_000));\n`;
  await using stack = await Stack.create({ program: idle, programs: "language-host" });
  const answered = join(stack.folder, "answered");
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => existsSync(answered));
  await killed(run);
  await stack.ok("cancel", "--yes");
  stack.write(vpc);
  await stack.up();
  expect(carriedOut(stack, "CreateVpc")).toBe(1);
});
