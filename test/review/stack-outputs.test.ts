import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readersIn, readersOf } from "../../provider/src/review/plan/stack-readers.ts";
import { Stack } from "../support/stack.ts";
import { reviewed } from "./reviewed.ts";

/** Outputs of a stack belong to its reach: other stacks read them. */

let stack: Stack;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "container-platform-tests-"));
  stack = await Stack.create({ program: program("export const network = net.vpcId; export const range = net.cidrBlock;") });
  await stack.up();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack[Symbol.asyncDispose]();
});

function program(outputs: string): string {
  return `
import { Vpc } from "@container-platform/pulumi";
const net = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
${outputs}
`;
}

/** The state of a stack that reads the one above, as far as that is asked about. */
const reading = JSON.stringify({
  deployment: {
    resources: [
      {
        urn: "urn:pulumi:prod::apps::pulumi:pulumi:StackReference::platform",
        type: "pulumi:pulumi:StackReference",
        inputs: { name: "organization/throw-away/test" },
      },
    ],
  },
});
const alone = JSON.stringify({ deployment: { resources: [] } });

async function reviewedBy(...states: readonly string[]) {
  const { stdout, log } = await stack.preview("--json");
  const files = [stdout, log, ...states].map((text, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, text);
    return file;
  });
  const [preview = "", events = "", ...others] = files;
  const program = join(import.meta.dirname, "../../provider/dist/review/main.js");
  return spawnSync(process.execPath, [program, preview, events, ...others.flatMap((file) => ["--stack-state", file])], {
    encoding: "utf8",
  });
}

test("an output that vanishes needs approval, unless the states of the others do not read it", async () => {
  stack.write(program("export const network = net.vpcId;"));
  const unknown = await reviewedBy();
  expect([unknown.status, unknown.stdout.replaceAll(/\s+/g, " ")]).toEqual([
    3,
    expect.stringContaining("stack loses its output range. A stack that reads"),
  ]);
  const read = await reviewedBy(alone, reading);
  expect([read.status, read.stdout.replaceAll(/\s+/g, " ")]).toEqual([3, expect.stringContaining("range, which apps/prod reads")]);
  expect((await reviewedBy(alone)).status).toBe(0);
});

test("an output with another value is told where somebody reads it", async () => {
  stack.write(program('export const network = net.vpcId; export const range = "10.0.0.0/8";'));
  const read = await reviewedBy(reading);
  expect([read.status, read.stdout.replaceAll(/\s+/g, " ")]).toEqual([
    3,
    expect.stringContaining("stack gets another value of its output range, which apps/prod reads"),
  ]);
  expect((await reviewedBy()).status).toBe(0);
});

test("a registry that is deleted takes its outputs along", () => {
  expect(reviewed("registryDeleted").reasons.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(/^loses the outputs imagePrefix, pullSecret, registryServer/),
  );
});

test("references are found in a state, in a preview and in an event log, and by the ends of their names", () => {
  const [state] = readersIn(reading);
  expect(state).toEqual({ stack: "apps/prod", reads: "organization/throw-away/test" });
  expect(readersIn(reading.replaceAll("\n", "").concat("\n", alone))).toEqual([state]);
  expect(() => readersIn("nothing of Pulumi's")).toThrow("neither a state");
  const named = (reads: string) => readersOf([{ stack: "apps/prod", reads }], "throw-away", "test");
  expect(["test", "throw-away/test", "acme/throw-away/test"].map((reads) => named(reads).length)).toEqual([1, 1, 1]);
  expect(["other", "throw-away/other", "else/test"].map((reads) => named(reads).length)).toEqual([0, 0, 0]);
});
