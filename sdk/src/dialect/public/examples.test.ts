import { expect, test } from "vitest";
import { publishedExamples, unread, wrongIn } from "./examples.fixture.ts";

test("the calls and answers that the vendor publishes as examples are read, but for those that are explained", async () => {
  const read = { request: 0, answer: 0 };
  const all = { request: 0, answer: 0 };
  const unexplained: string[] = [];
  const used = new Set<(typeof unread)[number]>();
  for (const example of publishedExamples()) {
    const { action, part } = example;
    const wrong = await wrongIn(example);
    all[part]++;
    if (wrong === undefined) read[part]++;
    else {
      const known = unread.find((one) => one.action === action && one.part === part && one.wrong.test(wrong));
      if (known) used.add(known);
      else unexplained.push(`${part} ${action}: ${wrong}`);
    }
  }
  console.log(`${read.request} of ${all.request} calls and ${read.answer} of ${all.answer} answers are read, as published`);
  expect(unexplained).toEqual([]);
  expect(unread.filter((one) => !used.has(one))).toEqual([]);
  expect(Math.min(all.request, all.answer)).toBeGreaterThan(100);
});
