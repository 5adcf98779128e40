/** The engine alone leaves the state of a killed `pulumi up`: the provider reads it by `pulumi stack export`, and dies with its engine. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { carriedOut, creations, registryAndBlock, upKilledIn } from "../killed-runs.ts";

test("a killed engine leaves pending creates: destroy names the command, and up recovers the resources, also one without tags", async () => {
  await using stack = await Stack.create({ program: registryAndBlock, programs: "language-host" });
  await upKilledIn(stack, ...creations);
  expect(existsSync(join(stack.folder, ".local"))).toBe(false);
  const before = stack.leftovers();
  const { output: refused } = await stack.fails("destroy", "--yes", "--skip-preview");
  expect(refused).toMatch(
    /nothing was deleted: .*\n +- tcr-\w+ \(RegistryInstance "images"\): delete it with `npx container-platform-import --orphans --delete`\.\n/,
  );
  expect(stack.leftovers()).toEqual(before);
  const { output } = await stack.up();
  expect(output).toMatch(/recovering tcr-\w+, which an interrupted update created but did not save\n/);
  expect(output).toMatch(/recovering vpc-\w+, which .* did not save\. Run `pulumi refresh --clear-pending-creates` after this update/);
  expect(creations.map((action) => carriedOut(stack, action))).toEqual([1, 1]);
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
