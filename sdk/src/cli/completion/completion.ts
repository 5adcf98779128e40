import type { Commands, Run } from "../command/command.ts";
import { scripts, shells } from "./scripts.ts";
import { UsageError } from "../run/failures.ts";
import { print } from "../output/print.ts";
import { commandOf } from "../command/usage.ts";

const syntax = {
  name: "completion",
  words: ["<shell>"],
  choices: [shells],
  options: {},
  more: `In ~/.bashrc:                     eval "$(cpcli completion bash)"
In ~/.zshrc, after compinit:      eval "$(cpcli completion zsh)"
In ~/.config/fish/config.fish:    cpcli completion fish | source
`,
} as const;

const printing = commandOf(syntax, ({ words: [name = ""] }) => {
  const shell = shells.find((known) => known === name);
  if (!shell) throw new UsageError(`${name} is no shell that cpcli knows; there are ${shells.join(", ")}`);
  print(scripts[shell]);
});

/**
 * `cpcli completion bash`. The printed script calls `cpcli completion words -- <words>`; the last word is the one being typed.
 *
 * @param commands the commands to complete
 */
export function completionOf(commands: Commands): Run {
  return Object.assign(
    async (...[args, session]: Parameters<Run>) => {
      if (args[0] !== "words" || args[1] !== "--") return printing(args, session);
      const { wordsFor } = await import("./words.ts");
      const found = await wordsFor(args.slice(2), commands);
      print(found.map(({ word, summary }) => `${word}\t${summary}\n`).join(""));
    },
    { syntax },
  );
}
