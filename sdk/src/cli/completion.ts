import type { Run } from "./commands.ts";
import { scripts, shells } from "./completion/scripts.ts";
import { UsageError } from "./failures.ts";
import { print } from "./print.ts";
import { commandOf } from "./usage.ts";

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

/** `cpcli completion bash`; what it prints calls `cpcli completion words -- <words>`, of which the last one is being typed. */
export const runCompletion: Run = Object.assign(
  async (...[args, session]: Parameters<Run>) => {
    if (args[0] !== "words" || args[1] !== "--") return printing(args, session);
    const { wordsFor } = await import("./completion/words.ts");
    const found = await wordsFor(args.slice(2), session.commands);
    print(found.map(({ word, summary }) => `${word}\t${summary}\n`).join(""));
  },
  { syntax },
);
