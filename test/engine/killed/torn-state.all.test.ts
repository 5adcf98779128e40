/** The engine alone writes the file of a state, and reads it: half of one is repaired before it starts. */
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mendTornState } from "../../../scripts/stack.js";
import { Stack } from "../../support/stack.ts";

const program = `
import { Vpc } from "@container-platform/pulumi";
new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;

// `npm run up` mends it before it starts the engine.
test("a state that a killed engine has left half written can be read again, and loses nothing", async () => {
  await using stack = await Stack.create({ program });
  await stack.up();
  const states = join(stack.folder, "state");
  const file = join(states, ".pulumi", "stacks", "throw-away", "test.json");

  truncateSync(`${file}.attrs`);
  expect((await stack.fails("preview")).output).toContain("EOF");
  mendTornState(states);
  await stack.preview("--expect-no-changes");

  truncateSync(file, 100);
  expect((await stack.fails("preview")).output).toContain("load");
  mendTornState(states);
  expect(readFileSync(file, "utf8")).toBe(readFileSync(`${file}.bak`, "utf8"));
  await stack.up();
  await stack.up("--expect-no-changes");
  expect(stack.count("vpcs")).toBe(1);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
