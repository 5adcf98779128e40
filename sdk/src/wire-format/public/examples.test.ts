import { expect, test } from "vitest";
import { Translator } from "../translator.ts";
import { publicDifferences } from "./differences.ts";
import { coverage, publishedExamples, type Unread, unread, wrongIn } from "./examples.fixture.ts";

test("the calls and answers that the vendor publishes as examples are read, but for those that are explained", async () => {
  const all = await Promise.all(publishedExamples().map(async (example) => ({ ...example, wrong: await wrongIn(example) })));
  const wrong = all.filter((one) => one.wrong !== undefined);
  const isOf = (known: Unread, one: (typeof all)[number]) =>
    known.action === one.action && known.part === one.part && known.wrong.test(one.wrong ?? "");
  expect(wrong.filter((one) => !unread.some((known) => isOf(known, one)))).toEqual([]);
  expect(unread.filter((known) => !wrong.some((one) => isOf(known, one)))).toEqual([]);
  const [calls, answers] = ["request", "answer"].map((part) => {
    const some = all.filter((one) => one.part === part);
    return `${some.length - some.filter((one) => wrong.includes(one)).length} of ${some.length}`;
  });
  expect(coverage).toContain(`\nThe translation reads ${calls} requests and ${answers} responses of the examples`);
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
