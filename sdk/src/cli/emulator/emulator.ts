import type { Run } from "../command/command.ts";
import { groupOf } from "../command/group.ts";

/** `cpcli emulator`: controls the emulator, besides its operations. */
export const runEmulator: Run = groupOf(
  "emulator",
  new Map([
    [
      "show",
      { summary: "Prints the clock, the time scale and the seed.", load: () => import("./clock.ts").then(({ runShow }) => runShow) },
    ],
    ["clock", { summary: "Sets, moves, stops or starts the clock.", load: () => import("./clock.ts").then(({ runClock }) => runClock) }],
    [
      "time-scale",
      { summary: "Sets how long later changes take.", load: () => import("./clock.ts").then(({ runTimeScale }) => runTimeScale) },
    ],
    ["faults", { summary: "Lists, adds and removes faults.", load: () => import("./faults.ts").then(({ runFaults }) => runFaults) }],
    ["reset", { summary: "Empties the database.", load: () => import("./content.ts").then(({ runReset }) => runReset) }],
    [
      "snapshot",
      {
        summary: "Prints or writes the whole database as JSON.",
        load: () => import("./content.ts").then(({ runSnapshot }) => runSnapshot),
      },
    ],
    [
      "restore",
      {
        summary: "Replaces the content of the database with a snapshot.",
        load: () => import("./content.ts").then(({ runRestore }) => runRestore),
      },
    ],
  ]),
);
