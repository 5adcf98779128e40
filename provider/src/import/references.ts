import { fieldsOf, unwrapped } from "@container-platform/sdk";
import { z } from "zod";
import { schemaOf } from "../schema/property.ts";
import { isProps, type Props } from "../schema/values.ts";
import type { Kind } from "../definition/definition.ts";
import type { Found } from "./found.ts";

/** A value that another thing tells. */
export interface Reference {
  readonly of: Found;
  /** What one writes behind the thing for it, such as `.vpcId`. */
  readonly way: string;
}

/** The values by which things name others. */
export interface References {
  /** What a text names wherever it stands: an id, or what a definition tells besides. */
  readonly get: (text: string) => Reference | undefined;
  /** What the text in an input names: also by a name that means one resource only among those of the same parent. */
  readonly at: (thing: Found, key: string, text: string) => Reference | undefined;
}

export function referencesTo(things: readonly Found[]): References {
  const byValue = new Map<string, Reference>();
  for (const of of things) {
    for (const key of ownIdsOf(of)) byValue.set(String(of.live[key]), { of, way: `.${key}` });
    for (const [value, expression] of of.kind.rare?.references?.(of.live) ?? []) byValue.set(value, { of, way: expression });
  }
  const get = (text: string) => byValue.get(text);
  const byId = new Map(things.map((thing) => [`${thing.kind.type} ${thing.id}`, thing]));
  const kinds = [...new Set(things.map(({ kind }) => kind))];
  return {
    get,
    at: ({ kind, live }, key, text) => {
      const named = get(text);
      if (named) return named;
      const holder = kinds.find((other) => other !== kind && key in other.inputs.shape && holds(other, kind, key));
      const of = holder && byId.get(`${holder.type} ${holder.id.of(live)}`);
      return of && { of, way: `.${key}` };
    },
  };
}

/** Whether the ids of the outer kind are a part of those of the inner one, and have this part: a namespace's are a part of a repository's. */
function holds(outer: Kind, inner: Kind, part: string): boolean {
  const [names, all] = [outer.id.names, inner.id.names];
  return names.includes(part) && names.length < all.length && names.every((name) => all.includes(name));
}

/** The parts of an id that the platform gave: no inputs. */
function ownIdsOf({ kind }: Found): string[] {
  return kind.id.names.filter((key) => key in kind.outputs.shape);
}

/** The things that one names in what a program says of it. */
export function namedBy(thing: Found, references: References): Found[] {
  const named = new Set<Found>();
  replaced(thing, (text, key) => {
    const of = references.at(thing, key, text)?.of;
    if (of && of !== thing) named.add(of);
    return text;
  });
  return [...named];
}

/** The inputs of a thing, with every text changed that may name another. Tags and labels are the user's own words, and name nothing. */
export function replaced({ kind, inputs }: Found, change: (text: string, key: string) => unknown): Props {
  return Object.fromEntries(
    Object.entries(inputs).map(([key, value]) => [key, replacedIn(schemaOf(kind, key), value, (text) => change(text, key))]),
  );
}

function replacedIn(schema: z.core.$ZodType, value: unknown, change: (text: string) => unknown): unknown {
  const type = unwrapped(schema);
  if (typeof value === "string") return change(value);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => replacedIn(type.element, item, change));
  if (!(type instanceof z.ZodObject) || !isProps(value)) return value;
  const fields = fieldsOf(type);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const field = fields[key];
      return [key, field ? replacedIn(field, inner, change) : inner];
    }),
  );
}

/** Things in an order in which each comes after those that it names, as far as they do not name each other. */
export function inOrder(things: readonly Found[], references: References): Found[] {
  const ordered = new Set<Found>();
  const begun = new Set<Found>();
  const put = (thing: Found) => {
    if (begun.has(thing)) return;
    begun.add(thing);
    for (const other of namedBy(thing, references)) put(other);
    ordered.add(thing);
  };
  for (const thing of things) put(thing);
  return [...ordered];
}
