import type { Run } from "../command/command.ts";
import { groupOf } from "../command/group.ts";

/** `cpcli world`: what tests need of a local platform besides its operations. */
export const runWorld: Run = groupOf(
  "world",
  new Map([
    ["show", { summary: "Prints its clock, pace and seed.", load: () => import("./clock.ts").then(({ runShow }) => runShow) }],
    ["clock", { summary: "Sets, moves, stops or starts its clock.", load: () => import("./clock.ts").then(({ runClock }) => runClock) }],
    ["pace", { summary: "Sets how fast changes are that begin later.", load: () => import("./clock.ts").then(({ runPace }) => runPace) }],
    [
      "faults",
      { summary: "Lists and asks for what is to go wrong.", load: () => import("./faults.ts").then(({ runFaults }) => runFaults) },
    ],
    ["reset", { summary: "Makes it empty.", load: () => import("./content.ts").then(({ runReset }) => runReset) }],
    [
      "snapshot",
      { summary: "Prints or writes the whole world.", load: () => import("./content.ts").then(({ runSnapshot }) => runSnapshot) },
    ],
    ["restore", { summary: "Makes it what a snapshot says.", load: () => import("./content.ts").then(({ runRestore }) => runRestore) }],
  ]),
);
