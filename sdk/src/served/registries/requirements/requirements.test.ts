import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStage, type Stage } from "../stage.fixture.ts";
import { categories } from "./requirements.fixture.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe.each(categories)("$name", ({ requirements }) => {
  test.each(requirements.map(({ says, prove }, index) => ({ says, prove, index })))("$says", async ({ says, prove, index }) => {
    await prove(stage, `team/${says.replace(/[^a-z]+/g, "").slice(0, 20)}-${index}`);
    expect(stage.mistakes).toEqual([]);
  });
});
