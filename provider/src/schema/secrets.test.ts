import { expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { Veil } from "./secrets.ts";

const { kind } = await kinds.Vpc();
const [short, long] = ["hunter2-secret", "prefix-hunter2-secret-suffix"];

test.each([
  ["the shorter first", [short, long]],
  ["the longer first", [long, short]],
])("of two secrets, one of which contains the other, no part is shown: %s", (_, known) => {
  const veil = new Veil();
  for (const vpcName of known) veil.note(kind, "urn", { vpcName }, ["vpcName"]);
  const shown = veil.hide(`${long} and ${short}`);
  expect(shown).not.toMatch(/hunter2|prefix|suffix/);
  expect(shown).toMatch(/^\S+ and \S+$/);
  expect(JSON.stringify(veil.hideIn({ a: [long, { b: short }] }))).not.toMatch(/hunter2|prefix|suffix/);
});
