import { regions } from "../../local/regions.ts";
import type { Operation, Product } from "../../operation/operation.ts";
import { inOrder, versionMeant } from "../../operation/versions.ts";
import { callOptions, isProduct, operationsOf, productTable } from "../call/products.ts";
import type { Commands, Options, Run } from "../command.ts";

/** A word that can be typed, and its meaning. */
interface Word {
  readonly word: string;
  readonly summary: string;
}

/** The words that the last word of a command line can become. None if nothing is known about it. */
export async function wordsFor(line: readonly string[], commands: Commands): Promise<readonly Word[]> {
  // `--name=value` is three words in bash, and one in zsh and fish.
  const words = line.flatMap((word, at) => (word === "=" && at < line.length - 1 ? [] : [word === "=" ? "" : word]));
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const [, option, value] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  if (option !== undefined && value !== undefined)
    return (await possibleAfter([...before, option], commands))
      .filter(({ word }) => word.startsWith(value))
      .map(({ word, summary }) => ({ word: `${option}=${word}`, summary }));
  const possible = (await possibleAfter(before, commands)).map(({ word, summary }) => ({ word: counted(word, current), summary }));
  // An option can be given only once.
  return possible.filter(({ word }) => word.startsWith(current) && !(word.startsWith("--") && before.includes(word)));
}

/** The index in the name of a list's part. Only the first item is described, because all have the same parts. */
const index = /\.\d+(?=\.|$)/g;

/** A parameter's name, with the indices that the user has typed. */
function counted(word: string, current: string): string {
  const typed = word.startsWith("--") ? (current.match(/\.\d+(?=\.)/g) ?? []) : [];
  return typed.length === 0 ? word : word.replaceAll(index, (usual) => typed.shift() ?? usual);
}

async function possibleAfter([first, ...others]: readonly string[], commands: Commands): Promise<readonly Word[]> {
  if (first === undefined) return [...Object.entries(productTable), ...commands, help].map(named);
  if (isProduct(first)) return afterProduct(first, others);
  const command = commands.get(first);
  return command ? afterCommand(await command.load(), others) : [];
}

const help = ["help", { summary: "Prints the help." }] as const;

function named([word, { summary }]: readonly [string, { readonly summary: string }]): Word {
  return { word, summary };
}

async function afterCommand({ syntax, commands: inner }: Run, words: readonly string[]): Promise<readonly Word[]> {
  if (inner) {
    const [first, ...others] = words;
    if (first === undefined) return [...inner].map(named);
    const command = inner.get(first);
    return command ? afterCommand(await command.load(), others) : [];
  }
  if (!syntax) return [];
  const asked = askedFor(words, syntax.options);
  if (asked !== undefined) return valuesOf(asked, syntax.options);
  const place = words.filter((word, at) => !word.startsWith("--") && askedFor(words.slice(0, at), syntax.options) === undefined).length;
  const choices = syntax.choices?.[place] ?? [];
  return [...choices.map((word) => ({ word, summary: "" })), ...namesOf(syntax.options)];
}

async function afterProduct(product: Product, words: readonly string[]): Promise<readonly Word[]> {
  const all = inOrder(await operationsOf(product)).map((operation) => ({ ...operation, summary: inOneLine(operation.summary) }));
  const [name, ...given] = words;
  if (name === undefined) return [...new Map(all.map((operation) => [operation.action, operation])), help].map(named);
  const ofName = all.filter(({ action }) => action === name);
  const versions = ofName.map(({ version }) => version);
  const meant = versionMeant(versions, valueOf("version", given));
  const operation = ofName.find(({ version }) => version === meant);
  if (!operation) return [];
  if (given.includes("help")) return [named(["--detail", callOptions.detail])];
  const { detail: _withHelpOnly, ...shared } = callOptions;
  const options = { ...(await optionsOf(operation, given.includes("--cli-unfold-argument"))), ...shared };
  const asked = askedFor(given, options);
  if (asked === "version") return ofName.map(({ version, summary }) => ({ word: version, summary }));
  if (asked !== undefined) return valuesOf(asked, options);
  return [...namesOf(options), ...(given.length === 0 ? [named(help)] : [])];
}

/** The parameters of an operation as options, such as `ClusterId`; with `unfolding`, their parts too, such as `Labels.0.Name`. */
async function optionsOf({ input }: Operation, unfolding: boolean): Promise<Options> {
  const { fieldsIn } = await import("../../operation/fields.ts");
  const offered = fieldsIn(input).filter(({ exposed, path }) => exposed && (unfolding || !path.includes(".")));
  return Object.fromEntries(
    offered.map(({ path, kind, item, values, description }) => {
      const known = kind === "boolean" || item?.kind === "boolean" ? ["true", "false"] : values;
      return [path.replaceAll("[]", ".0"), { value: "VALUE", values: known, summary: inOneLine(description) }];
    }),
  );
}

/** The option whose value comes next. */
function askedFor(words: readonly string[], options: Options): string | undefined {
  const name = words.at(-1)?.startsWith("--") ? words.at(-1)?.slice(2).replaceAll(index, ".0") : undefined;
  const option = name !== undefined && Object.hasOwn(options, name) ? options[name] : undefined;
  return option?.value === undefined ? undefined : name;
}

function namesOf(options: Options): readonly Word[] {
  return Object.entries(options).map(([name, { summary }]) => ({ word: `--${name}`, summary }));
}

async function valuesOf(name: string, options: Options): Promise<readonly Word[]> {
  const known = Object.hasOwn(options, name) ? options[name]?.values : undefined;
  const words = known ?? (await usual[name]?.()) ?? [];
  return words.map((word) => ({ word, summary: "" }));
}

/** Common values of options that take other values as well. */
const usual: Readonly<Record<string, () => Promise<readonly string[]> | readonly string[]>> = {
  region: () => regions,
  endpoint: () => ["local"],
  "cli-input-json": () => ["file://"],
  profile: async () => {
    const { readProfiles } = await import("../../config/profiles.ts");
    return Object.keys(await readProfiles());
  },
};

function valueOf(name: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? undefined : words[at + 1];
}

/** The first sentence, in one line and without backticks. */
function inOneLine(text: string): string {
  return (/^.*?[.!?](?=\s|$)/.exec(text.replaceAll(/\s+/g, " "))?.[0] ?? text).replaceAll("`", "").replaceAll("\n", " ");
}
