import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalControl } from "@container-platform/sdk/local";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { Stack } from "../support/stack.ts";
import { type Attack, attacks, program } from "./attacks.ts";
import { claimed, done, orderIn } from "./claimed.ts";
import { reviewOfTexts } from "./reviewed.ts";
import { nameOf } from "../support/pulumi.ts";

/** Changes that look harmless, or are claimed to be carried out and are not: what the review says is held against what `up` does. */

const all = Object.entries(attacks);
const some = isLong ? all : all.filter(([name]) => name.startsWith("a VPC deleted"));

let stack: Stack;
let goBack: () => Promise<void>;
let ids: readonly (readonly [string, string])[];
beforeAll(async () => {
  stack = await Stack.create({ program });
  await stack.up();
  const [world, { stdout: state }] = [await new LocalControl(stack.world).snapshot(), await stack.ok("stack", "export")];
  ids = [
    ["WEB", (await stack.resource("SecurityGroup web")).id ?? ""],
    ["TEAM", (await stack.resource("Namespace team")).id ?? ""],
  ];
  goBack = async () => {
    await new LocalControl(stack.world).restore(world);
    writeFileSync(join(stack.folder, "before.json"), state);
    await stack.ok("stack", "import", "--file", "before.json");
  };
}, 300_000);
afterAll(() => stack[Symbol.asyncDispose]());

const withIds = (text: string) => ids.reduce((sum, [name, id]) => sum.replaceAll(`"${name}"`, `"${id}"`), text);

test.for(some)(
  "%s",
  { timeout: 300_000 },
  async ([, { programs, options = [], verdict, codes, leaves = {} }]: readonly [string, Attack]) => {
    const [last = program, ...before] = programs.toReversed().map(withIds);
    try {
      for (const text of before.toReversed()) {
        stack.write(text);
        await stack.up();
      }
      stack.write(last);
      const preview = await stack.start("preview", "--json", "--show-sames", "--show-replacement-steps", ...options).ended;
      const report = reviewOfTexts([preview.stdout, preview.log].filter((text) => text.trim().startsWith("{")));
      const said = report.reasons.map(({ code, called = "", sentence }) => `${code}: ${called}: ${sentence}`).join("\n");
      expect([report.verdict, [...new Set(report.reasons.map(({ code }) => code))].toSorted()], said).toEqual([verdict, codes.toSorted()]);
      const up = await stack.start("up", "--yes", "--skip-preview", ...options).ended;
      expect(up.code === 0, `${said}\n${up.output}`).toBe(verdict !== "blocked");
      if (verdict === "blocked") return;
      expect(claimed(report.changes)).toEqual(done(up));
      for (const { urn, order, operation } of report.changes)
        if (operation === "replace") expect([urn, order]).toEqual([urn, orderIn(up, nameOf(urn))]);
      for (const [table, count] of Object.entries(leaves)) expect([table, stack.count(table)]).toEqual([table, count]);
    } finally {
      await goBack();
    }
  },
);
