/** The engine alone has a lock and a state, which `container-platform-import --orphans` reads, and starts providers, which end when it is killed. */
import { copyFileSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { testedBackend } from "../../support/state-service.ts";
import { clusterAlone } from "../cluster-programs.ts";
import {
  carriedOut,
  command,
  creations,
  elsewhere,
  engineFolder,
  killed,
  orphan,
  registry,
  registryAndBlock,
  upKilledIn,
} from "../killed-runs.ts";

test("for a state without resources, the engine starts no provider: the command lists the orphan of a pending create, and deletes it", async () => {
  await using stack = await Stack.create({ program: registry, programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  await stack.destroy();
  const listed = await command(stack, "--orphans");
  expect(listed).toMatchObject({ code: 1, stdout: expect.stringMatching(orphan) });
  expect(await command(stack, "--orphans", "--delete")).toMatchObject({ code: 0, stdout: `deleted ${listed.stdout}` });
  expect(stack.leftovers()).toEqual({});
  expect(await command(stack, "--orphans")).toMatchObject({ code: 0, stdout: "" });
});

test("while an update is under way, the command deletes nothing that the update is creating", async () => {
  await using stack = await Stack.create({ program: registry, programs: "language-host" });
  stack.faults.add({ operation: { action: "CreateInstance" }, delay: 60_000 });
  stack.start("up", "--yes", "--skip-preview");
  await expect.poll(() => carriedOut(stack, "CreateInstance")).toBe(1);
  const refused = await command(stack, "--orphans", "--delete");
  expect(refused).toMatchObject({ code: 252, stdout: "" });
  expect(refused.stderr).toMatch(
    testedBackend === "files"
      ? /--delete: the stack test is locked by process \d+ of .* on .*: another update may be creating these resources/
      : /--delete: the stack test is locked: another update may be creating these resources/,
  );
  expect(stack.count("registries")).toBe(1);
  expect(await command(stack, "--orphans")).toMatchObject({ code: 1, stdout: expect.stringContaining("RegistryInstance") });
});

test("without `pulumi` on the PATH, the provider asks the engine that has started it; if it does not find that, nothing is deleted", async () => {
  await using stack = await Stack.create({ program: registryAndBlock, programs: "language-host" });
  // Once the block is created, its VPC is in the state, so that there is something to destroy.
  await upKilledIn(stack, ...creations);
  const before = stack.leftovers();
  // Under another name, the provider cannot tell that it is an engine.
  const unknown = join(stack.folder, "engine");
  copyFileSync(join(engineFolder(), "pulumi"), unknown);
  symlinkSync(join(engineFolder(), "pulumi-resource-pulumi-nodejs"), join(stack.folder, "pulumi-resource-pulumi-nodejs"));
  const refused = await elsewhere(stack, unknown, "destroy", "--yes", "--skip-preview");
  expect(refused.code).not.toBe(0);
  expect(refused.stdout).toMatch(
    /could not determine whether .*tcr-[0-9a-f]{8} \(RegistryInstance\).*Make sure that `pulumi` is on the PATH/,
  );
  expect(stack.leftovers()).toEqual(before);

  const named = await elsewhere(stack, join(engineFolder(), "pulumi"), "destroy", "--yes", "--skip-preview");
  expect(named.stdout).toMatch(/tcr-[0-9a-f]{8} \(RegistryInstance "images"\): delete it with/);
});

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
