import { isDeepStrictEqual } from "node:util";
import { Garden } from "./garden.ts";
import type { Ground, RunOutcome } from "./ground.ts";
import { byHand, edited, type Step } from "./steps.ts";
import { orphansIn } from "./world.ts";

/** What a program goes through, for the report of one that fell short. */
type Story = string[];

/** On a ground on which nothing is: lets a program go through some edits, each followed by a run, and all of it go in the end; throws if anything falls short. */
export async function lived(ground: Ground, sequence: readonly Step[]): Promise<Story> {
  const [garden, story] = [new Garden(), [] as Story];
  try {
    for (const step of sequence) await stepped(ground, garden, step, story);
    await released(ground, garden, story);
    if (await ground.tellsSecrets()) throw new Error("a secret was told in clear");
    story.push("destroy");
    held(story, await ground.destroy());
    const left = await ground.contents();
    if (!isDeepStrictEqual(left, {})) throw new Error(`left: ${JSON.stringify(left)}`);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nafter:\n  ${story.join("\n  ")}`, { cause: error });
  }
  return story;
}

async function stepped(ground: Ground, garden: Garden, step: Step, story: Story): Promise<void> {
  // What is protected has to be let go in a run before it can be replaced or deleted.
  if (["remove", "replace", "halve"].includes(step.edit)) await released(ground, garden, story);
  const hand = await byHand(step, ground.cloud, await ground.named());
  await edited(garden, step, ground.cloud);
  story.push([step.edit, hand && `(by hand: ${hand})`, step.fault && JSON.stringify(step.fault)].filter(Boolean).join(" "));
  if (story.length > 1) await ground.anew();
  await converged(ground, garden, { fault: step.fault, refreshing: hand !== undefined }, story);
  // From now on the program says neither what things were called before, nor what they were imported from.
  garden.editAll({ alias: undefined, imported: undefined });
  refuseDeeds(story, await ground.up(garden.program));
  // What a process has taken over it does not delete.
  if (step.edit === "import") await ground.anew();
}

/** A run, in which a call may fail, and one more if it did. */
async function converged(
  ground: Ground,
  garden: Garden,
  { fault, refreshing }: { readonly fault: Step["fault"]; readonly refreshing: boolean },
  story: Story,
): Promise<void> {
  const up = () => ground.up(garden.program, { refresh: refreshing });
  if (fault) ground.faults.add({ nth: fault.nth, when: fault.when, ...(fault.lost ? {} : { code: "FailedOperation" }) });
  const first = await up();
  ground.faults.clear();
  story.push(`up: ${first.deeds.join(", ")}${first.failure === undefined ? "" : `: ${first.failure}`}`);
  // What somebody has made by hand is theirs until a run has adopted it.
  const theirs = new Set(garden.plants.map(({ imported }) => imported));
  const orphans = orphansIn(await ground.world(), await ground.named()).filter((id) => first.failure === undefined || !theirs.has(id));
  if (orphans.length > 0) throw new Error(`not in the state: ${orphans.join(", ")}`);
  if (first.failure === undefined) return;
  if (!fault) throw new Error("it failed without a fault");
  await ground.anew();
  const second = await up();
  story.push(`up: ${second.deeds.join(", ")}`);
  held(story, second);
}

/** Lets go of what is protected. */
async function released(ground: Ground, garden: Garden, story: Story): Promise<void> {
  if (!garden.plants.some(({ protect }) => protect)) return;
  garden.editAll({ protect: false });
  story.push("protect nothing");
  const { deeds, failure } = await ground.up(garden.program);
  refuseDeeds(story, { deeds, failure, calls: [] });
}

function held(story: Story, { failure }: RunOutcome): void {
  if (failure === undefined) return;
  story.push(failure);
  throw new Error("a run without a fault failed");
}

function refuseDeeds(story: Story, outcome: RunOutcome): void {
  held(story, outcome);
  const writes = outcome.calls.filter(({ effect }) => effect === "write").map(({ action }) => action);
  if (outcome.deeds.length + writes.length > 0) throw new Error(`there was still to do: ${[...outcome.deeds, ...writes].join(", ")}`);
}
