import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { judged, measured, type Phase, phases, sample, tableOf, type Verdict } from "./faults.ts";
import type { Moment } from "./ground.ts";
import { StandInGround } from "./stand-in-ground.ts";

const parts = isLong ? 10 : 1;
/** Cases of each phase in the short form. */
const few = 1;

/** Fails the calls of some phases, one at a time; in its long form each of them, in parts. */
export function faultsIn(some: readonly Phase[]): void {
  let ground: StandInGround;
  let nothing: Moment;
  let deployed: Moment;
  const verdicts: (Verdict & { readonly phase: string })[] = [];

  beforeAll(async () => {
    ground = await StandInGround.open();
    nothing = await ground.moment();
    if (some.every((phase) => phase === phases.firstUp)) return;
    await ground.up(phases.firstUp.program);
    await ground.anew();
    deployed = await ground.moment();
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
    if (verdicts.length > 0) console.log(tableOf(verdicts));
  });

  describe.each(some)("$name", (phase) => {
    test.each(Array.from({ length: parts }, (_, index) => index + 1))(
      `whatever call fails, the next run goes on, and nothing is made twice or left behind: part %i of ${parts}`,
      async (part) => {
        const from = phase === phases.firstUp ? nothing : deployed;
        await ground.goTo(from);
        const whole = await measured(ground, phase);
        const cases = isLong ? whole.cases.filter((_, index) => index % parts === part - 1) : sample(whole.cases, few, phase.name.length);
        const mine: typeof verdicts = [];
        for (const one of cases) {
          await ground.goTo(from);
          mine.push({ phase: phase.name, ...(await judged(ground, whole, one)) });
        }
        verdicts.push(...mine);
        expect(mine.length).toBeGreaterThan(0);
        expect(mine.filter(({ shortOf }) => shortOf.length > 0)).toEqual([]);
        expect(ground.printed).toEqual([]);
      },
    );
  });
}
