/** The engine alone has a lock and a state that `container-platform-import --orphans` reads, and starts no provider for an empty state. */
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { carriedOut, command, elsewhere, engineFolder, network, upKilledIn } from "../killed-runs.ts";

const registry = (options = "") =>
  `new RegistryInstance("images", { registryName: "team-images", registryType: "basic", deleteBucket: true }${options});\n`;
const alone = `import { RegistryInstance } from "@container-platform/pulumi";\n${registry()}`;
const program = network + registry(", { dependsOn }");

test("where the state has no resource, the engine starts no provider: the command lists the orphans, deletes the named one, then the other", async () => {
  await using stack = await Stack.create({ program: alone, programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  stack.write(alone.replaceAll("images", "others"));
  await upKilledIn(stack, "CreateInstance");
  await stack.destroy();
  expect(stack.count("registries")).toBe(2);
  const listed = await command(stack, "--orphans");
  expect(listed).toMatchObject({ status: 1, stdout: expect.stringMatching(/^(tcr-[0-9a-f]{8} \(RegistryInstance\)\n){2}$/) });
  const [named = "", other = ""] = listed.stdout.split("\n");
  const [id = ""] = named.split(" ");
  const deleted = { status: 1, stdout: `deleted ${named}\n${other}\n` };
  expect(await command(stack, "--orphans", "--delete", "--id", id)).toMatchObject(deleted);
  expect(await command(stack, "--orphans", "--delete")).toMatchObject({ status: 0, stdout: `deleted ${other}\n` });
  expect(stack.leftovers()).toEqual({});
  expect(await command(stack, "--orphans")).toMatchObject({ status: 0, stdout: "" });
  await stack.ok("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
  const unknown = expect.stringContaining("the state is empty, so that orphans of this stack are unknown");
  expect(await command(stack, "--orphans")).toMatchObject({ status: 0, stdout: "", stderr: unknown });
});

test("while an update is under way, the command deletes nothing that the update is creating, and names its process", async () => {
  await using stack = await Stack.create({ program: alone, programs: "language-host" });
  stack.faults.add({ operation: { action: "CreateInstance" }, delay: 60_000 });
  stack.start("up", "--yes", "--skip-preview");
  await expect.poll(() => carriedOut(stack, "CreateInstance")).toBe(1);
  const refused = await command(stack, "--orphans", "--delete");
  expect(refused).toMatchObject({ status: 252, stdout: "" });
  expect(refused.stderr).toMatch(/--delete: the stack test is locked by process \d+ of .* on .*: a run of it may be creating/);
  expect(stack.count("registries")).toBe(1);
  expect(await command(stack, "--orphans")).toMatchObject({ status: 1, stdout: expect.stringContaining("RegistryInstance") });
});

test("an orphan whose pending creation was cleared keeps the rest from being deleted, and goes when it is named", async () => {
  await using stack = await Stack.create({ program, programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  expect(await stack.resources()).toHaveLength(3);
  await stack.refresh("--clear-pending-creates");
  const { output } = await stack.fails("destroy", "--yes", "--skip-preview");
  const [, remedy = "", id = ""] =
    /`npx container-platform-import (--orphans --delete --id (tcr-[0-9a-f]{8}))` removes it/.exec(output) ?? [];
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 2, registries: 1 });
  const refused = await command(stack, "--orphans", "--delete");
  expect(refused).toMatchObject({ status: 1, stdout: `${id} (RegistryInstance)\n`, stderr: expect.stringContaining(`--id ${id}`) });
  expect(await command(stack, ...remedy.split(" "))).toMatchObject({ status: 0, stdout: `deleted ${id} (RegistryInstance)\n` });
  await stack.destroy();
  expect(stack.count("vpcs")).toBe(0);
});

test("without `pulumi` on the PATH, the provider asks the engine that has started it; if it does not find that, nothing is deleted", async () => {
  await using stack = await Stack.create({ program, programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  const before = stack.leftovers();
  // Under another name, the provider cannot tell that it is an engine.
  const unknown = join(stack.folder, "engine");
  copyFileSync(join(engineFolder(), "pulumi"), unknown);
  symlinkSync(join(engineFolder(), "pulumi-resource-pulumi-nodejs"), join(stack.folder, "pulumi-resource-pulumi-nodejs"));
  const refused = await elsewhere(stack, unknown, "destroy", "--yes", "--skip-preview");
  expect(refused.status, refused.output).not.toBe(0);
  expect(refused.output).toMatch(
    /tcr-[0-9a-f]{8} \(RegistryInstance\)[^\n]*: created by a run that may have been ended before it could save it/,
  );
  expect(refused.output).toContain("Have `pulumi` on the PATH, then run this again");
  expect(await stack.resources()).toHaveLength(3);
  expect(stack.leftovers()).toEqual(before);

  const carriedOutNow = await elsewhere(stack, join(engineFolder(), "pulumi"), "destroy", "--yes", "--skip-preview");
  expect(carriedOutNow.status, carriedOutNow.output).toBe(0);
  expect(carriedOutNow.output).toMatch(/removed tcr-[0-9a-f]{8} \(RegistryInstance\), which was made by a run that was ended/);
  expect(stack.leftovers()).toEqual({});
});
