import { afterAll, expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { EngineGround } from "./engine-ground.ts";
import { judged, measured, type Phase, phases, sample, tableOf, type Verdict } from "./faults.ts";
import { flagship } from "./flagship.ts";
import type { Ground } from "./ground.ts";
import { StandInGround } from "./stand-in-ground.ts";

/** Cases of each phase. */
const few = isLong ? 4 : 1;

/** In the short form, the network of the flagship alone. */
const network = flagship().slice(0, 3);
const some: readonly Phase[] = isLong
  ? Object.values(phases)
  : [{ name: "first up of a network", program: network, run: (ground) => ground.up(network) }];

const verdicts: (Verdict & { readonly phase: string })[] = [];
afterAll(() => {
  if (verdicts.length > 0) console.log(tableOf(verdicts));
});

/** Where a phase begins. */
async function begun(ground: Ground, phase: Phase): Promise<void> {
  if (phase.name.startsWith("first up")) return;
  expect(await ground.up(phases.firstUp.program)).toMatchObject({ failure: undefined });
  await ground.anew();
}

test.each(some)("$name through the real engine: the run after a failed call goes on", { timeout: 1_200_000 }, async (phase) => {
  await using standIn = await StandInGround.open();
  await begun(standIn, phase);
  const whole = await measured(standIn, phase);
  const mine: typeof verdicts = [];
  for (const one of sample(whole.cases, few, phase.name.length)) {
    await using ground = await EngineGround.open();
    await begun(ground, phase);
    mine.push({ phase: phase.name, ...(await judged(ground, whole, one)) });
  }
  verdicts.push(...mine);
  expect(mine).toHaveLength(few);
  expect(mine.filter(({ shortOf }) => shortOf.length > 0)).toEqual([]);
});
