import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { EngineGround } from "./engine-ground.ts";
import { changed, flagship } from "./flagship.ts";
import type { Ground, RunOutcome } from "./ground.ts";
import type { Program } from "./program.ts";
import { StandInGround } from "./stand-in-ground.ts";

/** The engine's stand-in does what the engine does: the same to the same resources, with the same calls that change something. */

const network = (range: string) => flagship(range).slice(0, 3);

/** A VPC, its block and a subnet; the VPC alone, under another name; and a VPC that cannot come, because the two overlap. */
const small: readonly Program[] = [
  network("10.0.0.0/16"),
  network("10.0.0.0/16")
    .slice(0, 1)
    .map((part) => ({ ...part, name: "renamed", aliases: [part.name] })),
  network("10.0.0.0/17"),
];

/** The flagship, changed, made anew beside the old one, and in place of it. */
const large: readonly Program[] = [flagship(), changed(flagship()), flagship("10.1.0.0/16"), flagship("10.1.0.0/17")];

const ladder: readonly (readonly [string, readonly Program[]])[] = isLong
  ? [
      ["a network", small],
      ["the flagship", large],
    ]
  : [["a network", [network("10.0.0.0/16"), network("10.0.0.0/17")]]];

function told({ deeds, calls, failure }: RunOutcome): object {
  const writes = calls.filter(({ effect, code }) => effect === "write" && code === "").map(({ action }) => action);
  // The engine confirms in the order in which things were finished, and puts together what it can.
  return { deeds: deeds.toSorted(), writes: writes.toSorted(), failed: failure !== undefined };
}

async function lived(ground: Ground, programs: readonly Program[]): Promise<readonly object[]> {
  const rungs: object[] = [];
  const refresh = isLong ? [() => ground.refresh()] : [];
  for (const run of [...programs.map((program) => () => ground.up(program)), ...refresh, () => ground.destroy()]) {
    const outcome = await run();
    const calls = [...outcome.calls, ...(await ground.anew())];
    const names = isLong ? (await ground.named()).map(({ type, name, fate }) => `${type} ${name} ${fate}`) : [];
    rungs.push({ ...told({ ...outcome, calls }), names: names.toSorted(), contents: await ground.contents() });
  }
  return rungs;
}

test.each(ladder)("%s: up after up, refresh and destroy", async (_, programs) => {
  await using standIn = await StandInGround.open();
  await using engine = await EngineGround.open();
  const played = await lived(standIn, programs);
  expect(played).toEqual(await lived(engine, programs));
});
