import type { Commands } from "./command/command.ts";

/** What cpcli does besides calling operations. */
export const commands: Commands = new Map([
  [
    "list",
    {
      summary: "Lists all operations, or those of a product.",
      load: () => import("./call/list.ts").then(({ runList }) => runList),
    },
  ],
  [
    "wait",
    {
      summary: "Waits until something is ready, or gone.",
      load: () => import("./wait/wait.ts").then(({ runWait }) => runWait),
    },
  ],
  [
    "configure",
    {
      summary: "Sets, prints and imports endpoints, regions and keys.",
      load: () => import("./configure/configure.ts").then(({ runConfigure }) => runConfigure),
    },
  ],
  [
    "whoami",
    {
      summary: "Tells which platform, account and credentials are used, and why.",
      load: () => import("./connection/whoami.ts").then(({ runWhoami }) => runWhoami),
    },
  ],
  [
    "try",
    {
      summary: "Compares a real platform with the catalogue, step by step, and says what each step costs.",
      load: () => import("./try/try.ts").then(({ runTry }) => runTry),
    },
  ],
  [
    "completion",
    {
      summary: "Prints what lets a shell complete command lines.",
      load: () => import("./completion/completion.ts").then(({ completionOf }) => completionOf(commands)),
    },
  ],
  [
    "serve",
    {
      summary: "Serves a local platform over HTTP until it is stopped.",
      load: () => import("./serve/serve.ts").then(({ runServe }) => runServe),
    },
  ],
  [
    "world",
    {
      summary: "Shows, resets and keeps a local platform's world; sets its clock, pace and faults.",
      load: () => import("./world/world.ts").then(({ runWorld }) => runWorld),
    },
  ],
  [
    "credentials",
    {
      summary: "Prints a key of a local platform, as a credentialProcess does.",
      load: () => import("./serve/credentials.ts").then(({ runCredentials }) => runCredentials),
    },
  ],
]);
