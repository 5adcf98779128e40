import type { CustomResource, CustomResourceOptions, ID, Input, Output, OutputInstance } from "@pulumi/pulumi";
import type { Kind } from "./definition.ts";

// The types that published declarations have in common. They name nothing but Pulumi.

/** Arguments after their Inputs are resolved. */
export type Resolved<Args> = { [Key in keyof Args]: ResolvedValue<Args[Key], never> };

/** Arguments after their Inputs are resolved. Those in `Defaulted`, at any depth, have a value even if the program leaves them out. */
export type ResolvedWithDefaults<Args, Defaulted extends string> = {
  [Key in keyof Args as Exclude<Key, Defaulted>]: ResolvedValue<Args[Key], Exclude<Defaulted, keyof Args>>;
} & { [Key in keyof Args as Extract<Key, Defaulted>]-?: Exclude<ResolvedValue<Args[Key], Exclude<Defaulted, keyof Args>>, undefined> };

type ResolvedValue<Value, Defaulted extends string> = Value extends PromiseLike<unknown> | OutputInstance<unknown>
  ? never
  : Value extends readonly (infer Item)[]
    ? ResolvedValue<Item, Defaulted>[]
    : Value extends object
      ? string extends keyof Value
        ? Record<string, ResolvedValue<Value[keyof Value], Defaulted>>
        : [Defaulted] extends [never]
          ? Resolved<Value>
          : ResolvedWithDefaults<Value, Defaulted>
      : Value;

/** The properties of a resource. Its class has them by the interface of its name, and is itself a subclass of Pulumi's. */
export type Outputs<State> = { readonly [Key in keyof State]-?: Output<State[Key]> };

/** The class of a resource. */
export interface ResourceClass<Args> {
  /** @internal */
  readonly kind: Kind;
  new (name: string, args: Args, opts?: CustomResourceOptions): CustomResource;
  /** Reads a resource that exists already, without managing it. It is an error if there is none with this id. */
  get<Resource>(this: new (...args: never) => Resource, name: string, id: Input<ID>, opts?: CustomResourceOptions): Resource;
}
