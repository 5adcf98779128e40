import * as z from "@container-platform/sdk/zod";

/** What is wrong with a value, or with one of its properties. */
export type Flaw = string | { readonly of: string; readonly says: string };

/** What the platform's ids begin with: each tells the kind of resource. */
export type IdPrefix = "vpc" | "subnet" | "rtb" | "nat" | "sg" | "cls" | "np" | "tcr" | "ins" | "skey";

/** An id of another resource in a value. */
export interface NamedId {
  readonly path: readonly PropertyKey[];
  readonly prefix: IdPrefix;
  readonly id: string;
}

/** What a schema says about its values besides their type. */
export interface Marks {
  /** What taking the input out of the program does. */
  readonly removed?: "clear" | "keep" | "refuse";
  /** What the platform is known to choose everywhere if the input is left out. */
  readonly choices?: readonly unknown[];
  /** If it is left out, what it is follows from these parts beside it, once they change. */
  readonly follows?: readonly string[];
  /** If it is left out, it is a name from the program's. */
  readonly named?: true;
  readonly secret?: true;
  /** Tags of a resource. */
  readonly tags?: true;
  /** It is the id of a resource that has to be there. */
  readonly idOf?: IdPrefix;
  /** The one spelling in which values are compared. */
  readonly canonical?: (value: unknown) => unknown;
  /** Each returns the flaw of a value of the right type; `undefined` if the input accepts it. */
  readonly rules?: readonly ((value: unknown) => Flaw | undefined)[];
}

// zod keeps what is in a registry for copies, too, which each method of a schema makes.
const registry = z.registry<Marks>();

/** A copy of a schema with marks. They stay whatever method follows. */
export function marked<Schema extends z.ZodType>(schema: Schema, marks: Marks): Schema {
  const copy = schema.clone();
  registry.add(copy, marks);
  return copy;
}

// A cache: marks never change, and are asked for at each comparison.
const known = new WeakMap<z.core.$ZodType, Marks>();

/** The marks of a schema, and of those inside `optional`, `nullable` and `default`. */
export function marksOf(schema: z.core.$ZodType): Marks {
  const inner = innerOf(schema);
  const found = known.get(schema) ?? { ...(inner && marksOf(inner)), ...registry.get(schema) };
  known.set(schema, found);
  return found;
}

/** Whether the platform chooses the value of an input that the program leaves out. */
export function leftToPlatform(schema: z.core.$ZodType): boolean {
  const { removed } = marksOf(schema);
  return removed === "keep" || removed === "refuse";
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable ? schema.unwrap() : undefined;
}
