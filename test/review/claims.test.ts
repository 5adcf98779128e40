/** Only the real engine shows that its `up` does what the review of its preview says of a change of the flagship. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Change } from "../../provider/src/review/report.ts";
import { nameOf, operationsOf, type Outcome } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";
import { done, expectAsClaimed, wayBackOf } from "./claimed.ts";
import { base, changes, type Edit, furtherChanges, writeFlagship } from "./flagship-changes.ts";
import { reviewOfTexts } from "./reviewed.ts";

const { rename, label, whitelist, resize, permissionWidened, cidr, cidrOverlapping, versionUp, versionDown } = changes;
const { endpointClosed, tokenType, registryDeleted } = changes;
const { fewerNodes, protectionOn, described, published, fewerKept, groupOpened, otherMachines, registryRenamed, auditorLeft } =
  furtherChanges;

/** Changes that do not concern each other are made together. */
const together: Readonly<Record<string, readonly Edit[]>> = {
  "what can be undone": [...rename, ...label, ...whitelist, ...resize, ...permissionWidened, ...described, ...groupOpened],
  "what is changed, closed or made anew alone": [
    ...[...versionUp, ...fewerNodes, ...otherMachines, ...protectionOn, ...endpointClosed],
    ...[...tokenType, ...published, ...fewerKept, ...auditorLeft],
  ],
  "a range of the VPC that overlaps the old one": cidrOverlapping,
  "another range of the VPC, and another name of the registry": [...cidr, ...registryRenamed],
  "a registry that is deleted": registryDeleted,
  "a version that is lowered": versionDown,
};

let stack: Stack;
let goBack: () => Promise<void>;
beforeAll(async () => {
  stack = await Stack.ofExample("platform");
  writeFlagship(stack, base);
  await stack.up();
  goBack = await wayBackOf(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

test.for(Object.entries(together))("%s: what the review says is what up does", async ([, edits]) => {
  writeFlagship(stack, [...base, ...edits]);
  const report = reviewOfTexts(await stack.previewed());
  const calls = stack.calls().length;
  const up = await stack.start("up", "--yes", "--skip-preview").ended;
  try {
    expect(up.code === 0, up.output).toBe(report.verdict !== "blocked");
    if (report.verdict === "blocked") expect(stack.writesSince(calls)).toEqual([]);
    else await expectClaimsOf(report.changes, up);
  } finally {
    await goBack();
  }
});

async function expectClaimsOf(said: readonly Change[], up: Outcome): Promise<void> {
  expectAsClaimed(said, up);
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
