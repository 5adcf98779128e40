import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CredentialSource } from "../../config/credential-source.ts";
import { type CredentialPlace, sourceFrom } from "../../config/credentials.ts";
import { ConfigurationError } from "../../operation/errors.ts";

type Section = ReadonlyMap<string, string>;

/**
 * The sections of a file of the vendor's SDKs: `[section]`, `name = value` or `name: value`, and comments that begin with `;` or `#`. Its
 * Python client decides what is one: names of options have no case, and nothing stands twice. Values may be in quotes.
 *
 * @throws ConfigurationError for a file that is something else. The message has nothing of its content but the names of sections and options.
 */
function sectionsIn(text: string, file: string): ReadonlyMap<string, Section> {
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

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value of a variable that has several spellings; an empty one is absent.
 *
 * @throws ConfigurationError if two of them have different values: which one is meant cannot be known. The message shows neither.
 */
export function oneOf(environment: Environment, ...names: readonly string[]): string | undefined {
  const set = names.filter((name) => environment[name]);
  const values = new Set(set.map((name) => environment[name]));
  if (values.size > 1) throw new ConfigurationError(`${set.join(" and ")} differ, and mean the same: set one of them`);
  return [...values][0];
}

/** What the variables of the vendor's clients are called, as a place. */
export const environmentPlace = "the environment (TENCENTCLOUD_…)";

/** Whether the variables of the vendor's clients have a key, or a part of one. */
export function hasKeys(environment: Environment): boolean {
  return Boolean(environment["TENCENTCLOUD_SECRET_ID"] || environment["TENCENTCLOUD_SECRET_KEY"]);
}

/** Keys in the variables of the vendor's clients. The token has two spellings. */
export function keysInEnvironment(environment: Environment): CredentialPlace {
  return {
    name: environmentPlace,
    look: () => {
      const keys = {
        secretId: environment["TENCENTCLOUD_SECRET_ID"],
        secretKey: environment["TENCENTCLOUD_SECRET_KEY"],
        token: oneOf(environment, "TENCENTCLOUD_TOKEN", "TENCENTCLOUD_SESSION_TOKEN"),
      };
      const source = keySource(keys, environmentPlace);
      return Promise.resolve(source ? { source } : { lacks: "TENCENTCLOUD_SECRET_ID and TENCENTCLOUD_SECRET_KEY are not set" });
    },
  };
}

/** The file of the vendor's SDKs: its section `default`. The first file that is there is the only one that is read. */
export function keysInFile(environment: Environment, home: string, shared: string): CredentialPlace {
  const variable = "TENCENTCLOUD_CREDENTIALS_FILE";
  const named = environment[variable];
  const files = named ? [named] : [join(home, ".tencentcloud", "credentials"), shared];
  const file = files.find((each) => existsSync(each));
  return {
    name: `the file ${file ?? files.join(" or ")}`,
    look: () => {
      const found = files.map((each) => ({ file: each, text: textIfThere(each) })).find(({ text }) => text !== undefined);
      if (found?.text !== undefined) return Promise.resolve(sourceInFile(found.file, found.text));
      if (named) throw new ConfigurationError(`${variable} names ${named}, which does not exist: correct it, or unset it`);
      return Promise.resolve({ lacks: "there is none" });
    },
  };
}

function sourceInFile(file: string, text: string): { readonly source: CredentialSource } | { readonly lacks: string } {
  const section = sectionsIn(text, file).get("default");
  if (!section) return { lacks: "it has no section [default]" };
  const keys = { secretId: section.get("secret_id"), secretKey: section.get("secret_key"), token: section.get("token") };
  const source = keySource(keys, `the file ${file}`);
  return source ? { source } : { lacks: "its section [default] has no secret_id and secret_key" };
}

interface Keys {
  readonly secretId: string | undefined;
  readonly secretKey: string | undefined;
  readonly token: string | undefined;
}

/** The source of keys, if there are any. Blanks in them are a mistake in copying, which the platform would call a wrong signature. */
export function keySource(keys: Keys, place: string): CredentialSource | undefined {
  const blank = Object.entries(keys).find(([, value]: [string, string | undefined]) => /\s/.test(value ?? ""));
  if (blank) throw new ConfigurationError(`${place} has a ${blank[0]} with a blank in it`);
  return sourceFrom(keys, place);
}

/** @throws ConfigurationError if a file cannot be read, or is not there. */
export function textOf(file: string): string {
  const text = textIfThere(file);
  if (text === undefined) throw new ConfigurationError(`${file} cannot be read: it does not exist`);
  return text;
}

/**
 * The text of a file; `undefined` if there is none.
 *
 * @throws ConfigurationError if it cannot be read, or nobody may know whether it is there.
 */
export function textIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw new ConfigurationError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
