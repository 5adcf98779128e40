import { expect, test } from "vitest";
import { widthOf } from "./width.ts";

test.each([
  ["abc", 3],
  ["生物", 4],
  ["ｱｲｳ", 3],
  ["\u3000", 2],
  ["⚠️", 2],
  ["🇩🇪", 2],
  ["👍🏽", 2],
  ["©", 1],
  ["e\u0301", 1],
  ["\u001b[31mred\u001b[39m", 3],
  ["\u1112\u1161\u11ab", 2],
])("%j takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});
