/** Only the real engine shows what `npm run down` does to a stack that is protected, locked, or left by a killed `npm run up`. */

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Faults, World } from "@container-platform/sdk/local";
import { afterAll, expect, test } from "vitest";
import { Clone } from "../../support/clone.ts";
import { root } from "../../support/compiler.ts";
import { killTree } from "../../support/pulumi.ts";

/** A clone whose program has something protected, and something beside it that is not. */
const clone = new Clone();
const worldFile = join(clone.folder, ".container-platform", "world.db");
const project = readFileSync(join(root, "Pulumi.yaml"), "utf8").replace("examples/platform/start.js", "index.js");
writeFileSync(join(clone.folder, "Pulumi.yaml"), project);
afterAll(() => {
  clone.remove();
});

function write(deletionProtection: boolean, more = ""): void {
  const program = `
import { RegistryInstance, Vpc } from "@container-platform/pulumi";
const kept = new RegistryInstance("kept", { registryName: "kept-images", deletionProtection: ${deletionProtection}, deleteBucket: true });
new Vpc("beside", { cidrBlock: "10.0.0.0/16" });
${more}`;
  writeFileSync(join(clone.folder, "index.js"), program);
}

function counts(): Record<string, number> {
  const world = World.open(worldFile);
  const counted = ["registries", "vpcs"].map((table) => [table, world.prepare(`SELECT 1 FROM "${table}"`).all().length] as const);
  world.close();
  return Object.fromEntries(counted);
}

/** An `npm run up` that is killed, with all that it has started, once the platform has begun to carry out a call, and something is done. */
async function killedUp(operation: { readonly action: string }, meanwhile: () => Promise<void>): Promise<void> {
  const world = World.open(worldFile);
  const faults = new Faults(world);
  faults.add({ operation, delay: 300_000 });
  const child = clone.start("up.js");
  const ended = once(child, "exit");
  // A fault that has hit is gone.
  await expect.poll(() => faults.list()).toEqual([]);
  world.close();
  await meanwhile();
  await killTree(child.pid ?? 0);
  await ended;
}

test("`npm run down` looks before it deletes: it refuses while something is protected, and keeps what stands beside", async () => {
  write(true);
  expect(await clone.run("up.js")).toMatchObject({ code: 0 });
  const refused = await clone.run("down.js");
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("protect");
  expect(counts()).toEqual({ registries: 1, vpcs: 1 });
});

test("`npm run down` deletes nothing while an `npm run up` is under way, nor where it is misspelt; after a killed one it deletes all", async () => {
  write(false, 'new RegistryInstance("more", { registryName: "more-images", deleteBucket: true }, { dependsOn: kept });');
  await killedUp({ action: "CreateInstance" }, async () => {
    const locked = await clone.run("down.js");
    expect(locked).toMatchObject({ code: 1, output: expect.stringContaining("the stack is currently locked by 1 lock(s)") });
  });
  const misspelt = await clone.run("down.js", "--langage", "yaml");
  expect(misspelt).toMatchObject({ code: 1, output: expect.stringContaining("unknown flag: --langage") });
  expect(counts()).toEqual({ registries: 2, vpcs: 1 });
  const down = await clone.run("down.js");
  expect(down.code, down.output).toBe(0);
  expect(counts()).toEqual({ registries: 0, vpcs: 0 });
  const again = await clone.run("down.js");
  expect(again).toMatchObject({ code: 0 });
  expect(again.output).not.toMatch(/pending operations|interrupted/);
});
