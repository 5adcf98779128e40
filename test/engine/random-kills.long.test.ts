import { expect, test } from "vitest";
import { isLong, seededNumbers } from "../../sdk/src/long.fixture.ts";
import { oneOfEach } from "./programs.ts";
import { type Kill, Victim } from "./random-kills.ts";

/** Kills of each kind in the long form, and the parts that they come in. */
const many = 100;
const parts = isLong ? 20 : 1;
/** Lives in a part: in each, one of the two is killed in an `up`, and the other one in the next. */
const lives = isLong ? many / parts : 1;

test.each(Array.from({ length: parts }, (_, index) => index + 1))(
  `engine and provider are killed at any moment of up: the next one goes on, and nothing is lost or made twice: part %i of ${parts}`,
  async (part) => {
    const seed = isLong ? part : Date.now();
    const draw = seededNumbers(seed);
    await using victim = await Victim.of([oneOfEach("one"), oneOfEach("two")], 2000);
    const short: { readonly kills: readonly Kill[]; readonly of: readonly string[] }[] = [];
    for (let life = 0; life < lives; life++) {
      const victims = life % 2 === 0 ? (["engine", "provider"] as const) : (["provider", "engine"] as const);
      const kills = victims.map((who): Kill => ({ victim: who, moment: draw() }));
      const of = await victim.live(kills);
      if (of.length > 0) short.push({ kills, of });
    }
    if (isLong) console.log(`part ${part}: ${lives} kills of each, ${short.length} lives fell short, ${victim.mended} states were mended`);
    expect(short, `seed ${seed}`).toEqual([]);
  },
  1_200_000,
);
