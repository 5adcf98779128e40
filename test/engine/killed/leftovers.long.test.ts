import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { Stack } from "../../support/stack.ts";
import { carriedOut, command, elsewhere, ended, engineFolder, network, registry, upKilledIn } from "../killed-runs.ts";

/** What a killed run has created and not saved, where the first deletion of a later run does not remove it. */

test("where the state has no resource, the engine starts no provider: the command lists what is left, then deletes it", async () => {
  await using stack = await Stack.create({
    program: `import { RegistryInstance } from "@container-platform/pulumi";\n${registry()}`,
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

test("while a run is under way, the command deletes nothing of what that is creating, and says whose run it is", async () => {
  await using stack = await Stack.create({
    program: `import { RegistryInstance } from "@container-platform/pulumi";\n${registry()}`,
    programs: "language-host",
  });
  stack.faults.add({ operation: { action: "CreateInstance" }, delay: 60_000 });
  stack.start("up", "--yes", "--skip-preview");
  await expect.poll(() => carriedOut(stack, "CreateInstance")).toBe(1);
  const refused = await command(stack, "--leftovers", "--delete");
  expect(refused).toMatchObject({ status: 252, stdout: "" });
  expect(refused.stderr).toMatch(/--delete: the stack test is locked by process \d+ of .* on .*: a run of it may be creating/);
  expect(stack.count("registries")).toBe(1);
  expect(await command(stack, "--leftovers")).toMatchObject({ status: 1, stdout: expect.stringContaining("RegistryInstance") });
});

if (isLong)
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

if (isLong)
  test("what is left and protected keeps the rest, and says how its protection is lifted", async () => {
    const images = registry(", { dependsOn }").replace("deleteBucket", "deletionProtection: true, deleteBucket");
    await using stack = await Stack.create({ program: network + images, programs: "language-host" });
    await upKilledIn(stack, "CreateInstance");
    const { output } = await stack.fails("destroy", "--yes", "--skip-preview");
    expect(output).toMatch(
      /removing (tcr-[0-9a-f]{8}) \(RegistryInstance\), .*: its deletionProtection is on\. If the program still has it, set that to false there and run `pulumi up`, which goes on with it\. Otherwise switch it off on the platform, in the console or with cpcli\. After that, `npx container-platform-import --leftovers --delete` removes it/,
    );
    expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 2, registries: 1 });
    stack.faults.clear();
    stack.write(network + images.replace("deletionProtection: true", "deletionProtection: false"));
    await stack.up();
    await stack.destroy();
    expect([carriedOut(stack, "CreateInstance"), stack.leftovers()]).toEqual([1, {}]);
  });

if (isLong)
  test("what the state has forgotten is named, keeps the rest from being deleted, and goes when it is named", async () => {
    await using stack = await Stack.create({ program: network + registry(", { dependsOn }"), programs: "language-host" });
    await upKilledIn(stack, "CreateInstance");
    expect(await stack.resources()).toHaveLength(3);
    await stack.refresh("--clear-pending-creates");
    const { output } = await stack.fails("destroy", "--yes", "--skip-preview");
    const [, remedy = "", id = ""] =
      /`npx container-platform-import (--leftovers --delete --id (tcr-[0-9a-f]{8}))` removes it/.exec(output) ?? [];
    expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 2, registries: 1 });
    const refused = await command(stack, "--leftovers", "--delete");
    expect(refused).toMatchObject({ status: 1, stdout: `${id} (RegistryInstance)\n`, stderr: expect.stringContaining(`--id ${id}`) });
    expect(await command(stack, ...remedy.split(" "))).toMatchObject({ status: 0, stdout: `deleted ${id} (RegistryInstance)\n` });
    await stack.destroy();
    expect(stack.count("vpcs")).toBe(0);
  });

if (isLong)
  test("without `pulumi` on the PATH, the provider asks the engine that has started it; if it does not find that, nothing is deleted", async () => {
    await using stack = await Stack.create({ program: network + registry(", { dependsOn }"), programs: "language-host" });
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
    expect(carriedOutNow.output).toMatch(new RegExp(`removed tcr-[0-9a-f]{8} \\(RegistryInstance\\), ${ended}`));
    expect(stack.leftovers()).toEqual({});
  });
