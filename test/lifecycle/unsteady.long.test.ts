import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { forms } from "../support/forms.ts";
import { EngineStack } from "./engine-stack.ts";
import { flagship } from "./flagship.ts";

/** In the short form, the network of the flagship alone. */
const program = isLong ? flagship() : flagship().slice(0, 3);

const each = forms.flatMap((form) => (isLong ? ["one", "two", "three", "four"] : ["one"]).map((seed) => ({ form, seed })));

test.each(each)(
  "$form: a platform that carries out what it is asked, and answers 30 of 100 times that it is unavailable, needs two runs at most: seed $seed",
  { timeout: 600_000 },
  async ({ form, seed }) => {
    await using stack = await EngineStack.open(form);
    stack.faults.add({ when: "after", probability: 0.3, code: "ResourceUnavailable", seed });
    const failures: string[] = [];
    for (let run = 0; run < 2; run++) {
      const { failure } = await stack.up(program);
      await stack.restartProvider();
      if (failure === undefined) break;
      failures.push(failure);
    }
    expect(failures.slice(1)).toEqual([]);
    stack.faults.clear();
    expect((await stack.up(program)).operations).toEqual([]);
  },
);
