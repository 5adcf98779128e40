import type { Run } from "../command/command.ts";
import { groupOf } from "../command/group.ts";

/** `cpcli configure`: endpoints, regions and keys by the names of profiles. */
export const runConfigure: Run = groupOf(
  "configure",
  new Map([
    ["set", { summary: "Sets values of a profile.", load: () => import("./set.ts").then(({ runSet }) => runSet) }],
    ["unset", { summary: "Removes values from a profile.", load: () => import("./set.ts").then(({ runUnset }) => runUnset) }],
    ["get", { summary: "Prints one value of a profile.", load: () => import("./show.ts").then(({ runGet }) => runGet) }],
    ["list", { summary: "Prints the profiles.", load: () => import("./show.ts").then(({ runList }) => runList) }],
    [
      "import",
      {
        summary: "Imports a profile of the client tccli.",
        load: () => import("./import.ts").then(({ runImport }) => runImport),
      },
    ],
  ]),
);
