import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Product } from "../../operation/operation.ts";
import { writeAtOnce } from "../files.ts";
import { versionOfClient } from "../version.ts";
import type { Action, Parameter } from "./describe.ts";

/** The folder of the catalogue, relative to this file and relative to the bundle of this file. */
const catalogues = [join(import.meta.dirname, "..", "..", "catalogue"), join(import.meta.dirname, "..", "catalogue")];

/**
 * The actions of a product. Loading their descriptions takes too long for a key press, so that they are kept in the user's cache.
 * The cache is renewed when the descriptions change.
 */
export async function actionsOf(product: Product): Promise<readonly Action[]> {
  const folder = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "container-platform", "words");
  const file = join(folder, product);
  const [stamp, ...lines] = linesOf(file);
  if (stamp === stampOf()) return actionsIn(lines);
  const made = await import("./describe.ts").then(({ described }) => described(product));
  keep(folder, file, made);
  return made;
}

/** A text that changes when the descriptions do: the version, and the time of the last change of the catalogue's files. */
function stampOf(): string {
  const catalogue = catalogues.find((folder) => existsSync(folder));
  const files =
    catalogue === undefined ? [] : readdirSync(catalogue, { recursive: true, encoding: "utf8" }).map((file) => join(catalogue, file));
  return [
    versionOfClient(),
    ...files
      .map((file) => statSync(file).mtimeMs)
      .toSorted((one, other) => one - other)
      .slice(-1),
  ].join(" ");
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** A line for each action, and after it one for each of its parameters, which begins with a tab. */
function actionsIn(lines: readonly string[]): readonly Action[] {
  const actions: (Action & { parameters: Parameter[] })[] = [];
  for (const line of lines) {
    const [name = "", second = "", third = "", fourth = ""] = line.split("\t");
    if (name !== "") actions.push({ name, version: second, summary: third, parameters: [] });
    else if (second !== "") actions.at(-1)?.parameters.push({ name: second, values: third.split("|").filter(Boolean), summary: fourth });
  }
  return actions;
}

/** Writes the cache. If that fails, completion is only slower. */
function keep(folder: string, file: string, actions: readonly Action[]): void {
  const lines = actions.flatMap(({ name, version, summary, parameters }) => [
    [name, version, summary].join("\t"),
    ...parameters.map((parameter) => ["", parameter.name, parameter.values.join("|"), parameter.summary].join("\t")),
  ]);
  try {
    mkdirSync(folder, { recursive: true });
    writeAtOnce(file, [stampOf(), ...lines].join("\n"));
  } catch {
    return;
  }
}
