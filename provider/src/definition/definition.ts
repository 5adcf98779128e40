import type { Cloud, ErrorCode, resourceKinds, Readiness } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import type { Props } from "../schema/values.ts";
import type { IdForm } from "./id.ts";
import type { Removal } from "./inputs.ts";
import type { Listed } from "./listing.ts";

/** Properties by name. Plain, not a `z.object`: only so do their comments reach the published declarations. */
export type Shape = z.core.$ZodLooseShape;
// zod gives an object without keys an index signature, which would swallow every check of names.
export type Value<Of extends Shape> = keyof Of extends never ? unknown : z.output<z.ZodObject<Of>>;

/** Every input that may be left out says what taking it out does. */
type Decided<In extends Shape> = {
  [Key in keyof In]: In[Key] extends z.ZodOptional ? (In[Key] extends { readonly removed: Removal } ? In[Key] : never) : In[Key];
};

/** State tables by the name under which `read` tells the state. */
export type States = Readonly<Record<string, Readonly<Record<string, Readiness>>>>;
export type LiveStates<Tables extends States> = { readonly [Key in keyof Tables & string]: (keyof Tables[Key] & string) | undefined };

/** Every property of what is on the platform: none may be forgotten; `undefined` is "not there". */
export type Live<All> = { readonly [Key in keyof All & string]: All[Key] | undefined };

/** What the state or the answer to the creation holds, with the parts of the id. A property that is not known is `undefined`. */
export type Known<Inputs, Outputs, Parts> = Parts & Live<Inputs & Outputs>;

/** What `read` may add: why the resource failed, what it lacks although its states are ready, the request id of the answer that says so. */
interface Remarks {
  readonly lacking?: string | undefined;
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Polls inside a step until nothing is missing, and shows what still is. */
export type Wait = (lack: () => Promise<string | undefined>) => Promise<void>;

/** Brings what is live one call or two nearer to what is desired. Called again once its effect shows, as long as they differ. */
export type Step<Desired, Seen> = (cloud: Cloud, desired: Desired, live: Seen, wait: Wait) => Promise<unknown>;

/** What a change of an input does. */
export type Change<Value, Desired, Seen> =
  /** It replaces the resource. */
  | "replace"
  /** Nothing on the platform: only this library's own behaviour changes. */
  | "local-only"
  /** Nothing at all: the input is only there for the order in which resources are made. */
  | "order-only"
  /** It changes the resource in place. */
  | Step<Desired, Seen>
  /** Some changes replace the resource, the others change it in place. */
  | {
      readonly replaces?: (desired: Value, before: Value, inputs: Partial<Desired>) => boolean;
      /** A wholly unknown value replaces: the input holds ids of what the resource is made on. */
      readonly unknownReplaces?: true;
      readonly step: Step<Desired, Seen>;
    };

/** What a change of each input does: none may be left out. */
type Changes<Inputs, Desired, Seen> = { readonly [Key in keyof Inputs & string]-?: Change<Inputs[Key], Desired, Seen> };
type SomeInputs<Inputs, Value> = { readonly [Key in keyof Inputs & string]?: Value };

/** What users see of a resource. */
export interface Interface<In extends Shape, Out extends Shape, Tables extends States, Parts> {
  readonly inputs: In & Decided<In>;
  readonly outputs: Out;
  readonly states?: Tables;
  readonly id: IdForm<Parts>;
}

/** How a resource is created, read, changed and deleted. `desired`: what the program says, defaults filled in. */
export interface Behaviour<Inputs, Outputs, Seen, Parts> {
  /** One call that creates it. Answers the parts of the id that are no inputs, and outputs that nothing tells later. */
  readonly create: (cloud: Cloud, desired: Inputs, draftNote: string) => Promise<Created<Inputs, Outputs, Parts>>;
  /** How a resource is found whose creator was killed before the engine had saved its id. */
  readonly owned: Owned<Inputs, Parts>;
  /** All that is live; `undefined` where there is no such resource. What the platform does not tell comes from `known`. */
  readonly read: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<(Live<Inputs & Outputs> & Seen & Remarks) | undefined>;
  /** Every resource of the kind in the region, or below what is listed: what its id tells. */
  readonly list: (cloud: Cloud, listed: Listed) => Promise<readonly Parts[]>;
  readonly delete: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<unknown>;
  /** What a change of each input does. Steps run in this order. */
  readonly changes: Changes<Inputs, Inputs & Parts, Live<Inputs & Outputs> & Seen>;
  /** Rules over several inputs: a sentence if broken. `before`: the inputs as last deployed, empty for a new resource. */
  readonly rules?: readonly ((desired: Inputs, before: Partial<Inputs>) => string | false | undefined)[];
  /** What is unwise, but not wrong: a sentence, shown as a warning. */
  readonly warnings?: readonly ((desired: Inputs) => string | false | undefined)[];
  /**
   * Whether the old resource has to be deleted before the new one can be created. A property that is not known yet is `undefined`.
   * Where the new id would be the old one, this follows from the id and need not be said.
   */
  readonly deleteBeforeReplace?: (desired: Partial<Inputs>, before: Partial<Inputs>) => boolean;
  /** The input that, while true, forbids deletion. */
  readonly protectedBy?: keyof Inputs & string;
  /** Why the resource is to be renewed or replaced once it has served its time, and the output that tells. `now` in milliseconds. */
  readonly due?: (
    known: Known<Inputs, Outputs, Parts>,
    now: number,
  ) => { readonly property: keyof Outputs & string; readonly why: string } | undefined;
  /** What to do now, by code, where the general advice would not do. */
  readonly hints?: { readonly [Code in ErrorCode]?: string };
  /** How long each verb may take, in seconds; 600 unless given. */
  readonly seconds?: { readonly create?: number; readonly update?: number; readonly delete?: number };
  readonly rare?: Rare<Inputs, Outputs, Seen, Parts>;
}

/** What few resources need. */
export interface Rare<Inputs, Outputs, Seen, Parts> {
  /** What must be there before the creation and is not yet, in words; throws if it will never be there. */
  readonly prerequisite?: (cloud: Cloud, desired: Inputs) => Promise<string | undefined>;
  /** After so many seconds of waiting in creation, a warning that this is abnormal. */
  readonly slowCreation?: { readonly seconds: number; readonly warning: string };
  /** Whether a difference between desired and live is none that counts, where plain comparison is not enough. */
  readonly ignoresDifference?: SomeInputs<Inputs, (desired: Inputs, live: Live<Inputs & Outputs>) => boolean>;
  /** Renews the resource in place once it is `due`; without it, the resource is replaced. */
  readonly renew?: Step<Inputs & Parts, Live<Inputs & Outputs> & Seen>;
  /**
   * Detaches the resource from another one, by id, that has to be deleted before its replacement is created, and that this input
   * names. Called only where the input's new value depends on the replacement; the update that follows attaches it again.
   */
  readonly detach?: SomeInputs<Inputs, (cloud: Cloud, known: Known<Inputs, Outputs, Parts>, id: string, wait: Wait) => Promise<unknown>>;
  /** What is still being deleted when the resource itself is no longer listed, in words. */
  readonly remains?: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<string | undefined>;
  /** Inputs for the program that imports the resource, where they are not what `read` tells. */
  readonly inputsToImport?: (cloud: Cloud, live: Known<Inputs, Outputs, Parts>) => Promise<Partial<Inputs>>;
  /** Values, other than ids, by which inputs of other resources name this one; each with the expression that gives it, such as `.subnetCidrBlock(3)`. */
  readonly references?: (live: Known<Inputs, Outputs, Parts>) => Iterable<readonly [value: string, expression: string]>;
}

type Created<Inputs, Outputs, Parts> = [Exclude<keyof Parts, keyof Inputs>] extends [never]
  ? unknown
  : Pick<Outputs, Exclude<keyof Parts, keyof Inputs> & keyof Outputs>;

export type Owned<Inputs, Parts> =
  /** By its tags, which the tag product keeps under this kind of name; its id there is the resource's. */
  | keyof typeof resourceKinds
  /** By its id: inputs tell it, and there is one such resource at most. */
  | "key"
  /** By its tags, which its own product keeps. `tagged` lists those that have a tag, and may list others. */
  | { readonly tagged: (cloud: Cloud, desired: Inputs, tag: Tag) => Promise<readonly Tagged[]> }
  /** Not at all, because what only its creation tells is lost: `sweep` removes what an earlier creation left behind. */
  | { readonly sweep: (cloud: Cloud, desired: Inputs, left: Left<Parts>) => Promise<unknown> };

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
  /** What `create` was given as `draftNote`, and the resource carries until it is finished. The same for every creation of one resource. */
  readonly draftNote: string;
  /** The id of a resource that was created, and is not known to be saved. */
  readonly unsaved: Parts | undefined;
}

/** A kind of resource: its interface and its behaviour, with the types of its properties erased, so that one interpreter serves every kind. */
export interface Kind extends Omit<Interface<Shape, Shape, States, Props>, "inputs" | "outputs">, Behaviour<Props, Props, Props, Props> {
  readonly type: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /** The input that holds the tags; `undefined` for what takes none. */
  readonly tagsInput: string | undefined;
}

export type AnyStep = Step<Props, Props>;
export type AnyChange = Change<unknown, Props, Props>;
