import type { Cloud, ErrorCode, resourceKinds, Readiness } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import type { IdPrefix } from "../schema/marks.ts";
import type { Props } from "../schema/values.ts";
import type { IdForm } from "./ids.ts";
import type { Optional } from "./inputs.ts";
import type { Offer } from "./offers.ts";
import type { Invariant, UniqueConstraint } from "./invariants.ts";
import type { Outliving } from "./outliving.ts";

/** Schemas of properties by name. */
export type Shape = z.core.$ZodLooseShape;
// zod gives an object without keys an index signature, and then names are no longer checked.
export type Value<Of extends Shape> = keyof Of extends never ? unknown : z.output<z.ZodObject<Of>>;

/** Checks that every input that may be left out says what taking it out of the program does. */
type Decided<In extends Shape> = {
  [Key in keyof In]: In[Key] extends z.ZodOptional ? (In[Key] extends Optional<z.ZodType> ? In[Key] : never) : In[Key];
};

/** What each state of the platform means, by the property in which `read` returns the state. */
export type States = Readonly<Record<string, Readonly<Record<string, Readiness>>>>;
/** What `read` returns of a resource that has states, besides its properties. */
export type LiveStates<Tables extends States> = keyof Tables extends never
  ? unknown
  : Remarks & { readonly [Key in keyof Tables & string]: (keyof Tables[Key] & string) | undefined };

/** All properties of a live resource. None may be left out; `undefined` says that the platform has no value. */
export type Live<All> = { readonly [Key in keyof All & string]: All[Key] | undefined };

/** The properties in Pulumi's state or in the answer to the creation, and the parts of the id. A property that is not known is `undefined`. */
export type Known<Inputs, Outputs, Parts> = Parts & Live<Inputs & Outputs>;

/** What `read` says about the states. */
export interface Remarks {
  /** What is still missing, although every state is ready. */
  readonly lacking: string | undefined;
  /** Why the resource failed. */
  readonly reason: string | undefined;
  /** The request id of the answer that says so. */
  readonly requestId: string | undefined;
}
/** The remarks of a resource about which the platform says nothing but its states. */
export const noRemarks: Remarks = { lacking: undefined, reason: undefined, requestId: undefined };

/**
 * The ids that were found in a region so far, by the name of the property: `clusterId` has those of all clusters. Kinds that are listed
 * inside others need them. `targetUin` has the sub-accounts whose permissions are listed: the platform cannot list the sub-accounts.
 */
export type Listed = Readonly<Partial<Record<string, readonly string[]>>>;

/** Polls inside a step until `lack` returns `undefined`, and shows the text that it returns until then. */
export type Wait = (lack: () => Promise<string | undefined>) => Promise<void>;

/**
 * Changes the live resource with one call or two, so that it differs less from the desired one. The resource is then read until it shows
 * the change. If the input still differs, the step is taken again.
 */
export type Step<Desired, LiveProps> = (cloud: Cloud, desired: Desired, live: LiveProps, wait: Wait) => Promise<unknown>;

/** What a change of an input does. */
export type Change<Value, Desired, LiveProps> =
  /** It replaces the resource. */
  | "replace"
  /** Nothing on the platform: only this library's own behaviour changes. */
  | "local-only"
  /** Nothing at all: the input only determines the order in which resources are created. */
  | "order-only"
  /** It changes the resource in place. */
  | Step<Desired, LiveProps>
  /** Some changes replace the resource, the others change it in place. */
  | {
      readonly replaces?: (desired: Value, before: Value, inputs: Partial<Desired>) => boolean;
      /** A value that is unknown as a whole replaces the resource, because the input holds ids of what the resource is created in. */
      readonly unknownReplaces?: true;
      readonly step: Step<Desired, LiveProps>;
    };

/** What a change of each input does. No input may be left out. */
type Changes<Inputs, Desired, LiveProps> = { readonly [Key in keyof Inputs & string]-?: Change<Inputs[Key], Desired, LiveProps> };
type SomeInputs<Inputs, Value> = { readonly [Key in keyof Inputs & string]?: Value };

/** What users see of a resource. */
export interface Interface<In extends Shape, Out extends Shape, Tables extends States, Parts> {
  readonly inputs: In & Decided<In>;
  readonly outputs: Out;
  readonly states?: Tables;
  readonly id: IdForm<Parts>;
}

/** How a resource is created, read, changed and deleted. `desired`: the inputs of the program, with defaults. */
export interface Behaviour<Inputs, Outputs, LiveState, Parts> {
  /** Creates the resource with one call. Returns the parts of the id that are no inputs, and the outputs that can be read only now. */
  readonly create: (cloud: Cloud, desired: Inputs) => Promise<Created<Inputs, Outputs, Parts>>;
  /** How to find a resource that an interrupted update created, and whose ID is not in the state. */
  readonly owned: Owned<Inputs>;
  /** The live resource, or `undefined` if there is none. Values that the platform does not return are taken from `known`. */
  readonly read: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<(Live<Inputs & Outputs> & LiveState) | undefined>;
  /** All resources of the kind in the region, or in the parents in `listed`: the parts of their IDs, their unique inputs, and their notes. */
  readonly list: (cloud: Cloud, listed: Listed) => Promise<readonly Parts[]>;
  readonly delete: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<unknown>;
  /** What a change of each input does. Steps run in this order. */
  readonly changes: Changes<Inputs, Inputs & Parts, Live<Inputs & Outputs> & LiveState>;
  /** Changes of a live value that the platform does not support, although a new resource may have the value. Returns the reason. */
  readonly never?: SomeInputs<Inputs, (desired: Inputs, live: Live<Inputs & Outputs>) => string | false | undefined>;
  /** Whether a difference between the desired and the live value of an input does not count. */
  readonly ignoresDifference?: SomeInputs<Inputs, (desired: Inputs, live: Live<Inputs & Outputs>) => boolean>;
  readonly rules?: readonly InputsRule<Inputs>[];
  /** Rules about what is unwise, but not wrong. Each returns a sentence, which is shown as a warning. */
  readonly warnings?: readonly ((desired: Inputs) => string | false | undefined)[];
  /** What the platform offers at the moment, by the input that has to be of it, such as `zone` or `native.keyIds`. */
  readonly offered?: { readonly [path: string]: Offer<Inputs> };
  /** Advice by error code, where the general advice does not fit. */
  readonly hints?: { readonly [Code in ErrorCode]?: Hint };
  /** How long each operation may take, in seconds. Default: 600. */
  readonly seconds?: { readonly create?: number; readonly update?: number; readonly delete?: number };
  /** What the creation has to wait for, in words; `undefined` once it can begin. Throws if waiting would never end. */
  readonly prerequisite?: (cloud: Cloud, desired: Inputs) => Promise<string | undefined>;
  /** Inputs that the creation cannot carry. If they are given, their steps are taken as soon as it is seen what it has made. */
  readonly afterCreation?: readonly (keyof Inputs & string)[];
  /** A warning that is shown when a creation takes longer than so many seconds. */
  readonly slowCreation?: { readonly seconds: number; readonly warning: string };
  /** Why the resource has to be renewed or replaced now, and which output shows it; `undefined` if it need not be yet. `now` in milliseconds. */
  readonly due?: (
    known: Known<Inputs, Outputs, Parts>,
    now: number,
  ) => { readonly property: keyof Outputs & string; readonly why: string } | undefined;
  /** Renews the resource in place when it is `due`. Without this step, it is replaced. */
  readonly renew?: Step<Inputs & Parts, Live<Inputs & Outputs> & LiveState>;
  /** It holds workloads or data. So only a change of the program replaces it: drift that cannot be reverted in place stays. */
  readonly holdsWorkloads?: true;
  /** The parts that the platform still deletes after the resource itself, for a message. */
  readonly remains?: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>) => Promise<string | undefined>;
  /** What stays on the platform after a deletion, and is billed. */
  readonly outliving?: (inputs: Inputs) => readonly Outliving[];
  /**
   * The kind of its parent, and the input with the parent's ID. Resources in a protected parent are not deleted with it. `keeps`: the parent
   * is not deleted while it contains one.
   */
  readonly within?: { readonly kind: Kind; readonly by: keyof Inputs & string; readonly keeps?: true };
  /** The platform deletes it with its contents. The provider names the contents that the update does not delete itself. */
  readonly takesAlong?: true;
  /** Values that only one resource can have. Two that share one fail in the preview; a replacement that does deletes the old one first. */
  readonly unique?: readonly UniqueConstraint<Inputs>[];
  /** Rules about the resource among others: once its inputs were checked, once it was compared with the state, at the end of the program. */
  readonly invariants?: { readonly [When in "check" | "diff" | "end"]?: readonly Invariant<Kind, keyof Inputs & string>[] };
  /** Whether the resource may need others that it names without an ID: then the sources of all its inputs are recorded. */
  readonly needsByName?: true;
  /** The input that, while true, forbids deletion. */
  readonly protectedBy?: keyof Inputs & string;
  /** The protected resources on this one, by name: it is not replaced while there are any. */
  readonly protectedOn?: (cloud: Cloud, parts: Parts) => Promise<readonly string[]>;
  /** What it has that no program names, by id, such as the machines of a pool. */
  readonly holds?: Holding<Inputs, Parts>;
  /**
   * Detaches the resource from another one (`id`) to which the input refers, and which has to be deleted before its replacement is created.
   * The update of this resource, which follows, attaches it to the replacement.
   */
  readonly detach?: {
    readonly input: keyof Inputs & string;
    readonly from: (cloud: Cloud, known: Known<Inputs, Outputs, Parts>, id: string, wait: Wait) => Promise<unknown>;
  };
  /** Inputs for a program that imports the resource, where they differ from what `read` returns. */
  readonly inputsToImport?: (cloud: Cloud, live: Known<Inputs, Outputs, Parts>) => Promise<Partial<Inputs>>;
  /** Values other than ids by which inputs of other resources refer to this one, each with its expression, such as `.subnetCidrBlock(3)`. */
  readonly references?: (live: Known<Inputs, Outputs, Parts>) => Iterable<readonly [value: string, expression: string]>;
  /** Inputs that name another resource by a part of its id. The importer writes a reference where there is such a resource. */
  readonly namesOthers?: SomeInputs<Inputs, Naming<Known<Inputs, Outputs, Parts>>>;
}

/** A rule about several inputs. */
export interface InputsRule<Inputs> {
  /** The property that a message names first, such as `native.scaling`. */
  readonly of: string;
  /** Returns the message if the rule is broken. `before`: the inputs as last deployed, empty for a new resource. */
  readonly broken: (desired: Inputs, before: Partial<Inputs>) => string | false | undefined;
}

/** Advice about a refusal; a function where it depends on the platform's sentence. */
export type Hint = string | ((reason: string) => string | undefined);

/** What a resource has that no program names, by id, such as the machines of a pool. */
export interface Holding<Inputs, Parts> {
  readonly list: (cloud: Cloud, parts: Parts) => Promise<readonly string[]>;
  /** Whether it is to have none of them. */
  readonly isEmptied: (inputs: Inputs) => boolean;
  readonly keeps: readonly Keeping<Parts>[];
}

/** An input whose change is for what is new alone: what is there keeps what it was made with, such as its subnet. */
export interface Keeping<Parts> {
  /** The input, a list of ids. */
  readonly by: string;
  /** What these ids begin with. */
  readonly of: IdPrefix;
  /** Those that keep one of these. */
  readonly keptBy: (cloud: Cloud, parts: Parts, id: string) => Promise<readonly string[]>;
  /** How they use it, after their names: `stays in subnet-3f8a0c1e`. */
  readonly how: (id: string, isOne: boolean) => string;
  /** The remedy if they block the deletion of such a resource. `called`: its type and name. */
  readonly remedy: (called: string) => string;
}

/** How texts in an input name another resource. */
export interface Naming<LiveProps> {
  /** The other one's kind. */
  readonly kind: string;
  /** Its property that the text is. */
  readonly property: string;
  /** The parts of its id, if the text is such a name. */
  readonly parts: (text: string, live: LiveProps) => Props;
}

type Created<Inputs, Outputs, Parts> = [Exclude<keyof Parts, keyof Inputs>] extends [never]
  ? unknown
  : Pick<Outputs, Exclude<keyof Parts, keyof Inputs> & keyof Outputs>;

export type Owned<Inputs> =
  /** By its tags, which the tag product keeps under this name. The id there is the resource's id. */
  | keyof typeof resourceKinds
  /** By its id, which follows from the inputs: there can be only one resource with it. */
  | "key"
  /** By its tags, which its own product keeps. `tagged` lists the resources that have a tag, and may list others as well. */
  | { readonly tagged: (cloud: Cloud, desired: Inputs, tag: Readonly<Record<"key" | "value", string>>) => Promise<readonly Tagged[]> }
  /** By a note in one of its inputs until Pulumi has saved it, because only its creation returns a secret. `undefined`: it has no note. */
  | { readonly note: (inputs: Partial<Inputs>) => (keyof Inputs & string) | undefined };

interface Tagged {
  readonly id: string;
  readonly tags: Readonly<Record<string, string>> | undefined;
}

/** A live resource of any kind: its properties, its states and the remarks on them. */
export type AnyLive = Props & Partial<Remarks>;

/** A kind of resource: its interface and its behaviour. The types of its properties are erased, so that the same code serves every kind. */
export interface Kind extends Omit<Interface<Shape, Shape, States, Props>, "inputs" | "outputs">, Behaviour<Props, Props, AnyLive, Props> {
  readonly type: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /** The input that holds the tags; `undefined` if the kind takes none. */
  readonly tagsInput: string | undefined;
}

export type AnyStep = Step<Props, AnyLive>;
export type AnyChange = Change<unknown, Props, AnyLive>;
