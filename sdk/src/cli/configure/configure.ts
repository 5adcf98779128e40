import type { Run } from "../command/command.ts";
import { groupOf } from "../command/group.ts";

/** `cpcli configure`: endpoints, regions and keys by the names of profiles. */
export const runConfigure: Run = groupOf(
  "configure",
  new Map([
    ["set", { summary: "Sets what a profile has.", load: () => import("./set.ts").then(({ runSet }) => runSet) }],
    ["unset", { summary: "Takes something out of a profile.", load: () => import("./set.ts").then(({ runUnset }) => runUnset) }],
    ["get", { summary: "Prints one setting of a profile.", load: () => import("./show.ts").then(({ runGet }) => runGet) }],
    ["list", { summary: "Prints the profiles.", load: () => import("./show.ts").then(({ runList }) => runList) }],
    [
      "import",
      {
        summary: "Takes over a profile of the client tccli.",
        load: () => import("./import.ts").then(({ runImport }) => runImport),
      },
    ],
  ]),
);
