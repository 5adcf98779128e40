import { expect, test } from "vitest";
import { Translator } from "../translator.ts";
import { publicDifferences } from "./differences.ts";
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

test("an answer that nobody else has is translated to the same as one that others have, which stays as it is", async () => {
  const translator = new Translator(publicDifferences);
  const answers = publishedExamples().filter(({ part }) => part === "answer");
  // Twice: what was written into the first must not be a rule's own value.
  for (const { product, action, version, body } of [...answers, ...answers]) {
    const call = { product, action, version, region: "" };
    const shared = structuredClone(body);
    const read = await translator.answer(call, shared, "here");
    expect(shared).toEqual(body);
    expect(await translator.answer(call, structuredClone(body), "here", true), action).toEqual(read);
  }
});
