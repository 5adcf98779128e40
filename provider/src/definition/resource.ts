import type { Cloud, ErrorCode, resourceKinds, Readiness } from "@container-platform/sdk";
import type { CustomResource, CustomResourceOptions, ID, Input, Output } from "@pulumi/pulumi";
import { z } from "zod";
import type { Removal } from "./inputs.ts";
import type { Kind, Wait } from "./definition.ts";
import type { Listed } from "./listing.ts";
import { classOf } from "../pulumi/constructor.ts";

/** Properties by name. Plain, not a `z.object`: only so do their comments reach the published declarations. */
export type Shape = z.core.$ZodLooseShape;
// zod gives an object without keys an index signature, which would swallow every check of names.
export type Value<Of extends Shape> = keyof Of extends never ? unknown : z.output<z.ZodObject<Of>>;

/** Every input that may be left out says what taking it out does. */
type Decided<In extends Shape> = {
  [Key in keyof In]: In[Key] extends z.ZodOptional ? (In[Key] extends { readonly removed: Removal } ? In[Key] : never) : In[Key];
};

/** State tables by the name under which `read` tells the state. */
type States = Readonly<Record<string, Readonly<Record<string, Readiness>>>>;
type StatesSeen<Tables extends States> = { readonly [Key in keyof Tables & string]: (keyof Tables[Key] & string) | undefined };

/** Everything there is to see of the live thing: no property may be forgotten; `undefined` is "not there". */
export type Live<All> = { readonly [Key in keyof All & string]: All[Key] | undefined };

/** What `read` may say besides: why the thing failed, what it still lacks although its states are ready, and the platform's id of the call that told. */
interface Remarks {
  readonly lacking?: string | undefined;
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Brings the live thing one move nearer to the wish. Asked again once the move shows, as long as they differ. */
export type Step<Wish, Seen> = (cloud: Cloud, wish: Wish, live: Seen, wait: Wait) => Promise<unknown>;

/** What changing an input takes. */
export type Change<Value, Wish, Seen> =
  /** A new thing. */
  | "replace"
  /** Nothing on the platform: only our own behaviour changes. */
  | "noted"
  /** Nothing at all: the input is there for the order of things. */
  | "order"
  /** A move on the thing itself. */
  | Step<Wish, Seen>
  /** A new thing for some changes, a move for others. `standsOn`: it holds ids of what the thing stands on, so that wholly unknown means new. */
  | {
      readonly replaces?: (wish: Value, before: Value, inputs: Partial<Wish>) => boolean;
      readonly standsOn?: true;
      readonly step: Step<Wish, Seen>;
    };

/** How the id is made of properties, and they of it. */
export interface IdForm<Parts> {
  /** What it looks like, for error messages. */
  readonly looks: string;
  /** The properties that it tells. */
  readonly names: readonly (keyof Parts & string)[];
  readonly of: (parts: Parts) => string;
  /** The properties that an id tells; `undefined` if it is none of this kind. */
  readonly parts: (id: string) => Parts | undefined;
}

/** What users see of a resource. */
export interface Face<In extends Shape, Out extends Shape, Tables extends States, Parts> {
  readonly inputs: In & Decided<In>;
  readonly outputs: Out;
  readonly states?: Tables;
  readonly id: IdForm<Parts>;
}

/**
 * How a resource comes, changes and goes. `wish` is what the user asked for; `known` is what the state, or the answer
 * to the creation, holds; both tell which thing is meant.
 */
export interface Behaviour<Inputs, Outputs, Seen, Parts> {
  /** One call that brings the thing into being; answers the parts of the id that are no inputs, and outputs that nothing tells later. */
  readonly create: (cloud: Cloud, wish: Inputs, mark: string) => Promise<Made<Inputs, Outputs, Parts>>;
  /** How a thing is found whose maker was killed before the engine had saved it: see `Creation`. */
  readonly owned: Owned<Inputs, Parts>;
  /** The live thing, whole; or `undefined`, where there is none. What the platform does not tell comes from `known`. */
  readonly read: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<(Live<Inputs & Outputs> & Seen & Remarks) | undefined>;
  /** All that there are in the region, or below what is listed: what their ids tell. */
  readonly list: (cloud: Cloud, listed: Listed) => Promise<readonly Parts[]>;
  /** Inputs of a thing that was not made by a program: what one would say of them, where that is not what `read` tells. */
  readonly described?: (cloud: Cloud, live: Known<Inputs, Outputs, Parts>) => Promise<Partial<Inputs>>;
  readonly delete: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<unknown>;
  /**
   * Lets go of something that has to be deleted before what replaces it can come, and that an input names which changes in place.
   * Asked only where that input's new value depends on the replacement; the update that follows settles it.
   */
  readonly letGo?: {
    readonly [Key in keyof Inputs & string]?: (
      cloud: Cloud,
      known: Known<Inputs, Outputs, Parts>,
      id: string,
      wait: Wait,
    ) => Promise<unknown>;
  };
  /** What is still going when the thing itself is no longer listed, in words. */
  readonly lingers?: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<string | undefined>;
  /** What changing each input takes. Steps run in this order. */
  readonly changes: {
    readonly [Key in keyof Inputs & string]-?: Change<Inputs[Key], Inputs & Parts, Live<Inputs & Outputs> & Seen>;
  };
  /** Rules over several inputs: a sentence if broken. `before`: the inputs as last deployed, empty for a new thing. */
  readonly rules?: readonly ((wish: Inputs, before: Partial<Inputs>) => string | false | undefined)[];
  /** What is unwise, but not wrong: a sentence, shown as a warning. */
  readonly warnings?: readonly ((wish: Inputs) => string | false | undefined)[];
  /** What must be there before the creation and is not yet, in words; throws if it will never be. */
  readonly awaits?: (cloud: Cloud, wish: Inputs) => Promise<string | undefined>;
  /** Whether a difference between wish and live thing counts, where plain comparison is not enough. */
  readonly ignores?: { readonly [Key in keyof Inputs & string]?: (wish: Inputs, live: Live<Inputs & Outputs>) => boolean };
  /** Why the thing has to be renewed, and by which output, once it has served its time. `now` in milliseconds. */
  readonly due?: (
    known: Known<Inputs, Outputs, Parts>,
    now: number,
  ) => { readonly property: keyof Outputs & string; readonly why: string } | undefined;
  /** Renews the thing in place once `due` says so; without it, the thing is replaced. */
  readonly renew?: Step<Inputs & Parts, Live<Inputs & Outputs> & Seen>;
  /** The old one has to go before its replacement can come. A property that is not known yet is `undefined` in `wish`. */
  readonly deleteFirst?: (wish: Partial<Inputs>, before: Partial<Inputs>) => boolean;
  /** The input that, while true, forbids deletion. */
  readonly protectedBy?: keyof Inputs & string;
  /** Things equal in these properties are worked on one at a time. */
  readonly oneByOne?: readonly (keyof Inputs & string)[];
  /** What to do now, by code, where the general advice would not do. */
  readonly hints?: { readonly [Code in ErrorCode]?: string };
  /** How long each verb may take, in seconds; 600 unless given. */
  readonly seconds?: { readonly create?: number; readonly update?: number; readonly delete?: number };
  /** After so many seconds of waiting in creation, a remark that this is abnormal. */
  readonly abnormal?: { readonly seconds: number; readonly remark: string };
}

export type Owned<Inputs, Parts> =
  /** By its tags, which the tag product keeps under this kind of name; its id there is the thing's. */
  | keyof typeof resourceKinds
  /** By its id: inputs tell it, and there is one such thing at most. */
  | "key"
  /** By its tags, which its own product keeps. `tagged` lists those that have a tag, and may list others. */
  | { readonly tagged: (cloud: Cloud, wish: Inputs, tag: Tag) => Promise<readonly Tagged[]> }
  /** Not at all, because what only its creation tells is lost: `sweep` removes what an earlier creation left behind. */
  | { readonly sweep: (cloud: Cloud, wish: Inputs, left: Left<Parts>) => Promise<unknown> };

interface Tag {
  readonly key: string;
  readonly value: string;
}

interface Tagged {
  readonly id: string;
  readonly tags: Readonly<Record<string, string>> | undefined;
}

/** How what an earlier creation left behind is known. */
export interface Left<Parts> {
  /** What `create` was given to mark the thing with, until it is finished. The same for every creation of one resource. */
  readonly mark: string;
  /** The id of a thing that was made, and is not known to be saved. */
  readonly unsaved: Parts | undefined;
}

/** A property that is not known reads as `undefined`. */
export type Known<Inputs, Outputs, Parts> = Parts & Live<Inputs & Outputs>;
type Made<Inputs, Outputs, Parts> = [Exclude<keyof Parts, keyof Inputs>] extends [never]
  ? unknown
  : Pick<Outputs, Exclude<keyof Parts, keyof Inputs> & keyof Outputs>;

type Given<T> = Input<Inside<T>>;
type Inside<T> = T extends readonly (infer Item)[] ? readonly Given<Item>[] : T extends object ? { [Key in keyof T]: Given<T[Key]> } : T;

/** What a resource's constructor takes. */
export type Args<In extends Shape> = { [Key in keyof z.input<z.ZodObject<In>>]: Given<z.input<z.ZodObject<In>>[Key]> };
/** What a resource has to tell. */
export type Properties<Of extends Shape> = { readonly [Key in keyof Value<Of>]-?: Output<Value<Of>[Key]> };

export interface ResourceClass<In extends Shape, Out extends Shape> {
  readonly kind: Kind;
  new (name: string, args: Args<In>, opts?: CustomResourceOptions): CustomResource & Properties<In> & Properties<Out>;
  /** A thing that exists already, only to be read: an error if there is none with this id. */
  get<Class extends new (name: string, args: Args<In>, opts?: CustomResourceOptions) => unknown>(
    this: Class,
    name: string,
    id: Input<ID>,
    opts?: CustomResourceOptions,
  ): InstanceType<Class>;
}

/** Begins the definition of a resource with what users see of it; `managed` completes it with how it comes, changes and goes. */
export function resource<
  In extends Shape,
  Out extends Shape,
  const Tables extends States = Record<never, never>,
  Parts extends Partial<Value<In> & Value<Out>> = never,
>(type: string, { inputs, outputs, states, id }: Face<In, Out, Tables, Parts>) {
  return {
    managed: (behaviour: Behaviour<Value<In>, Value<Out>, StatesSeen<Tables>, Parts>): ResourceClass<In, Out> => {
      // Here, and only here, the types of one resource are rubbed off, so that one interpreter serves all of them.
      const kind = { type, inputs: z.object(inputs), outputs: z.object(outputs), states, id, ...behaviour } as unknown as Kind;
      return classOf(kind) as unknown as ResourceClass<In, Out>;
    },
  };
}

/** An id that is one property, or several joined by `/`. */
export function joined<const Key extends string>(looks: string, ...keys: readonly Key[]): IdForm<Record<Key, string>> {
  return {
    looks,
    names: keys,
    of: (parts) => keys.map((key) => parts[key]).join("/"),
    parts: (id) => {
      const words = id.split("/");
      if (words.length !== keys.length || words.includes("")) return undefined;
      return Object.fromEntries(keys.map((key, index) => [key, words[index]])) as Record<Key, string>;
    },
  };
}
