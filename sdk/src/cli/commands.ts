import type { Session } from "./session.ts";

/** Carries a command out. What it prints on stdout is data; it throws what it cannot do. */
export type Run = (args: readonly string[], session: Session) => Promise<void>;

interface Command {
  readonly summary: string;
  /** A command is loaded when it is called: each needs other things. */
  readonly load: () => Promise<Run>;
}

/** What cpcli does besides calling operations. */
export const commands: ReadonlyMap<string, Command> = new Map([
  [
    "list",
    {
      summary: "Lists all operations, or those of a product.",
      load: () => import("./list.ts").then(({ runList }) => runList),
    },
  ],
  [
    "serve",
    {
      summary: "Serves a local platform over HTTP until it is stopped.",
      load: () => import("./serve.ts").then(({ runServe }) => runServe),
    },
  ],
  [
    "credentials",
    {
      summary: "Prints a key of a local platform, as a credentialProcess does.",
      load: () => import("./credentials.ts").then(({ runCredentials }) => runCredentials),
    },
  ],
]);
