import { expect, test } from "vitest";
import { isLong, seededNumbers } from "../../sdk/src/long.fixture.ts";
import { oneOfEach } from "./programs.ts";
import { type Kill, Victim } from "./random-kills.ts";

/** Kills of each kind in the long form, and the parts that they come in. */
const many = 100;
const parts = isLong ? 20 : 0;

test.runIf(!isLong)(
  "engine and provider are killed in the middle of an up: the next one goes on, and nothing is lost or made twice",
  async () => {
    await using victim = await Victim.of(oneOfEach(), 1000);
    const seed = Date.now();
    const draw = seededNumbers(seed);
    // Early on, so that something is left to do for the second one.
    const kills = (["engine", "provider"] as const).map((who): Kill => ({ victim: who, moment: draw() / 2 }));
    expect(await victim.live(kills), `seed ${seed}`).toEqual([]);
  },
);

test.each(Array.from({ length: parts }, (_, index) => index + 1))(
  `killed at any moment of up, the next one goes on, and nothing is lost or made twice: part %i of ${parts}`,
  async (part) => {
    await using victim = await Victim.of(oneOfEach(), 2000);
    const draw = seededNumbers(part);
    const short: [kill: Kill, of: readonly string[]][] = [];
    for (let round = 0; round < many / parts; round++)
      for (const who of ["engine", "provider"] as const) {
        const kill = { victim: who, moment: draw() };
        const of = await victim.live([kill]);
        if (of.length > 0) short.push([kill, of]);
      }
    console.log(
      `part ${part}: ${many / parts} kills of the engine and ${many / parts} of the provider, ${short.length} fell short; states mended: ${victim.mended}`,
    );
    expect(short, `seed ${part}`).toEqual([]);
  },
  1_200_000,
);
