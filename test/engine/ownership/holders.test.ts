import { afterAll, beforeAll, expect, test } from "vitest";
import { type Outcome, nameOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { command } from "../killed-runs.ts";

/** An id belongs to one resource: a program that gives it to two is refused, and what one of them holds the other does not delete. */

let stack: Stack;
let id: string;
beforeAll(async () => {
  stack = await Stack.create({ program: program(vpc("old")) });
  await stack.up();
  id = (await stack.resource("Vpc old")).id ?? "";
});
afterAll(() => stack[Symbol.asyncDispose]());

const program = (...lines: readonly string[]): string =>
  ['import { Ipv6Block, RegistryInstance, Vpc } from "@container-platform/pulumi";', ...lines].join("\n");

function vpc(name: string, options = ""): string {
  return `new Vpc("${name}", { vpcName: "kept", cidrBlock: "10.0.0.0/16" }, { ${options} });`;
}

const imported = (): string => `import: "${id}"`;

/** What the platform has, and who holds it in the state. */
async function holders(): Promise<readonly (readonly [name: string, isThere: boolean])[]> {
  const ids = (await stack.resources()).map(({ urn, id: held }) => [nameOf(urn), held === id] as const);
  expect(stack.count("vpcs")).toBe(1);
  return ids;
}

async function refusedPreview(...lines: readonly string[]): Promise<string> {
  stack.write(program(...lines));
  return (await stack.fails("preview")).output;
}

function warningsIn({ events }: Outcome): string[] {
  return events.flatMap(({ diagnosticEvent: line }) =>
    line?.severity === "warning" ? [line.message.replace(/<\{%.*?%\}>/g, "").trim()] : [],
  );
}

test("the importer names what the stack has already", async () => {
  const { status, stdout, stderr } = await command(stack);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`import: "${id}"`)]);
  expect(stderr).toContain(
    `container-platform-import: the stack test has 1 of these already: ${id} (Vpc "old"). Leave these out where the program has them`,
  );
  expect((await command(stack, "--adopted")).stderr).not.toContain("already");
});

test("two that import one id, two that are made under one key, and an import of what another holds are refused in preview, in either order", async () => {
  const both = `"first" and "second" of this program both stand for ${id}, and an id belongs to one resource. Take one of the two out of the program`;
  expect(await refusedPreview(vpc("first", imported()), vpc("second", imported()))).toContain(both);
  const taken = `"old" and "second" of this program both stand for ${id}, and an id belongs to one resource. Take one of the two out`;
  const before = stack.calls().length;
  expect(await refusedPreview(vpc("old"), vpc("second", imported()))).toContain(taken);
  expect(await refusedPreview(vpc("second", imported()), vpc("old"))).toContain(taken);
  const { urn } = await stack.resource("Vpc old");
  expect(await refusedPreview(vpc("second", imported()), vpc("old"))).toContain(
    `If "second" is another name for "old", write aliases: ["${urn}"] into its options`,
  );
  const key = `{ vpcId: "${id}" }`;
  expect(await refusedPreview(`new Ipv6Block("one", ${key});`, `new Ipv6Block("other", ${key});`)).toContain(
    `"one" and "other" of this program both stand for ${id}`,
  );
  expect(stack.writesSince(before)).toEqual([]);
});

test("renamed by import, also in a run that fails after it: what is held is kept, and belongs to the new name", async () => {
  // The preview passes: the old name is no longer in the program.
  stack.write(
    program(
      `const renamed = ${vpc("renamed", imported())}`,
      "await new Promise((done) => renamed.urn.apply(done));",
      'throw new Error("a mistake of the program");',
    ),
  );
  await stack.failingUp();
  // The next one is told of both, and deletes nothing.
  stack.write(program(vpc("renamed", imported())));
  await stack.preview();
  const shown = warningsIn(await stack.up());
  expect(shown).toEqual([expect.stringContaining(`${id} is not deleted: "renamed"`)]);
  expect(await holders()).toEqual([["Vpc renamed", true]]);
  await stack.up("--refresh", "--expect-no-changes");
  // In one go.
  stack.write(program(vpc("old", imported())));
  expect(warningsIn(await stack.up())).toEqual([expect.stringMatching(`${id} is not deleted: "old" has taken it over in this same run$`)]);
  expect(await holders()).toEqual([["Vpc old", true]]);
});

test("a run that does not see the other resource keeps what that one has taken over, by its owner tag", async () => {
  stack.write(program(vpc("old"), vpc("other", imported())));
  const { urn } = await stack.resource("Vpc old");
  // With --target, the old one is not looked at, and both hold the id then.
  await stack.up("--target", urn.replace(/::old$/, "::other"));
  expect(await holders()).toEqual([
    ["Vpc old", true],
    ["Vpc other", true],
  ]);
  expect((await stack.fails("preview")).output).toContain(`"old" and "other" of this program both stand for ${id}`);
  const shown = warningsIn(await stack.destroy("--target", urn));
  expect(shown).toEqual([
    expect.stringContaining(`${id} is not deleted: its tag container-platform/owner names Vpc "other" of this stack`),
  ]);
  expect(await holders()).toEqual([["Vpc other", true]]);
});

test("what was retained, or forgotten by the state, can be imported under any name, and deleted then", async () => {
  stack.write(program(vpc("other", "retainOnDelete: true")));
  await stack.up();
  stack.write(program());
  await stack.up();
  expect(stack.count("vpcs")).toBe(1);
  stack.write(program(vpc("old", imported())));
  await stack.up();
  await stack.ok("state", "delete", (await stack.resource("Vpc old")).urn, "--yes");
  stack.write(program(vpc("last", imported())));
  await stack.up();
  expect(await holders()).toEqual([["Vpc last", true]]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
