import { expect, test } from "vitest";
import { QuietChecks } from "./quiet-checks.ts";

const urnOf = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/container-platform:Vpc::${name}`;
const check = (checks: QuietChecks, name: string, ...reasons: readonly string[]) =>
  checks.checking(
    urnOf(name),
    () => Promise.resolve(),
    () => reasons,
  );

test("what waits to be written is not written after a refusal, although others are checked after that", async () => {
  const checks = new QuietChecks();
  await check(checks, "first");
  const write = expect(checks.beforeWriting(urnOf("first"), "created")).rejects.toThrow(
    'not created, because Vpc "wrong" is refused: no range',
  );
  await check(checks, "wrong", "no range");
  await check(checks, "last");
  await write;
});

test("a new attempt, when nothing waits any more, begins without the refusal of the last one", async () => {
  const checks = new QuietChecks();
  await check(checks, "wrong", "no range");
  await check(checks, "wrong");
  await expect(checks.beforeWriting(urnOf("wrong"), "created")).resolves.toBeUndefined();
});
