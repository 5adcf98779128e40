import type { WorldControl, WorldStatus } from "../../local/control/control.ts";
import { timeScaleNamed, timeScales } from "../../local/time-scale.ts";
import type { Json } from "../../operation/codec.ts";
import type { Given } from "../command/arguments.ts";
import { UsageError } from "../run/failures.ts";
import { outputOptions } from "../command/options.ts";
import { showing } from "../output/showing.ts";
import { commandOf } from "../command/usage.ts";
import { durationFrom, momentFrom } from "./times.ts";
import { emulatorOptions, onEmulator } from "./reach.ts";

const options = { ...emulatorOptions, ...outputOptions };

type Act = (control: WorldControl) => Promise<WorldStatus>;

/** Does something to the emulator, and prints its status. */
async function shown(given: Given<typeof options>, act: Act, making: boolean): Promise<void> {
  const show = await showing(given);
  await onEmulator(
    given,
    async (control, name) => {
      show(dataOf(await act(control), name), "emulator");
    },
    { making },
  );
}

function dataOf({ time, ...status }: WorldStatus, name: string): Json {
  return { emulator: name, time: new Date(time).toISOString(), ...status };
}

/** `cpcli emulator show`. */
export const runShow = commandOf({ name: "emulator show", options }, ({ given }) => shown(given, (control) => control.status(), false));

/** `cpcli emulator time-scale instant`. */
export const runTimeScale = commandOf(
  {
    name: "emulator time-scale",
    words: ["<time-scale>"],
    choices: [timeScales],
    options,
    more: `Time scales: ${timeScales.join(", ")}. Applies to changes that begin later. A change in progress keeps its duration:
to skip the wait, use \`cpcli emulator clock --advance\`.
`,
  },
  ({ words: [name = ""], given }) => {
    const timeScale = timeScaleNamed(name);
    return shown(given, (control) => control.setTimeScale(timeScale), true);
  },
);

const clock = {
  name: "emulator clock",
  options: {
    freeze: { summary: "Stops the clock." },
    set: { value: "TIME", summary: "Sets the clock to a time, such as 2026-01-31T12:00:00Z." },
    advance: { value: "DURATION", summary: "Moves the clock forward, for example by 90s, 31m or 1h30m." },
    unfreeze: { summary: "Starts the clock again from its time." },
    ...options,
  },
  more: "Applies the options in this order. Every change that takes time, such as a creation or an expiry, follows this clock.\n",
} as const;

/** `cpcli emulator clock --advance 31m`. */
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
    throw new UsageError("cpcli emulator clock takes --set, --advance, --freeze or --unfreeze", "`cpcli emulator show` prints the clock.");
  const all: Act = async (control) => {
    let status = await control.status();
    for (const act of asked) status = await act(control);
    return status;
  };
  await shown(given, all, true);
});
