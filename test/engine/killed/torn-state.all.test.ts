/** The engine alone writes the file of a state, and reads it: half of one is repaired before it starts. */
import { execFileSync } from "node:child_process";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../support/compiler.ts";
import { Stack } from "../../support/stack.ts";

const program = `
import { Vpc } from "@container-platform/pulumi";
new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
`;

/** As `npm run up` does, before it starts the engine. */
function mend(folder: string): void {
  const script = `import { mendTornState } from "${join(root, "scripts", "stack.js")}"; mendTornState(${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", script]);
}

test("a state that a killed engine has left half written can be read again, and loses nothing", async () => {
  await using stack = await Stack.create({ program });
  await stack.up();
  const states = join(stack.folder, "state");
  const file = join(states, ".pulumi", "stacks", "throw-away", "test.json");

  truncateSync(`${file}.attrs`);
  expect((await stack.fails("preview")).output).toContain("EOF");
  mend(states);
  await stack.preview("--expect-no-changes");

  truncateSync(file, 100);
  expect((await stack.fails("preview")).output).toContain("load");
  mend(states);
  expect(readFileSync(file, "utf8")).toBe(readFileSync(`${file}.bak`, "utf8"));
  await stack.up();
  await stack.up("--expect-no-changes");
  expect(stack.count("vpcs")).toBe(1);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
