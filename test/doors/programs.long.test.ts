import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packInto, type Tarballs } from "../../scripts/packed.ts";
import { type Outcome, Run } from "../support/pulumi.ts";
import { surroundings } from "../support/stack.ts";
import { install } from "./install.ts";
import { type Kind, kinds } from "./programs.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-doors-")));
afterAll(() => {
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
});

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
  const project = { name: "door", runtime, config };
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

test.each(kinds)("$name", async (kind) => {
  const folder = laidOut(kind);
  const excused = (line: string) => kind.excused?.test(line) === true;
  if ("tsconfig.json" in kind.files && "typescript" in kind.wanted.devDependencies)
    expect(complaintsIn(folder).filter((line) => !excused(line))).toEqual([]);
  const env = surroundings(folder);
  const pulumi = async (...args: string[]): Promise<Outcome> => {
    const outcome = await new Run(args, { folder, env, seconds: 120 }).ended;
    expect(outcome.code, outcome.output).toBe(0);
    return outcome;
  };
  await pulumi("stack", "init", "test");
  // It previews first, and then deploys.
  const { output } = await pulumi("up", "--yes", "--stack", "test");
  expect(output.split("\n").filter((line) => /warning/i.test(line) && !excused(line))).toEqual([]);
  const outputs: unknown = JSON.parse((await pulumi("stack", "output", "--json", "--stack", "test")).stdout);
  expect(outputs).toEqual({
    vpcId: expect.stringMatching(/^vpc-/),
    filledIn: expect.stringMatching(/^door-/),
    zones: expect.any(Number),
    action: "DescribeVpcs",
  });
  const { output: destroyed } = await pulumi("destroy", "--yes", "--skip-preview", "--stack", "test");
  expect(destroyed).toMatch(/- 3 deleted/);
});
