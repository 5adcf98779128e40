import { commandOf, type Commands, type Run } from "../command.ts";
import { print, UsageError } from "../run.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** A script for each shell that asks cpcli for words. Each line of the answer is a word, a tab, and its meaning. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  // Works with bash 3.2, and without the package bash-completion.
  bash: `# Completion of cpcli for bash. In ~/.bashrc: eval "$(cpcli completion bash)"
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
# Completion of cpcli for zsh. In ~/.zshrc, after compinit: eval "$(cpcli completion zsh)"
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
  fish: `# Completion of cpcli for fish. In ~/.config/fish/config.fish: cpcli completion fish | source
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
