import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { packInto, type Tarballs } from "../../scripts/packed.ts";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { type Outcome, Run } from "../support/pulumi.ts";
import { keyEnvironment, writeEmptyStack } from "../support/new-stack.ts";
import { surroundings } from "../support/stack.ts";
import { install } from "./install.ts";
import type { Kind } from "./programs.ts";

const place = scratchOfFile();

let tarballs: Tarballs;
beforeAll(() => {
  tarballs = packInto(place);
});

/** Folders in which the same is installed already. */
const installed = new Map<string, string>();

/** A folder with the program, below or beside what is installed for it. */
function laidOut({ manager, wanted, files, runtime }: Kind): string {
  const key = JSON.stringify([manager, wanted]);
  const packages = installed.get(key) ?? install(place, manager, wanted, tarballs);
  installed.set(key, packages);
  const folder = mkdtempSync(join(packages, "program-"));
  const config = { "container-platform:endpoint": { value: "local" }, "container-platform:region": { value: "eu-frankfurt" } };
  const project = { name: "entry-point", runtime, config };
  for (const [name, text] of Object.entries({ ...files, "Pulumi.yaml": JSON.stringify(project) })) writeFileSync(join(folder, name), text);
  return folder;
}

/** What the program's own compiler says against it and against all declarations that it reads. */
function complaintsIn(folder: string): string[] {
  const compiler = createRequire(join(folder, "index.ts")).resolve("typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [compiler, "--noEmit", "--pretty", "false"], { cwd: folder, encoding: "utf8" });
    return [];
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout).trim().split("\n");
    throw error;
  }
}

/** Runs the engine in a program's folder, with an empty stack. `compiled`: the program's own compiler has checked its types already. */
async function engineIn(folder: string, compiled = false): Promise<(...args: string[]) => Promise<Outcome>> {
  const quick = { GOGC: "off", GOMEMLIMIT: "1GiB", PULUMI_NODEJS_TRANSPILE_ONLY: String(compiled) };
  const env = { ...surroundings(folder), ...quick, ...(await keyEnvironment()) };
  writeEmptyStack(folder, join(folder, "state", ".pulumi", "stacks", "entry-point", "test.json"));
  return async (...args) => {
    const outcome = await new Run([...args, "--stack", "test"], { folder, env, seconds: 120 }).ended;
    expect(outcome.code, outcome.output).toBe(0);
    return outcome;
  };
}

/** Programs of some kinds compile, and are previewed, with the packages as they are packed. `deployed`: the one that is deployed, too. */
export function programsOf(kinds: readonly Kind[], deployed?: Kind): void {
  test.each(kinds)("$name: it compiles, and is previewed without a warning", async (kind) => {
    const folder = laidOut(kind);
    const excused = (line: string) => kind.excused?.test(line) === true;
    const compiles = "tsconfig.json" in kind.files && "typescript" in kind.wanted.devDependencies;
    if (compiles) expect(complaintsIn(folder).filter((line) => !excused(line))).toEqual([]);
    const pulumi = await engineIn(folder, compiles);
    const { output } = await pulumi("preview");
    expect(output.split("\n").filter((line) => /warning/i.test(line) && !excused(line))).toEqual([]);
    expect(output).toMatch(/action *: "DescribeVpcs"/);
    expect(output).toMatch(/zones *: 3/);
    expect(output).toMatch(/\+ 3 to create/);
  });

  test.each(deployed ? [deployed] : [])("$name: it is deployed and destroyed", async (kind) => {
    const pulumi = await engineIn(laidOut(kind));
    await pulumi("up", "--yes", "--skip-preview");
    const outputs: unknown = JSON.parse((await pulumi("stack", "output", "--json")).stdout);
    expect(outputs).toMatchObject({ vpcId: expect.stringMatching(/^vpc-/), filledIn: expect.stringMatching(/^entry-point-/), zones: 3 });
    const { output } = await pulumi("destroy", "--yes", "--skip-preview");
    expect(output).toMatch(/- 3 deleted/);
  });
}
