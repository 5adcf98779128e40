import { type Cidr, type Cloud, overlaps, parseCidr } from "@container-platform/sdk";
import type { Coded } from "./codes.ts";
import type { NamedId } from "../schema/marks.ts";
import type { OtherNames } from "../schema/paths.ts";
import { holdsUnknown, type Props } from "../schema/values.ts";

/** The planned operation. `keep`: unchanged, or updated in place. */
export type Operation = "create" | "import" | "keep" | "replace" | "delete";

/** The part of a resource's definition that the graph needs. The reviewer has that much as data. */
export interface NodeKind {
  readonly type: string;
  readonly id: { readonly names: readonly string[]; readonly of: (parts: Props) => string };
  readonly inputs: { readonly shape: object };
  readonly unique?: readonly UniqueConstraint[] | undefined;
  readonly within?: { readonly by: string } | undefined;
}

/** A resource in the graph of a program. */
export interface Node<K extends NodeKind> {
  readonly kind: K;
  readonly urn: string;
  /** The URN in the state. It differs from `urn` if an alias has renamed the resource. */
  readonly stateUrn: string;
  readonly operation: Operation;
  readonly inputs: Props;
  /** The last applied inputs. Empty for a resource that is to be created. */
  readonly lastInputs: Props;
  /** The properties in the state. `undefined` until the resource was compared with the state. */
  readonly state?: Props;
  /** The inputs that cause the replacement. */
  readonly replaceReasons?: readonly string[] | undefined;
  /** The ID in the state, or the one to import. */
  readonly id?: string | undefined;
  /** By path of an input: the URN of the resource whose output it is. */
  readonly sources: Readonly<Record<string, string>>;
  /** By path of an input: the name of the component's argument. */
  readonly names?: OtherNames;
  /** The URNs that it depends on. The empty text stands for a dependency that cannot be determined. */
  readonly dependencies: readonly string[];
  /** The option `deleteBeforeReplace`, if the program sets it. */
  readonly deleteBeforeReplace: boolean | undefined;
  readonly retainOnDelete: boolean;
  /** When a replacement deletes the old resource: before it creates the new one, or at the end of the update. */
  readonly deletesOld?: "first" | "last" | undefined;
  /** The IDs of other resources in the inputs. */
  readonly references: readonly NamedId[];
  /** The IDs in inputs that were removed from the program and that the platform therefore keeps. */
  readonly keptReferences: readonly NamedId[];
}

/** Why a resource cannot be as the program declares it. */
export interface Violation extends Coded {
  /** The property that the message is about. The user sees it before the message. */
  readonly path?: string | undefined;
  /** The other resource of the program, if two of them conflict. */
  readonly other?: Node<NodeKind> | undefined;
  readonly conflict?: Conflict | undefined;
}

export type Violations = Violation | readonly Violation[] | undefined;

/** Who manages an existing resource. */
export interface Owner {
  /**
   * - `none`: an orphan of this stack, which its creation recovers, or a resource that is deleted first.
   * - `self`: the resource itself, which is replaced.
   * - `moved`: the resource itself, which the state records with the type of the other provider package.
   * - `lost`: the resource itself, which is not recorded in the state any more.
   * - `missing`: a resource that this update did not find before, so that the state does not record it any more.
   * - `stack`: another resource of this stack.
   * - `other provider`: a resource of this stack with another provider.
   * - `orphan`: an interrupted update of this stack created it as another resource.
   * - `unmanaged`: this stack does not manage it.
   */
  readonly is: "none" | "self" | "moved" | "lost" | "missing" | "stack" | "other provider" | "orphan" | "unmanaged";
  /** Whether another state of a stack of the same name has created a lost one. */
  readonly isOfOtherState?: boolean;
  /** The URN in the state. */
  readonly urn?: string;
  /** The type in the state. */
  readonly token?: string;
}

/** The platform and the state, as an update sees them. Each read is made once an update, or is recent enough. */
export interface World<K extends NodeKind> {
  readonly cloud: Cloud;
  readonly warn: (warning: Coded) => void;
  readonly warnOnce: (warning: Coded) => void;
  /** Lists all resources of a kind in the region. */
  readonly list: (kind: K) => Promise<readonly Props[]>;
  /** Reads a resource; `undefined` if it does not exist. `maxAge`: how old the response may be, in milliseconds. */
  readonly read: (kind: K, id: string, known: Props, maxAge?: number) => Promise<Props | undefined>;
  readonly exists: (reference: NamedId) => Promise<boolean>;
  readonly ownerOf: (node: Node<K>, id: string, live: Props) => Promise<Owner>;
  /** Whether the ownership tag of a live resource names another resource. */
  readonly hasOtherOwner: (node: Node<K>, live: Props) => boolean;
  /** The URN in the state of an ID that the platform has generated. */
  readonly urnInState: (node: Node<K>, id: string) => Promise<string | undefined>;
  /** Reads what `description` names. If the account may not, or the platform is busy, it warns once and returns `undefined`. */
  readonly ifReadable: <T>(description: string, read: () => Promise<T>, path?: string) => Promise<T | undefined>;
}

/** The resources of a program, as far as this update has seen them. */
export interface Program<K extends NodeKind> {
  readonly all: readonly Node<K>[];
  readonly get: (urn: string | undefined) => Node<K> | undefined;
  readonly ofType: (type: string) => readonly Node<K>[];
  readonly withId: (kind: Pick<K, "type">, id: string) => Node<K> | undefined;
  /** The resource that has an ID which the platform has generated. */
  readonly byId: (id: string) => Node<K> | undefined;
  /** The resource that the value of an input comes from. */
  readonly source: (node: Node<K>, path: string) => Node<K> | undefined;
  readonly dependsOn: (node: Node<K>, urn: string) => boolean;
  /** Whether this update is still to create the resource while all existing ones exist. */
  readonly willBeCreated: (node: Node<K>) => boolean;
}

/** A rule about a resource among others. An unknown value never violates it. A resource without the inputs `Keys` does not compile. */
export type Invariant<K extends NodeKind, Keys extends string = never> = ((
  graph: Program<K>,
  node: Node<K>,
  world: World<K>,
) => Violations | Promise<Violations>) & { readonly keys?: Keys };

/** The input that a path begins with. */
export type Head<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;

/** A value that only one resource can have at a time: a name, or a CIDR block. */
export interface UniqueConstraint<Inputs = Props> {
  /** The input with the value, or with a list of names. */
  readonly by: keyof Inputs & string;
  /** Two names conflict if they are equal, two CIDR blocks if they overlap. */
  readonly as: "name" | "range";
  /** The input of the existing resource to compare with. Default: the same input. */
  readonly meets?: keyof Inputs & string;
  /** The input with the ID of the parent in which the value is unique. Default: the region. */
  readonly in?: keyof Inputs & string;
  /** Whether a value is free, where the platform knows more than the region's list. */
  readonly isFree?: (cloud: Cloud, value: string) => Promise<boolean>;
}

/** The two values of which only one can exist. */
export interface Conflict extends Pick<UniqueConstraint, "as" | "by"> {
  readonly in: string | undefined;
  readonly value: string;
  readonly otherBy: string;
  readonly otherValue: string;
}

/** Whether two resources have the parent that an input names. */
type IsShared = (input: string) => boolean;

/** The conflict of a new resource with one that exists before it. The platform compares in this direction only. */
export function conflictWith(constraints: readonly UniqueConstraint[] = [], inputs: Props, existing: Props, isShared: IsShared) {
  for (const { as, by, meets: otherBy = by, in: parent } of constraints) {
    const [values, otherValues] = [textsIn(inputs, by), textsIn(existing, otherBy)];
    if (parent !== undefined && !isShared(parent)) continue;
    const [range, otherRange] = [rangeIn(inputs, by), rangeIn(existing, otherBy)];
    const isOne = as === "range" && range && otherRange && overlaps(range, otherRange);
    const value = as === "name" ? values.find((one) => otherValues.includes(one)) : isOne ? values[0] : undefined;
    const otherValue = as === "name" ? value : otherValues[0];
    if (value !== undefined && otherValue !== undefined) return { as, in: parent, by, value, otherBy, otherValue };
  }
  return undefined;
}

/** The same conflict, described from the existing resource. */
export function reversed(conflict: Conflict | undefined): Conflict | undefined {
  return conflict && { ...conflict, by: conflict.otherBy, value: conflict.otherValue, otherBy: conflict.by, otherValue: conflict.value };
}

/** The ID, if it consists of inputs and all of them are known. */
export function idFromInputs(kind: NodeKind, inputs: Props): string | undefined {
  return isKeyed(kind) && kind.id.names.every((key) => !holdsUnknown(inputs[key])) ? kind.id.of(inputs) : undefined;
}

/** Whether the ID consists of inputs. The platform generates all other IDs. */
export function isKeyed({ id, inputs }: NodeKind): boolean {
  return id.names.every((name) => name in inputs.shape);
}

/**
 * Whether a replacement can exist at the same time as the resource that it replaces. An unknown CIDR block counts as overlapping. An
 * unknown name counts as equal only if another input causes the replacement.
 */
export function canCoexist(kind: NodeKind, id: string, news: Props, olds: Props, replaceReasons: readonly string[] = []): boolean {
  if (idFromInputs(kind, news) === id) return false;
  const isShared: IsShared = (parent) => news[parent] === olds[parent];
  const mayConflict = ({ as, by, meets = by, in: parent }: UniqueConstraint) =>
    holdsUnknown(news[by]) &&
    textsIn(olds, meets).length > 0 &&
    (parent === undefined || isShared(parent)) &&
    (as === "range" || replaceReasons.some((key) => key !== by));
  return !kind.unique?.some(mayConflict) && !conflictWith(kind.unique, news, olds, isShared);
}

/** A text that is known and not empty. */
export function textIn(props: Props, key: string): string | undefined {
  const value = props[key];
  return typeof value === "string" && value !== "" && !holdsUnknown(value) ? value : undefined;
}

/** The texts in a property, or in its list, that are known and not empty. */
export function textsIn(props: Props, key: string): readonly string[] {
  const value = props[key];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => (typeof one === "string" && one !== "" && !holdsUnknown(one) ? [one] : []));
}

// Parsed once: a resource is compared with many.
const parsed = new WeakMap<Props, Map<string, Cidr | undefined>>();

/** The CIDR block in a property; `undefined` if the value is unknown or not a CIDR block. */
export function rangeIn(props: Props, key: string): Cidr | undefined {
  const known = parsed.get(props) ?? new Map<string, Cidr | undefined>();
  parsed.set(props, known);
  if (!known.has(key)) known.set(key, parseCidr(textIn(props, key) ?? ""));
  return known.get(key);
}
