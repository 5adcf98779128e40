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

test("nothing begins after a refusal, also if that was the first check of all and nothing waited yet", async () => {
  const checks = new QuietChecks();
  await check(checks, "wrong", "no range");
  await check(checks, "first");
  await check(checks, "last");
  for (const name of ["first", "last"])
    await expect(checks.beforeWriting(urnOf(name), "created")).rejects.toThrow('not created, because Vpc "wrong" is refused: no range');
});

test("a resource that is checked again, and is right then, refuses nothing any more", async () => {
  const checks = new QuietChecks();
  await check(checks, "wrong", "no range");
  await check(checks, "wrong");
  await expect(checks.beforeWriting(urnOf("wrong"), "created")).resolves.toBeUndefined();
});
