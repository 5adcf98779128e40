/** Only the real engine has stacks beside each other in one backend. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeSubnets } from "@container-platform/sdk/vpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeEmptyStack } from "../../support/new-stack.ts";
import { type Outcome, Run } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { command } from "../killed-runs.ts";

/** What another stack has is named with that stack, whether it blocks a deletion, or is imported, or has been imported there. */

let stack: Stack;
let other: Neighbour;
let vpcId: string;
beforeAll(async () => {
  stack = await Stack.create({ program: program(net) });
  await stack.up();
  vpcId = (await stack.resource("Vpc net")).id ?? "";
  other = new Neighbour(stack);
  await other.ok("up", program(part("one", 1), part("two", 2)));
});
afterAll(() => stack[Symbol.asyncDispose]());

const net = 'new Vpc("net", { cidrBlock: "10.0.0.0/16" }, { customTimeouts: { delete: "9s" } });';
const called = "stack dev of project neighbours";

const program = (...lines: readonly string[]): string => ['import { Subnet, Vpc } from "@container-platform/pulumi";', ...lines].join("\n");

function part(name: string, third: number, options = ""): string {
  return `export const ${name} = new Subnet("${name}", { vpcId: "${vpcId}", subnetName: "${name}", cidrBlock: "10.0.${third}.0/24", zone: "eu-frankfurt-1" }, { ${options} }).subnetId;`;
}

/** A stack of another project, with the same backend and the same platform. */
class Neighbour {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(beside: Stack) {
    this.#folder = join(beside.folder, "neighbours");
    mkdirSync(this.#folder);
    symlinkSync(join(beside.folder, "node_modules"), join(this.#folder, "node_modules"));
    writeFileSync(join(this.#folder, "package.json"), JSON.stringify({ type: "module", private: true }));
    const config = { "container-platform:endpoint": `local:${beside.worldFile}`, "container-platform:region": "eu-frankfurt" };
    const set = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, { value }]));
    const settings = { name: "neighbours", runtime: { name: "nodejs", options: { typescript: false } }, main: "index.ts", config: set };
    writeFileSync(join(this.#folder, "Pulumi.yaml"), JSON.stringify(settings));
    writeEmptyStack(this.#folder, join(beside.folder, "state", ".pulumi", "stacks", "neighbours", "dev.json"));
    this.#env = { ...beside.environment, PWD: this.#folder };
  }

  async ok(verb: "up" | "destroy", text: string): Promise<Outcome> {
    writeFileSync(join(this.#folder, "index.ts"), text);
    const args = [verb, "--yes", "--skip-preview", "--stack", "dev"];
    const outcome = await new Run(args, { folder: this.#folder, env: this.#env, seconds: 120 }).ended;
    if (outcome.code !== 0) throw new Error(outcome.output);
    return outcome;
  }
}

/** The ids of the subnets, by name. */
async function subnets(): Promise<readonly [one: string, two: string]> {
  const { subnetSet } = await stack.cloud().call(describeSubnets, {});
  const idOf = (name: string) => subnetSet.find(({ subnetName }) => subnetName === name)?.subnetId ?? "";
  return [idOf("one"), idOf("two")];
}

test("what another stack has blocks a deletion: it is to be destroyed first, and nothing is to be imported", async () => {
  const [one, two] = await subnets();
  const { output } = await stack.fails("destroy", "--yes", "--skip-preview");
  for (const [id, name] of [
    [one, "one"],
    [two, "two"],
  ])
    expect(output).toContain(`Subnet ${id} "${name}"`);
  expect(output).toContain(`still use it and belong to ${called}.\n`);
  expect(output).toContain(
    "- Remove them from the program of that stack and run `pulumi up` there, or `pulumi destroy` if that stack is not needed any more.\n",
  );
  expect(output).not.toContain("import:");
});

test("the importer, and the preview of an import, name the stack that loses it; that one names the new owner", async () => {
  const [one] = await subnets();
  const { stderr } = await command(stack);
  expect(stderr).toMatch(
    new RegExp(`2 of these are managed by ${called}: subnet-\\w+, subnet-\\w+\\. After the import, that stack no longer deletes them`),
  );
  const warning = `${one} is managed by ${called}: after the import, that stack no longer deletes it`;
  stack.write(program(net, part("one", 1, `import: "${one}"`)));
  expect((await stack.preview()).output).toContain(warning);
  await stack.up();
  const { output } = await other.ok("up", program(part("two", 2)));
  expect(output).toContain(
    `${one} is not deleted: its tag container-platform/owner names Subnet "one" of stack test of project throw-away`,
  );
  expect((await command(stack)).stderr).toContain(`1 of these is managed by ${called}: subnet-`);
});

test("what another stack has no longer is nobody's: no warning when it is imported", async () => {
  const [, two] = await subnets();
  await other.ok("up", program(part("two", 2, "retainOnDelete: true")));
  await other.ok("up", program());
  const { output } = await stack.fails("destroy", "--yes", "--skip-preview");
  expect(output).toContain(`Subnet ${two} "two" still uses it, and this stack does not manage it.\n`);
  const [one] = await subnets();
  expect(one).toBe("");
  stack.write(program(net, part("two", 2, `import: "${two}"`)));
  expect((await stack.preview()).output).not.toContain("managed by");
  await stack.up();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
