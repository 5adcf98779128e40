import { expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { Redactor } from "./secrets.ts";

const { kind } = await kinds.Vpc();
const [short, long] = ["hunter2-secret", "prefix-hunter2-secret-suffix"];

test.each([
  ["the shorter first", [short, long]],
  ["the longer first", [long, short]],
])("of two secrets, one of which contains the other, no part is shown: %s", (_, known) => {
  const redactor = new Redactor();
  for (const vpcName of known) redactor.note(kind, "urn", { vpcName }, ["vpcName"]);
  const shown = redactor.hide(`${long} and ${short}`);
  expect(shown).not.toMatch(/hunter2|prefix|suffix/);
  expect(shown).toMatch(/^\S+ and \S+$/);
  expect(JSON.stringify(redactor.hideIn({ a: [long, { b: short }] }))).not.toMatch(/hunter2|prefix|suffix/);
});
