import { fieldsOf, parseCidr, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { isSecret } from "./secrets.ts";
import { isProps, type Props, unknown } from "./values.ts";

const veil = "[secret]";
/** Characters from which on a secret is recognised inside of a text. A shorter one would be found in any text. */
const longEnough = 4;

/** What no message and no record may repeat: the secrets of all resources that a process has seen. */
export class Veil {
  /** Longest first, so that a secret inside of another one does not leave the rest of that. */
  #long: readonly string[] = [];
  readonly #short = new Set<string>();
  /** By URN: a short one is recognised as a word of its own, in messages about its resource. */
  readonly #shortOf = new Map<string, Set<string>>();

  /** @param given the names of the inputs that the program gives as secrets */
  note(kind: Kind, urn: string, props: Props, given: readonly string[]): void {
    const shape: Readonly<Record<string, z.core.$ZodType>> = { ...kind.outputs.shape, ...kind.inputs.shape };
    for (const [key, value] of Object.entries(props))
      for (const text of textsIn(value, shape[key], given.includes(key))) this.#add(urn, text);
  }

  /** A message, without secrets. */
  hide(text: string, urn = ""): string {
    const words = [...(this.#shortOf.get(urn) ?? [])].map((word) => new RegExp(`(?<![\\w.])${escaped(word)}(?![\\w.]*\\w)`, "g"));
    return words.reduce((rest, word) => rest.replace(word, veil), this.#withoutLong(text));
  }

  /** A value of a record, without secrets at any depth. What is only true or false stays. */
  hideIn(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.hideIn(item));
    if (isProps(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.hideIn(inner)]));
    if (typeof value !== "string" && typeof value !== "number") return value;
    if (this.#short.has(String(value))) return veil;
    const hidden = this.#withoutLong(String(value));
    return hidden === String(value) ? value : hidden;
  }

  #withoutLong(text: string): string {
    return this.#long.reduce((rest, secret) => rest.replaceAll(secret, veil), text);
  }

  #add(urn: string, text: string): void {
    if (text.length >= longEnough) {
      if (!this.#long.includes(text)) this.#long = [...this.#long, text].sort((one, other) => other.length - one.length);
      return;
    }
    const known = this.#shortOf.get(urn) ?? new Set();
    this.#shortOf.set(urn, known.add(text));
    this.#short.add(text);
  }
}

/** The texts and numbers in a value that are secret, in all spellings in which a message may have them. */
function textsIn(value: unknown, schema: z.core.$ZodType | undefined, isGiven: boolean): readonly string[] {
  const type = schema && unwrapped(schema);
  const all = isGiven || (schema !== undefined && isSecret(schema));
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, type instanceof z.ZodArray ? type.element : undefined, all));
  if (isProps(value)) {
    const fields = type && fieldsOf(type);
    // Only the program chooses the keys of tags and labels.
    const keys = all && type instanceof z.ZodRecord ? Object.keys(value) : [];
    return [...keys, ...Object.entries(value).flatMap(([key, inner]) => textsIn(inner, fields?.[key], all))].filter(Boolean);
  }
  if (!all || value === unknown || value === "" || (typeof value !== "string" && typeof value !== "number")) return [];
  const text = String(value);
  return [...new Set([text, JSON.stringify(text).slice(1, -1), parseCidr(text)?.canonical ?? text])];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
