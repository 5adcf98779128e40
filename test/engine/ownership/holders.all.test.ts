/** Only the real engine shows who has an id after a run with --target: what one holds, the other does not delete. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { nameOf, warningsIn } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { command } from "../killed-runs.ts";

let stack: Stack;
let id: string;
beforeAll(async () => {
  stack = await Stack.create({ program: program(vpc("old")) });
  await stack.up();
  id = (await stack.resource("Vpc old")).id ?? "";
});
afterAll(() => stack[Symbol.asyncDispose]());

const program = (...lines: readonly string[]): string => ['import { Vpc } from "@container-platform/pulumi";', ...lines].join("\n");

function vpc(name: string, options = ""): string {
  return `new Vpc("${name}", { vpcName: "kept", cidrBlock: "10.0.0.0/16" }, { ${options} });`;
}

/** What the platform has, and who holds it in the state. */
async function holders(): Promise<readonly (readonly [name: string, isThere: boolean])[]> {
  const ids = (await stack.resources()).map(({ urn, id: held }) => [nameOf(urn), held === id] as const);
  expect(stack.count("vpcs")).toBe(1);
  return ids;
}

test("the importer names what the stack has already", async () => {
  const { code, stdout, stderr } = await command(stack);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`import: "${id}"`)]);
  expect(stderr).toContain(
    `container-platform-import: the stack test has 1 of these already: ${id} (Vpc "old"). Leave these out where the program has them`,
  );
  expect((await command(stack, "--adopted")).stderr).not.toContain("already");
});

test("a run that does not see the other resource keeps what that one has imported, by its owner tag", async () => {
  stack.write(program(vpc("old"), vpc("other", `import: "${id}"`)));
  const { urn } = await stack.resource("Vpc old");
  // With --target, the first one is not looked at, and both hold the id then.
  await stack.up("--target", urn.replace(/::old$/, "::other"));
  expect(await holders()).toEqual([
    ["Vpc old", true],
    ["Vpc other", true],
  ]);
  expect((await stack.fails("preview")).output).toContain(`"old" and "other" both manage ${id}; only one resource can`);
  const shown = warningsIn(await stack.destroy("--target", urn));
  expect(shown).toEqual([
    expect.stringContaining(
      `${id} was removed from the state but not deleted on the platform: its tag container-platform/owner names Vpc "other" of this stack`,
    ),
  ]);
  expect(await holders()).toEqual([["Vpc other", true]]);
});
