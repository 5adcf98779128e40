import { regions } from "../../local/regions.ts";
import type { Field } from "../../operation/fields.ts";
import type { Product } from "../../operation/operation.ts";
import { inOrder, versionMeant } from "../../operation/versions.ts";
import { callOptions, isProduct, operationsOf, productTable } from "../call/products.ts";
import type { Commands, Options, Run } from "../command.ts";

/** A word that can be typed, and its meaning. */
interface Word {
  readonly word: string;
  readonly summary: string;
}

/** A parameter of an action, or a part of one with a dotted name, as `--cli-unfold-argument` takes it. */
interface Parameter {
  /** `ClusterId`, `Labels.0.Name`. */
  readonly name: string;
  readonly values: readonly string[];
  readonly summary: string;
}

interface Action {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
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
  const actions = await actionsOf(product);
  const [name, ...given] = words;
  if (name === undefined) return [...new Map(actions.map((action) => [action.name, action])), help].map(named);
  const ofName = actions.filter((action) => action.name === name);
  const versions = ofName.map(({ version }) => version);
  const meant = versionMeant(versions, valueOf("version", given));
  const action = ofName.find(({ version }) => version === meant);
  if (!action) return [];
  if (given.includes("help")) return [named(["--detail", callOptions.detail])];
  const { detail: _withHelpOnly, ...shared } = callOptions;
  const options = { ...optionsOf(action, given.includes("--cli-unfold-argument")), ...shared };
  const asked = askedFor(given, options);
  if (asked === "version") return ofName.map(({ version, summary }) => ({ word: version, summary }));
  if (asked !== undefined) return valuesOf(asked, options);
  return [...namesOf(options), ...(given.length === 0 ? [named(help)] : [])];
}

/** The parameters of an action as options; with `unfolding`, their parts too. */
function optionsOf({ parameters }: Action, unfolding: boolean): Options {
  const offered = parameters.filter(({ name }) => unfolding || !name.includes("."));
  return Object.fromEntries(offered.map(({ name, values, summary }) => [name, { value: "VALUE", values, summary }]));
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

/** The actions of a product, as the catalogue describes them. */
async function actionsOf(product: Product): Promise<readonly Action[]> {
  const { fieldsIn } = await import("../../operation/fields.ts");
  return inOrder(await operationsOf(product)).map(({ action, version, summary, input }) => ({
    name: action,
    version,
    summary: inOneLine(summary),
    parameters: fieldsIn(input)
      .filter(({ exposed }) => exposed)
      .map((field) => ({ name: field.path.replaceAll("[]", ".0"), values: valuesOfField(field), summary: inOneLine(field.description) })),
  }));
}

function valuesOfField({ kind, item, values }: Field): readonly string[] {
  return kind === "boolean" || item?.kind === "boolean" ? ["true", "false"] : values;
}

/** The first sentence, in one line and without backticks. */
function inOneLine(text: string): string {
  return (/^.*?[.!?](?=\s|$)/.exec(text.replaceAll(/\s+/g, " "))?.[0] ?? text).replaceAll("`", "").replaceAll("\n", " ");
}
