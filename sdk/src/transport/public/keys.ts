import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CredentialPlace, sourceFrom } from "../../config/credentials.ts";
import type { CredentialSource } from "../../config/credential-source.ts";
import { ConfigurationError } from "../../operation/errors.ts";
import { type Environment, oneOf } from "./environment.ts";

/** Keys in the variables of the vendor's clients. The token has two spellings. */
export function keysInEnvironment(environment: Environment): CredentialPlace {
  const name = "the environment (TENCENTCLOUD_…)";
  return {
    name,
    look: () => {
      const keys = {
        secretId: environment["TENCENTCLOUD_SECRET_ID"],
        secretKey: environment["TENCENTCLOUD_SECRET_KEY"],
        token: oneOf(environment, "TENCENTCLOUD_TOKEN", "TENCENTCLOUD_SESSION_TOKEN"),
      };
      const source = keySource(keys, name);
      return Promise.resolve(source ? { source } : { lacks: "TENCENTCLOUD_SECRET_ID and TENCENTCLOUD_SECRET_KEY are not set" });
    },
  };
}

/** The file of the vendor's SDKs: its section `default`. The first file that is there is the only one that is read. */
export function keysInFile(environment: Environment, home: string, shared: string): CredentialPlace {
  const named = environment["TENCENTCLOUD_CREDENTIALS_FILE"];
  const files = named ? [named] : [join(home, ".tencentcloud", "credentials"), shared];
  const file = files.find((each) => existsSync(each));
  const name = `the file ${file ?? files.join(" or ")}`;
  return {
    name,
    look: () => {
      if (file === undefined) return Promise.resolve({ lacks: "there is none" });
      const section = sectionIn(textOf(file), "default");
      if (!section) return Promise.resolve({ lacks: "it has no section [default]" });
      const keys = { secretId: section.get("secret_id"), secretKey: section.get("secret_key"), token: section.get("token") };
      const source = keySource(keys, name);
      return Promise.resolve(source ? { source } : { lacks: "its section [default] has no secret_id and secret_key" });
    },
  };
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

/** @throws ConfigurationError if a file that is there cannot be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A section of a file of `[section]`, `name = value`, and comments that begin with `;` or `#`. */
function sectionIn(text: string, wanted: string): ReadonlyMap<string, string> | undefined {
  const sections = new Map<string, Map<string, string>>();
  let current = "";
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const title = /^\[(.+)\]$/.exec(line)?.[1];
    if (title !== undefined) {
      current = title.trim();
      sections.set(current, sections.get(current) ?? new Map<string, string>());
    }
    const [, key, value] = /^([^;#=]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) sections.get(current)?.set(key.trim(), value.trim().replace(/^(["'])(.*)\1$/, "$2"));
  }
  return sections.get(wanted);
}
