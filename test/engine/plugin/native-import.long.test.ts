import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { nativeToken } from "../../../provider/src/runtime/tokens.ts";
import { makeSite, type SiteResource } from "../../import/sites.ts";
import { root } from "../../support/compiler.ts";
import { hostEnvironment, yamlSettings } from "../../support/hosts.ts";
import { Stack } from "../../support/stack.ts";

/** What exists becomes resources of the plugin, by Pulumi's own import: it reads everything, and writes the program. */

/** Some three hundred resources. */
const sites = 17;
const seconds = 600;
const unchanged = "--expect-no-changes";

function emptyStack(): Promise<Stack> {
  return Stack.create({ program: "", programs: "language-host", env: hostEnvironment("yaml"), seconds });
}

async function makeSites(stack: Stack, count: number): Promise<readonly SiteResource[]> {
  const made: SiteResource[] = [];
  for (let index = 0; index < count; index++) made.push(...(await makeSite({ cloud: stack.cloud(), world: stack.world }, index)));
  return made;
}

function writeProgram(stack: Stack, resources: string): void {
  writeFileSync(join(stack.folder, "Pulumi.yaml"), yamlSettings + resources);
}

/** What Pulumi has imported is as the program that it has written says, and a refresh finds it as it is in the state. */
async function expectNothingToDo(stack: Stack, calls: number, program: string): Promise<void> {
  expect(stack.writesSince(calls)).toEqual([]);
  writeProgram(stack, readFileSync(program, "utf8"));
  await stack.preview(unchanged);
  await stack.refresh(unchanged);
  await stack.preview(unchanged);
  expect(stack.writesSince(calls)).toEqual([]);
}

test("all kinds in one file are imported, and the program that Pulumi writes changes nothing", { timeout: seconds * 4000 }, async () => {
  await using stack = await emptyStack();
  const made = await makeSites(stack, sites);
  const before = stack.calls().length;
  writeProgram(stack, "");

  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  const file = join(stack.folder, "import.json");
  execFileSync(process.execPath, [bin, "--json", "--out", file, "--stack", "test"], { cwd: stack.folder, env: stack.environment });
  const text = readFileSync(file, "utf8");
  for (const kind of kinds) expect(text).toContain(`"type": "${nativeToken(kind)}"`);

  const program = join(stack.folder, "resources.yaml");
  await stack.ok("import", "--file", file, "--out", program, "--yes", "--protect=false");
  expect(await stack.resources()).toHaveLength(made.length);
  await expectNothingToDo(stack, before, program);
});

test.for(kinds)(
  "%s: one is imported by its id, and the program that Pulumi writes changes nothing",
  { timeout: seconds * 1000 },
  async (kind) => {
    await using stack = await emptyStack();
    const own = (await makeSites(stack, 1)).filter((one) => one.kind === kind);
    expect(own).not.toEqual([]);
    for (const { id } of own) {
      writeProgram(stack, "");
      const before = stack.calls().length;
      const program = join(stack.folder, "resources.yaml");
      await stack.ok("import", nativeToken(kind), "found", id, "--out", program, "--yes", "--protect=false");
      await expectNothingToDo(stack, before, program);
      await stack.ok("state", "delete", "--all", "--yes");
    }
  },
);
