import * as z from "@container-platform/sdk/zod";
import { classOf } from "../dynamic/constructor.ts";
import { marksOf } from "../schema/marks.ts";
import type { Props } from "../schema/values.ts";
import type { AnyLive, Behaviour, Interface, LiveStates, Shape, States, Value } from "./definition.ts";
import type { Resolved, ResourceClass } from "./resource-class.ts";

/** `undefined` for a key that may be left out. */
type Left<Of, Key extends keyof Of> = object extends Pick<Of, Key> ? undefined : never;
/** A type with every key required and nothing readonly, so that two of them can be compared. */
type Normal<T> = T extends readonly (infer Item)[]
  ? Normal<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]-?: Normal<T[Key]> | Left<T, Key> }
    : T;
type Same<One, Other> = [Normal<One>, Normal<Other>] extends [Normal<Other>, Normal<One>] ? true : false;

/** The schemas of the properties that an interface declares: each key of the one is one of the other, and has the same type. */
type Declared<Of extends Shape, Given, Taken> = {
  [Key in keyof Of | keyof Given]: Key extends keyof Of & keyof Given & keyof Taken
    ? Of[Key] extends z.ZodType<infer After, infer Before>
      ? [Same<Before, Given[Key] | Left<Given, Key>>, Same<After, Taken[Key]>] extends [true, true]
        ? Of[Key]
        : Differs<Given[Key], Taken[Key]>
      : never
    : "the interface has no such key";
};
/** Stands for a schema of another type than the interface has. */
interface Differs<Given, Taken> {
  readonly takes: Given;
  readonly becomes: Taken;
}

/**
 * Begins the definition of a resource with what users see of it: the interfaces of its arguments and of its state, and the schemas of both.
 * `managed` completes it with how it is created, read, changed and deleted.
 */
export function resource<Args, State>(): <
  In extends Shape,
  Out extends Shape,
  const Tables extends States = Record<never, never>,
  Parts extends Partial<Value<In> & Value<Out>> = never,
>(
  type: string,
  face: Interface<In, Out, Tables, Parts> & {
    // An output may have the name of an input. Then the state has the output's type.
    readonly inputs: Declared<In, Resolved<Args>, Omit<State, keyof Out> & Pick<Resolved<Args>, keyof Args & keyof Out>>;
    readonly outputs: Declared<Out, Omit<State, Exclude<keyof Args, keyof Out>>, State>;
  },
) => { readonly managed: (behaviour: Behaviour<Value<In>, Value<Out>, LiveStates<Tables>, Parts>) => ResourceClass<Args> };
export function resource(): unknown {
  return begun;
}

// Inside, the types of one resource are erased, so that the same code serves every kind. They are erased here and nowhere else.
function begun(type: string, { inputs, outputs, ...face }: Interface<Shape, Shape, States, Props>) {
  const properties: Readonly<Record<string, z.core.$ZodType>> = { ...inputs, ...outputs };
  const [tagsInput] = Object.entries(properties).find(([, schema]) => marksOf(schema).tags) ?? [];
  return {
    managed: (behaviour: Behaviour<Props, Props, AnyLive, Props>) =>
      classOf({ type, inputs: z.object(inputs), outputs: z.object(outputs), tagsInput, ...face, ...behaviour }),
  };
}

/** All that is inside several resources, by their ids. */
export async function below<Item>(ids: readonly string[] = [], list: (id: string) => Promise<readonly Item[]>): Promise<Item[]> {
  return (await Promise.all(ids.map(list))).flat();
}
