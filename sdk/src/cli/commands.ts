interface Command {
  readonly summary: string;
  /** A command is loaded when it is called: each needs other things. */
  readonly load: () => Promise<(args: string[]) => Promise<void>>;
}

export const commands: ReadonlyMap<string, Command> = new Map([
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

export function overview(): string {
  const lines = [...commands].map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return `Usage: cpcli <command> [options]\n\n${lines.join("\n")}\n\ncpcli <command> --help tells the options of a command.\n`;
}
