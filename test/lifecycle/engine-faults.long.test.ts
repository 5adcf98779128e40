import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { EngineGround } from "./engine-ground.ts";
import { judged, measured, type Phase, phases, sample, tableOf, type Verdict } from "./faults.ts";
import { flagship } from "./flagship.ts";
import type { Moment } from "./ground.ts";

/** Cases of each phase. */
const few = isLong ? 8 : 1;

/** In the short form, the network of the flagship alone. */
const network = flagship().slice(0, 3);
const firstUp: Phase = isLong ? phases.firstUp : { name: "first up of a network", program: network, run: (ground) => ground.up(network) };
const some: readonly Phase[] = isLong ? Object.values(phases) : [firstUp];

describe("calls that fail under the real engine", () => {
  let ground: EngineGround;
  let nothing: Moment;
  let deployed: Moment;
  const verdicts: (Verdict & { readonly phase: string })[] = [];

  beforeAll(async () => {
    ground = await EngineGround.open();
    nothing = await ground.moment();
    if (!isLong) return;
    await ground.up(firstUp.program);
    deployed = await ground.moment();
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
    if (verdicts.length > 0) console.log(tableOf(verdicts));
  });

  test.each(some)("$name: the next run goes on, and nothing is made twice or left behind", { timeout: 1_200_000 }, async (phase) => {
    const whole = await measured(ground, phase, phase === firstUp ? nothing : deployed);
    const mine: typeof verdicts = [];
    for (const one of sample(whole.cases, few, phase.name.length)) mine.push({ phase: phase.name, ...(await judged(ground, whole, one)) });
    verdicts.push(...mine);
    expect(mine).toHaveLength(few);
    expect(mine.filter(({ shortOf }) => shortOf.length > 0)).toEqual([]);
  });
});
