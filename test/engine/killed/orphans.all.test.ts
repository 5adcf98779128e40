/** The engine alone has a lock and a state that `container-platform-import --orphans` reads, and starts no provider for an empty state. */
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import {
  carriedOut,
  command,
  creations,
  elsewhere,
  engineFolder,
  registry,
  registryAndBlock,
  upKilledIn,
  upWithProviderKilledIn,
} from "../killed-runs.ts";

const orphan = /^(tcr-[0-9a-f]{8}) \(RegistryInstance\)\n$/;

test("a killed provider leaves no pending create: destroy names the ID, and up recovers by tags, but needs an import of what has none", async () => {
  await using stack = await Stack.create({ program: registryAndBlock(), programs: "language-host" });
  await upWithProviderKilledIn(stack, ...creations);
  const { output: refused } = await stack.fails("destroy", "--yes", "--skip-preview");
  expect(refused).toMatch(/delete it with `npx container-platform-import --orphans --delete --id tcr-\w+`; to keep it, add/);
  expect(await command(stack, "--orphans", "--delete")).toMatchObject({ status: 1, stdout: expect.stringMatching(orphan) });

  const { output: existing } = await stack.failingUp();
  const [, line = ""] = /Ipv6Block vpc-\w+ already exists, .*: add \{ (import: "vpc-\w+") \} to the options/.exec(existing) ?? [];
  stack.write(registryAndBlock(line));
  await stack.up();
  expect(creations.map((action) => carriedOut(stack, action))).toEqual([1, 1]);
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("for a state without resources, the engine starts no provider: the command lists the orphan of a pending create, and deletes it", async () => {
  await using stack = await Stack.create({ program: registry, programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  await stack.destroy();
  const listed = await command(stack, "--orphans");
  expect(listed).toMatchObject({ status: 1, stdout: expect.stringMatching(orphan) });
  expect(await command(stack, "--orphans", "--delete")).toMatchObject({ status: 0, stdout: `deleted ${listed.stdout}` });
  expect(stack.leftovers()).toEqual({});
  expect(await command(stack, "--orphans")).toMatchObject({ status: 0, stdout: "" });
});

test("without checkpoints, a killed first update leaves an empty state: the stack's name in the tags tells the orphan, and its ID deletes it", async () => {
  const env = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
  await using stack = await Stack.create({ program: registry, programs: "language-host", env });
  await upKilledIn(stack, "CreateInstance");
  expect(await stack.resources()).toEqual([]);
  expect((await stack.failingUp()).output).toMatch(
    /tcr-\w+ has this resource's ownership tags, but this stack's state does not record its creation/,
  );
  const listed = await command(stack, "--orphans", "--delete");
  expect(listed).toMatchObject({ status: 1, stdout: expect.stringMatching(orphan) });
  const [id = ""] = listed.stdout.split(" ");
  expect(listed.stderr).toContain(
    `${id} (RegistryInstance): delete it with \`npx container-platform-import --orphans --delete --id ${id}\``,
  );
  expect(await command(stack, "--orphans", "--delete", "--id", id)).toMatchObject({ status: 0, stdout: `deleted ${listed.stdout}` });
  // The input deleteBucket was lost with the checkpoint.
  expect(stack.leftovers()).toEqual({ buckets: 1 });
});

test("while an update is under way, the command deletes nothing that the update is creating, and names its process", async () => {
  await using stack = await Stack.create({ program: registry, programs: "language-host" });
  stack.faults.add({ operation: { action: "CreateInstance" }, delay: 60_000 });
  stack.start("up", "--yes", "--skip-preview");
  await expect.poll(() => carriedOut(stack, "CreateInstance")).toBe(1);
  const refused = await command(stack, "--orphans", "--delete");
  expect(refused).toMatchObject({ status: 252, stdout: "" });
  expect(refused.stderr).toMatch(
    /--delete: the stack test is locked by process \d+ of .* on .*: another update may be creating these resources/,
  );
  expect(stack.count("registries")).toBe(1);
  expect(await command(stack, "--orphans")).toMatchObject({ status: 1, stdout: expect.stringContaining("RegistryInstance") });
});

test("without `pulumi` on the PATH, the provider asks the engine that has started it; if it does not find that, nothing is deleted", async () => {
  await using stack = await Stack.create({ program: registryAndBlock(), programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  const before = stack.leftovers();
  // Under another name, the provider cannot tell that it is an engine.
  const unknown = join(stack.folder, "engine");
  copyFileSync(join(engineFolder(), "pulumi"), unknown);
  symlinkSync(join(engineFolder(), "pulumi-resource-pulumi-nodejs"), join(stack.folder, "pulumi-resource-pulumi-nodejs"));
  const refused = await elsewhere(stack, unknown, "destroy", "--yes", "--skip-preview");
  expect(refused.status).not.toBe(0);
  expect(refused.stdout).toMatch(
    /could not determine whether .*tcr-[0-9a-f]{8} \(RegistryInstance\).*Make sure that `pulumi` is on the PATH/,
  );
  expect(stack.leftovers()).toEqual(before);

  const named = await elsewhere(stack, join(engineFolder(), "pulumi"), "destroy", "--yes", "--skip-preview");
  expect(named.stdout).toMatch(/tcr-[0-9a-f]{8} \(RegistryInstance "images"\): delete it with/);
});
