import type { CustomResource, CustomResourceOptions, ID, Input, Output } from "@pulumi/pulumi";
import * as z from "@container-platform/sdk/zod";
import { classOf } from "../pulumi/constructor.ts";
import { hiddenMarks, marksOf } from "../schema/marks.ts";
import type { Props } from "../schema/values.ts";
import type { AnyLive, Behaviour, Interface, Kind, LiveStates, Shape, States, Value } from "./definition.ts";

type Given<T> = Input<Inside<T>>;
type Inside<T> = T extends readonly (infer Item)[] ? readonly Given<Item>[] : T extends object ? { [Key in keyof T]: Given<T[Key]> } : T;

/** What a resource's constructor takes. */
type Args<In extends Shape> = { [Key in keyof z.input<z.ZodObject<In>>]: Given<z.input<z.ZodObject<In>>[Key]> };
/** The properties of a resource, as outputs. */
type Properties<Of extends Shape> = { readonly [Key in keyof Value<Of>]-?: Output<Value<Of>[Key]> };

export interface ResourceClass<In extends Shape, Out extends Shape> {
  readonly kind: Kind;
  new (name: string, args: Args<In>, opts?: CustomResourceOptions): CustomResource & Properties<Omit<In, keyof Out>> & Properties<Out>;
  /** Reads a resource that exists already, without managing it. It is an error if there is none with this id. */
  get<Class extends new (name: string, args: Args<In>, opts?: CustomResourceOptions) => unknown>(
    this: Class,
    name: string,
    id: Input<ID>,
    opts?: CustomResourceOptions,
  ): InstanceType<Class>;
}

/** What the constructor of this class takes. */
export type ArgsOf<Class extends new (name: string, args: never, opts?: CustomResourceOptions) => CustomResource> =
  ConstructorParameters<Class>[1];

/** Begins the definition of a resource with what users see of it. `managed` completes it with how it is created, read, changed and deleted. */
export function resource<
  In extends Shape,
  Out extends Shape,
  const Tables extends States = Record<never, never>,
  Parts extends Partial<Value<In> & Value<Out>> = never,
>(
  type: string,
  face: Interface<In, Out, Tables, Parts>,
): { readonly managed: (behaviour: Behaviour<Value<In>, Value<Out>, LiveStates<Tables>, Parts>) => ResourceClass<In, Out> };
// Inside, the types of one resource are erased, so that the same code serves every kind. They are erased here and nowhere else.
export function resource(type: string, { inputs, outputs, ...face }: Interface<Shape, Shape, States, Props>): unknown {
  const properties: Readonly<Record<string, z.core.$ZodType>> = { ...inputs, ...outputs };
  const hidden = Object.entries(properties).flatMap(([key, schema]) => hiddenMarks(schema, key));
  if (hidden.length > 0) throw new TypeError(`${type}: ${hidden.join("; ")}`);
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
