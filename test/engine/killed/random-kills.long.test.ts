import { expect, test } from "vitest";
import { isLong, seededNumbers } from "../../../sdk/src/long.fixture.ts";
import { oneOfEach } from "../../provider/kinds/one-of-each.ts";
import { partsIn } from "../../support/forms.ts";
import { type Kill, Victim } from "./random-kills.ts";

/** How many kills of each kind the long form has, and into how many parts they are divided. */
const many = 100;
const parts = isLong ? 20 : 1;
/** The rounds in a part. In each round one of the two is killed during an `up`, and the other one during the next. */
const rounds = isLong ? many / parts : 1;

test.each(partsIn(parts))(
  `$form: after engine or provider was killed at any moment of up, the next one continues, and nothing is lost or made twice: part $part`,
  async ({ form, part }) => {
    const seed = isLong ? part : Date.now();
    const draw = seededNumbers(seed);
    await using victim = await Victim.of([oneOfEach("one"), oneOfEach("two")], 2000, form);
    const failed: { readonly kills: readonly Kill[]; readonly problems: readonly string[] }[] = [];
    for (let round = 0; round < rounds; round++) {
      const victims = round % 2 === 0 ? (["engine", "provider"] as const) : (["provider", "engine"] as const);
      const kills = victims.map((who): Kill => ({ victim: who, moment: draw() }));
      const problems = await victim.round(kills);
      if (problems.length > 0) failed.push({ kills, problems });
    }
    if (isLong)
      console.log(
        `${form}, part ${part}: ${rounds} kills of each, ${failed.length} rounds failed, ${victim.repaired} states were repaired`,
      );
    expect(failed, `seed ${seed}`).toEqual([]);
  },
  1_200_000,
);
