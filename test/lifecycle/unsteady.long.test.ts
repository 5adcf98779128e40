import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { partsIn } from "../support/forms.ts";
import { EngineStack } from "./engine-stack.ts";
import { flagship } from "./flagship.ts";

/** In the short form, the network of the flagship alone. */
const program = isLong ? flagship() : flagship().slice(0, 3);

const seeds = isLong ? ["one", "two", "three", "four"] : ["one"];

test.each(partsIn(seeds.length))(
  "$form: a platform that carries out what it is asked, and answers 30 of 100 times that it is unavailable, needs two runs at most: seed $part",
  { timeout: 600_000 },
  async ({ form, part }) => {
    await using stack = await EngineStack.open(form);
    stack.faults.add({ when: "after", probability: 0.3, code: "ResourceUnavailable", seed: seeds[part - 1] ?? "" });
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
