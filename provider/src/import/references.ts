import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { schemaOf } from "../schema/property.ts";
import { isProps, type Props } from "../schema/values.ts";
import type { Found } from "./found.ts";

/** A value that another thing tells. */
export interface Reference {
  readonly of: Found;
  /** What one writes behind the thing for it, such as `.vpcId`. */
  readonly way: string;
}

export type References = ReadonlyMap<string, Reference>;

/** The values by which things name others: their ids, and what their definitions tell besides. */
export function referencesTo(things: readonly Found[]): References {
  const references = new Map<string, Reference>();
  for (const of of things) {
    for (const key of ownIdsOf(of)) references.set(String(of.live[key]), { of, way: `.${key}` });
    for (const [value, expression] of of.kind.rare?.references?.(of.live) ?? []) references.set(value, { of, way: expression });
  }
  return references;
}

/** The parts of an id that the platform gave: no inputs. */
function ownIdsOf({ kind }: Found): string[] {
  return kind.id.names.filter((key) => key in kind.outputs.shape);
}

/** The things that one names in what a program says of it. */
export function namedBy(thing: Found, references: References): Found[] {
  const named = new Set<Found>();
  replaced(thing, (text) => {
    const of = references.get(text)?.of;
    if (of && of !== thing) named.add(of);
    return text;
  });
  return [...named];
}

/** The inputs of a thing, with every text changed that may name another. Tags and labels are the user's own words, and name nothing. */
export function replaced({ kind, inputs }: Found, change: (text: string) => unknown): Props {
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, replacedIn(schemaOf(kind, key), value, change)]));
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
