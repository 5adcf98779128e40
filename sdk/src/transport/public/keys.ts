import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CredentialPlace, sourceFrom } from "../../config/credentials.ts";
import type { CredentialSource } from "../../config/credential-source.ts";
import { ConfigurationError } from "../../operation/errors.ts";
import { type Environment, oneOf } from "./environment.ts";
import { sectionsIn } from "./ini.ts";

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
