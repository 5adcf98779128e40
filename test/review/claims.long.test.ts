import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalControl } from "@container-platform/sdk/local";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Change } from "../../provider/src/review/report.ts";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { nameOf, operationsOf, type Outcome } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import { claimed, done, orderIn } from "./claimed.ts";
import { base, changes, type Edit, furtherChanges, writeFlagship } from "./flagship-changes.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** What the review of a change says, held against what `up` then does. */

const all: Readonly<Record<string, readonly Edit[]>> = { ...changes, ...furtherChanges };
const some = isLong ? Object.entries(all) : Object.entries(all).filter(([name]) => name === "permissionWidened");

let stack: Stack;
let goBack: () => Promise<void>;
beforeAll(async () => {
  stack = await Stack.ofExample("platform");
  writeFlagship(stack, base);
  await stack.up();
  const [world, { stdout: state }] = [await new LocalControl(stack.world).snapshot(), await stack.ok("stack", "export")];
  goBack = async () => {
    await new LocalControl(stack.world).restore(world);
    writeFileSync(join(stack.folder, "before.json"), state);
    await stack.ok("stack", "import", "--file", "before.json");
    writeFlagship(stack, base);
  };
}, 300_000);
afterAll(() => stack[Symbol.asyncDispose]());

test.for(some)("%s: what the review says is what up does", { timeout: 300_000 }, async ([, edits]) => {
  writeFlagship(stack, [...base, ...edits]);
  const preview = await stack.start("preview", "--json", "--show-sames", "--show-replacement-steps").ended;
  const report = reviewOfTexts([preview.stdout, preview.log].filter((text) => text.trim().startsWith("{")));
  const calls = stack.calls().length;
  const up = await stack.start("up", "--yes", "--skip-preview").ended;
  try {
    expect(up.code === 0, up.output).toBe(report.verdict !== "blocked");
    if (report.verdict === "blocked") expect(stack.writesSince(calls)).toEqual([]);
    else await expectAsClaimed(report.changes, up);
  } finally {
    await goBack();
  }
});

async function expectAsClaimed(said: readonly Change[], up: Outcome): Promise<void> {
  expect(claimed(said)).toEqual(done(up));
  for (const { urn, order, operation } of said) if (operation === "replace") expect([urn, order]).toEqual([urn, orderIn(up, nameOf(urn))]);
  const caused = said.flatMap(({ takesAlong }) => takesAlong).map(nameOf);
  const { deleted, replaced } = done(up);
  expect([...deleted, ...replaced]).toEqual(expect.arrayContaining(caused));
  if (!said.every(({ undo }) => undo.possible === "yes")) return;
  // What can be undone is undone by the program as it was.
  writeFlagship(stack, base);
  const undone = done(await stack.up());
  expect([
    ...undone.replaced.filter((name) => !replaced.includes(name)),
    ...undone.deleted.filter((name) => !done(up).created.includes(name)),
  ]).toEqual([]);
  expect(operationsOf(await stack.up("--refresh", "--expect-no-changes"))).toEqual({});
}
