import { ConfigurationError } from "../../operation/errors.ts";

type Section = ReadonlyMap<string, string>;

/**
 * The sections of a file of the vendor's SDKs: `[section]`, `name = value` or `name: value`, and comments that begin with `;` or `#`. Its
 * Python client decides what is one: names of options have no case, and nothing stands twice. Values may be in quotes.
 *
 * @throws ConfigurationError for a file that is something else. The message has nothing of its content but the names of sections and options.
 */
export function sectionsIn(text: string, file: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const refused = (why: string) => new ConfigurationError(`${file} cannot be read: line ${index + 1} ${why}`);
    const line = whole.trim();
    if (line === "" || /^[;#]/.test(line)) continue;
    const title = /^\[(.+)\]$/.exec(line)?.[1]?.trim();
    if (title !== undefined) {
      if (sections.has(title)) throw refused(`begins [${title}] again`);
      current = new Map();
      sections.set(title, current);
      continue;
    }
    if (!current) throw refused("is in no section: [default] has to stand above it");
    const [, name, value] = /^([^=:]+)[=:](.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw refused("is neither [section], nor name = value, nor a comment");
    const option = name.trim().toLowerCase();
    if (current.has(option)) throw refused(`sets ${option} again`);
    current.set(option, value.trim().replace(/^(["'])(.*)\1$/, "$2"));
  }
  return sections;
}
