import { expect, test } from "vitest";
import { unreadable } from "../../scripts/syntax.ts";

const using = "async function run() { await using stack = open(); }\n";

test.each([
  ["dist/index.js", "export const one = class { static #two = 2; };", undefined],
  ["dist/index.js", using, "dist/index.js cannot be read by Node 22.19: "],
  ["dist/index.js", "export const pattern = /(?i:a)b/;", "dist/index.js cannot be read by Node 22.19: "],
  ["bin/cpcli.cjs", '#!/usr/bin/env node\n"use strict";\nimport("../dist/cli/main.js");', undefined],
  ["dist/cjs/index.js", '"use strict";\nmodule.exports = require("../index.js");', undefined],
  ["dist/cjs/index.js", "const entryPoint = 1;", "dist/cjs/index.js cannot be read by old Nodes: "],
  ["dist/node-version.js", "let found;", "dist/node-version.js cannot be read by old Nodes: "],
])("%s: %j", (path, text, says) => {
  const said = unreadable(path, text, ">=22.19");
  expect(said?.slice(0, says?.length)).toBe(says);
});

test("a Node whose language is not known is no Node that reads it", () => {
  expect(unreadable("dist/index.js", "", ">=30.1")).toBe("scripts/syntax.ts does not know which edition of the language Node >=30.1 reads");
});
