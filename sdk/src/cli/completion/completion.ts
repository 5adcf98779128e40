import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { commandOf, type Commands, type Run } from "../command.ts";
import { print, UsageError } from "../run.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** A script for each shell that asks cpcli for words. Each line of the answer is a word, a tab, and its meaning. */
const scripts: Readonly<Record<Shell, string>> = {
  // Works with bash 3.2, and without the package bash-completion.
  bash: `# Completion of cpcli for bash. Install it: cpcli completion bash --install
_cpcli() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <(command cpcli completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # More follows what ends like this.
  if [[ "\${#COMPREPLY[@]}" -eq 1 && "\${COMPREPLY[0]}" == */ ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _cpcli cpcli
`,
  zsh: `#compdef cpcli
# Completion of cpcli for zsh. Install it: cpcli completion zsh --install
_cpcli() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(command cpcli completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -V cpcli found
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" = _cpcli ]]; then
  _cpcli "$@"
else
  compdef _cpcli cpcli
fi
`,
  fish: `# Completion of cpcli for fish. Install it: cpcli completion fish --install
function __cpcli_words
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command cpcli completion words -- $before[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c cpcli -f -a '(__cpcli_words)'
`,
};

/** The line that loads a script, and the file that the shell reads at its start. */
const startUps: Readonly<Record<Shell, { readonly line: string; readonly file: () => string }>> = {
  bash: { line: 'eval "$(cpcli completion bash)"', file: () => join(homedir(), ".bashrc") },
  zsh: {
    line: '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }; eval "$(cpcli completion zsh)"',
    file: () => join(process.env["ZDOTDIR"] || homedir(), ".zshrc"),
  },
  fish: {
    line: "cpcli completion fish | source",
    file: () => join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "fish", "config.fish"),
  },
};

const syntax = {
  name: "completion",
  words: ["<shell>"],
  choices: [shells],
  options: { install: { summary: "Adds a line to the shell's start-up file that loads the script." } },
  more: `The line is added to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish, once.
`,
} as const;

const printing = commandOf(syntax, ({ words: [name = ""], given }) => {
  const shell = shells.find((known) => known === name);
  if (!shell) throw new UsageError(`${name} is no shell that cpcli knows; there are ${shells.join(", ")}`);
  print(given.install ? installed(shell) : scripts[shell]);
});

/** Adds the line of a shell to its file, unless the file loads the script already. Returns the message. */
function installed(shell: Shell): string {
  const { line, file } = startUps[shell];
  const path = file();
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const command = `cpcli\\s+completion\\s+${shell}`;
  const loaded = new RegExp(`^(?!\\s*#).*(?:[$<]\\(\\s*${command}\\s*\\)|${command}\\s*\\|\\s*source)`, "m");
  if (loaded.test(before)) return `${path} has the completion of cpcli already\n`;
  mkdirSync(dirname(path), { recursive: true });
  // Appended: the file may be a link into the user's own repository.
  appendFileSync(path, `${/[^\n]$/.test(before) ? "\n" : ""}${before === "" ? "" : "\n"}${line}\n`);
  return `added to ${path}: ${line}\nOpen a new shell to use it.\n`;
}

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
