import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { repairBackend } from "../../support/backend.ts";
import { partsIn } from "../../support/forms.ts";
import { isRunning } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { command } from "../killed-runs.ts";

/** The first `up` of the example is killed at one of its calls, and the stack is taken down without another `up`. */

/** More than the calls of an `up`: the last ones meet none. */
const most = 130;
const parts = isLong ? 10 : 1;
/** In the short form: a call while the cluster is made. */
const few = [50];

/** Whether the platform has carried out so many calls of an `up`, which is killed then. */
async function killedAt(stack: Stack, nth: number): Promise<boolean> {
  stack.faults.clear();
  stack.faults.add({ nth, delay: 60_000 });
  const run = stack.start("up", "--yes", "--skip-preview");
  // A fault that has hit is gone.
  const isHit = () => stack.faults.list().length === 0;
  const over = run.ended.then(() => "over");
  while (!isHit())
    if ((await Promise.race([over, sleep(20)])) === "over") {
      stack.faults.clear();
      return false;
    }
  // The call has taken effect, and what was under way beside it may be answered.
  await sleep(100);
  const providers = run.providers();
  run.kill();
  await expect.poll(() => providers.filter(isRunning), { timeout: 20_000 }).toEqual([]);
  stack.faults.clear();
  repairBackend(stack.stateFile);
  await stack.ok("cancel", "--yes");
  return true;
}

/** What is not as it should be once the stack is taken down: by `destroy`, and then by the command that lists and deletes what is left. */
async function shortcomingsOf(stack: Stack, nth: number): Promise<readonly string[]> {
  const hadResources = (await stack.resources()).length > 0;
  const destroyed = await stack.start("destroy", "--yes", "--skip-preview").ended;
  const left = stack.leftovers();
  const isNamed = destroyed.code !== 0 && destroyed.output.includes("container-platform-import --leftovers --delete");
  const removed = await command(stack, "--leftovers", "--delete");
  const remaining = Object.entries(stack.leftovers());
  return [
    ...(hadResources && Object.keys(left).length > 0 && !isNamed
      ? [`call ${nth}: destroy left ${JSON.stringify(left)}: ${destroyed.output}`]
      : []),
    ...(removed.status === 0 ? [] : [`call ${nth}: --leftovers --delete: ${removed.stdout}${removed.stderr}`]),
    ...(remaining.length > 0 ? [`call ${nth}: at the end ${JSON.stringify(remaining)} is left`] : []),
  ];
}

test.each(partsIn(parts))(
  "$form: killed at any call of the first up, a stack is taken down without another up, and nothing is left: part $part",
  async ({ form, part }) => {
    await using stack = await Stack.ofExample("platform", { form });
    const calls = isLong ? Array.from({ length: most }, (_, index) => index + 1).filter((nth) => nth % parts === part - 1) : few;
    const shortcomings: string[] = [];
    let kills = 0;
    for (const nth of calls) {
      if (await killedAt(stack, nth)) kills++;
      shortcomings.push(...(await shortcomingsOf(stack, nth)));
    }
    console.log(`${form}, part ${part}: ${kills} kills, ${shortcomings.length} shortcomings`);
    expect(shortcomings).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  },
  900_000,
);
