import { parseCidr, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { marksOf } from "./marks.ts";
import { mapParts, partSchema, partsOf, propertySchema, type Schema } from "./parts.ts";
import { type Path, placeOf } from "./paths.ts";
import { cleanProps, isProps, type Props, unknown } from "./values.ts";

/** Pulumi takes an object with this key and value, returned by a provider, for a secret. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

const secretText = "[secret]";

export function asSecret(value: unknown): Props {
  return { ...secretSignature, value };
}

export function isMarkedSecret(value: Props): boolean {
  return Object.entries(secretSignature).every(([key, signature]) => value[key] === signature);
}

export function isSecret(schema: Schema): boolean {
  return marksOf(schema).secret === true;
}

/** The properties of a resource that are secret as a whole, not only in part. */
export function secretsOf({ inputs, outputs }: Kind): string[] {
  return Object.entries({ ...inputs.shape, ...outputs.shape }).flatMap(([key, schema]: [string, Schema]) =>
    isSecret(schema) ? [key] : [],
  );
}

/** Properties for the state: secrets at any depth are marked, as are the properties in `also`. @throws Error if a value cannot be stored */
export function withSecretsMarked(kind: Kind, props: Props, also: readonly string[] = []): Props {
  const entries = Object.entries(props).filter(([, value]) => value !== undefined);
  const stored = entries.map(([key, value]) => [key, marked(propertySchema(kind, key), value, [key], also.includes(key))] as const);
  return cleanProps(Object.fromEntries(stored));
}

/** @param isHidden whether it is secret, whatever the schema says */
function marked(schema: Schema | undefined, value: unknown, path: Path, isHidden = false): unknown {
  if (!isStorable(value)) throw new TypeError(`${placeOf(path)} cannot be stored in a state`);
  const plain = mapParts(schema, value, (field, part, key) =>
    part === undefined && isProps(value) ? undefined : marked(field, part, [...path, key]),
  );
  return isHidden || (schema && isSecret(schema)) ? asSecret(plain) : plain;
}

function isStorable(value: unknown): boolean {
  if (!isProps(value)) return value === null || Array.isArray(value) || ["string", "number", "boolean"].includes(typeof value);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The paths of secret inputs and outputs that the platform does not return for a live resource. */
export function unreadableSecrets({ inputs, outputs }: Kind, live: Props): { readonly inputs: string[]; readonly outputs: string[] } {
  const unreadable = (schema: Schema) =>
    partsOf(schema, live, [])
      .filter((part) => isSecret(part.schema) && part.value === undefined && part.path.every((key) => typeof key === "string"))
      .map(({ path }) => path.join("."));
  return { inputs: unreadable(inputs), outputs: unreadable(outputs) };
}

export function withoutSecrets({ inputs }: Kind, props: Props): Props {
  return cleanProps(mapParts(inputs, props, (field, value) => replaced(field, value, undefined)));
}

export function masked(schema: Schema, value: unknown): unknown {
  return replaced(schema, value, secretText);
}

function replaced(schema: Schema | undefined, value: unknown, by: string | undefined): unknown {
  if (!schema || value === undefined) return value;
  return isSecret(schema) ? by : mapParts(schema, value, (field, part) => replaced(field, part, by));
}

/** Characters from which on a secret is recognised inside of a text. A shorter one would be found in any text. */
const longEnough = 4;

/** What no message and no record may repeat: the secrets of all resources that a process has seen. */
export class Redactor {
  /** Longest first, so that a secret inside of another one does not leave the rest of that. */
  #long: readonly string[] = [];
  /** By URN: a short one is recognised as a word of its own, in messages about its resource. */
  readonly #shortOf = new Map<string, Set<string>>();

  /** @param given the names of the inputs that the program gives as secrets */
  note(kind: Kind, urn: string, props: Props, given: readonly string[]): void {
    for (const [key, value] of Object.entries(props))
      for (const text of secretTextsIn(propertySchema(kind, key), value, given.includes(key))) this.#add(urn, text);
  }

  /** A message, without secrets. */
  hide(text: string, urn = ""): string {
    const words = [...(this.#shortOf.get(urn) ?? [])].map((word) => new RegExp(`(?<![\\w.])${escaped(word)}(?![\\w.]*\\w)`, "g"));
    return words.reduce((rest, word) => rest.replace(word, secretText), this.#withoutLong(text));
  }

  /** A value of a record, without secrets at any depth. What is only true or false stays. */
  hideIn(value: unknown): unknown {
    if (typeof value !== "string" && typeof value !== "number") return mapParts(undefined, value, (_, part) => this.hideIn(part));
    if ([...this.#shortOf.values()].some((texts) => texts.has(String(value)))) return secretText;
    const hidden = this.#withoutLong(String(value));
    return hidden === String(value) ? value : hidden;
  }

  #withoutLong(text: string): string {
    return this.#long.reduce((rest, secret) => rest.replaceAll(secret, secretText), text);
  }

  #add(urn: string, text: string): void {
    if (text.length < longEnough) this.#shortOf.set(urn, (this.#shortOf.get(urn) ?? new Set()).add(text));
    else if (!this.#long.includes(text)) this.#long = [...this.#long, text].sort((one, other) => other.length - one.length);
  }
}

/** The texts and numbers in a value that are secret, in all spellings in which a message may have them. */
function secretTextsIn(schema: Schema | undefined, value: unknown, isGiven: boolean): readonly string[] {
  const all = isGiven || (schema !== undefined && isSecret(schema));
  if (typeof value === "object" && value !== null) {
    // Only the program chooses the keys of tags and labels.
    const keys = all && schema && unwrapped(schema) instanceof z.ZodRecord ? Object.keys(value) : [];
    const inParts = Object.entries(value).flatMap(([key, part]: [string, unknown]) =>
      secretTextsIn(schema && partSchema(schema, key), part, all),
    );
    return [...keys, ...inParts].filter(Boolean);
  }
  if (!all || value === unknown || value === "" || (typeof value !== "string" && typeof value !== "number")) return [];
  const text = String(value);
  return [...new Set([text, JSON.stringify(text).slice(1, -1), parseCidr(text)?.canonical ?? text])];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
