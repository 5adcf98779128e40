import type { WorldControl, WorldStatus } from "../../local/control/control.ts";
import { timeScaleNamed, timeScales } from "../../local/time-scale.ts";
import type { Json } from "../../operation/codec.ts";
import type { Given } from "../command/arguments.ts";
import { UsageError } from "../run/failures.ts";
import { outputOptions } from "../command/options.ts";
import { showing } from "../output/showing.ts";
import { commandOf } from "../command/usage.ts";
import { durationFrom, momentFrom } from "./times.ts";
import { onWorld, worldOptions } from "./reach.ts";

const options = { ...worldOptions, ...outputOptions };

type Act = (control: WorldControl) => Promise<WorldStatus>;

/** Does something to a world, and prints its status. */
async function shown(given: Given<typeof options>, act: Act, making: boolean): Promise<void> {
  const show = await showing(given);
  await onWorld(
    given,
    async (control, name) => {
      show(dataOf(await act(control), name), "world");
    },
    { making },
  );
}

function dataOf({ time, ...status }: WorldStatus, name: string): Json {
  return { world: name, time: new Date(time).toISOString(), ...status };
}

/** `cpcli world show`. */
export const runShow = commandOf({ name: "world show", options }, ({ given }) => shown(given, (control) => control.status(), false));

/** `cpcli world pace instant`. */
export const runPace = commandOf(
  {
    name: "world pace",
    words: ["<pace>"],
    choices: [timeScales],
    options,
    more: "It holds for changes that begin later. What is under way takes as long as it was to take; `cpcli world clock --advance` shortens it.\n",
  },
  ({ words: [name = ""], given }) => {
    const timeScale = timeScaleNamed(name);
    return shown(given, (control) => control.setPace(timeScale), true);
  },
);

const clock = {
  name: "world clock",
  options: {
    freeze: { summary: "Stops it." },
    set: { value: "TIME", summary: "The time that it is to be, such as 2026-01-31T12:00:00Z." },
    advance: { value: "DURATION", summary: "How far it is moved forward, such as 90s, 31m or 1h30m." },
    unfreeze: { summary: "Lets it run on from where it stands then." },
    ...options,
  },
  more: "What is given is done in this order. What has to do with time, such as a creation or an expiry, goes by this clock.\n",
} as const;

/** `cpcli world clock --advance 31m`. */
export const runClock = commandOf(clock, async ({ given }) => {
  const { set, advance, freeze, unfreeze } = given;
  if (freeze && unfreeze) throw new UsageError("--freeze and --unfreeze are both given; give one of the two");
  const moment = set === undefined ? undefined : momentFrom("--set", set);
  const milliseconds = advance === undefined ? undefined : durationFrom("--advance", advance);
  const acts: readonly (Act | false | undefined)[] = [
    freeze && ((control) => control.freeze()),
    moment !== undefined && ((control) => control.setTime(moment)),
    milliseconds !== undefined && ((control) => control.advance(milliseconds)),
    unfreeze && ((control) => control.unfreeze()),
  ];
  const asked = acts.filter((act) => typeof act === "function");
  if (asked.length === 0)
    throw new UsageError("cpcli world clock takes --set, --advance, --freeze or --unfreeze", "`cpcli world show` prints it.");
  const all: Act = async (control) => {
    let status = await control.status();
    for (const act of asked) status = await act(control);
    return status;
  };
  await shown(given, all, true);
});
