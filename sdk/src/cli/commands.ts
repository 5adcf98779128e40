import type { Commands } from "./command.ts";

/** The commands of cpcli besides the calls of operations. */
export const commands: Commands = new Map(
  Object.entries({
    list: { summary: "Lists all operations, or those of a product.", load: () => import("./list.ts").then(({ runList }) => runList) },
    wait: { summary: "Waits until a resource is ready or deleted.", load: () => import("./wait.ts").then(({ runWait }) => runWait) },
    configure: {
      summary: "Sets, prints and imports endpoints, regions and keys.",
      load: () => import("./configure.ts").then(({ runConfigure }) => runConfigure),
    },
    whoami: {
      summary: "Prints the platform, account and credentials that calls use.",
      load: () => import("./whoami.ts").then(({ runWhoami }) => runWhoami),
    },
    conformance: {
      summary: "Compares the responses of a real platform with the operations that cpcli knows.",
      load: () => import("./conformance/conformance.ts").then(({ runConformance }) => runConformance),
    },
    completion: {
      summary: "Prints the completion script of a shell.",
      load: () => import("./completion/completion.ts").then(({ completionOf }) => completionOf(commands)),
    },
    serve: { summary: "Serves the emulator over HTTP.", load: () => import("./serve.ts").then(({ runServe }) => runServe) },
    emulator: {
      summary: "Controls the emulator: clock, time scale, faults, snapshots.",
      load: () => import("./emulator.ts").then(({ runEmulator }) => runEmulator),
    },
    credentials: {
      summary: "Prints an access key of the emulator, in the form of a credentialProcess.",
      load: () => import("./credentials.ts").then(({ runCredentials }) => runCredentials),
    },
  }),
);
