import { localFile } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import { idFromInputs } from "../definition/unique.ts";
import type { Home } from "../schema/private-state.ts";
import { type Props, same } from "../schema/values.ts";
import { markOfProvider, type Ownership, ownerOf } from "./tags.ts";

/** A resource in Pulumi's state. */
export interface SavedResource {
  /** The URN by which the provider knows it, the same in each provider package. */
  readonly urn: string;
  /** The URN in the state. */
  readonly savedAs: string;
  /** The type in the state. */
  readonly token: string;
  /** The name of its type, such as `Vpc`. */
  readonly type: string;
  readonly id: string;
  readonly home: Home | undefined;
  /** The name of its explicit `Provider`; `undefined` for the default provider. */
  readonly provider: string | undefined;
  /** Whether the option `retainOnDelete` keeps it on the platform. */
  readonly isRetained: boolean;
}

/**
 * A pending create: Pulumi has saved that the creation began, and not yet its result. It stays in the state if Pulumi itself was killed, also
 * after a later update has created the resource. If only the provider was killed, Pulumi drops it.
 */
export interface PendingCreate {
  readonly urn: string;
  /** The type in the state. */
  readonly token: string;
  readonly inputs: Props;
  readonly isRetained: boolean;
  /** The mark of its provider. */
  readonly mark: string | undefined;
}

/** Pulumi's state of a stack. */
export interface StackState {
  readonly resources: readonly SavedResource[];
  readonly pendingCreates: readonly PendingCreate[];
  /** The marks of its providers, by the name of an explicit `Provider`. */
  readonly marks: readonly { readonly provider: string | undefined; readonly mark: string }[];
}

/** Reads the state of the stack of a URN, or of the selected stack; `undefined` if it cannot be read. It takes half a second. */
export type ReadState = (urn?: string) => Promise<StackState | undefined>;

/** The resources with an ID at a target. */
export function savedUnder(
  { resources }: StackState,
  { type }: Pick<Kind, "type">,
  id: string,
  target: readonly string[],
): SavedResource[] {
  return resources.filter((one) => one.type === type && one.id === id && isAt(one, target));
}

/** Whether a mark is one of this state. */
export function hasMark({ marks }: StackState, mark: string | undefined): boolean {
  return marks.some((one) => one.mark === mark);
}

/** The pending creates of an owner, as ownership tags name it. */
export function pendingCreatesOf({ pendingCreates }: StackState, owner: string | undefined): readonly PendingCreate[] {
  return pendingCreates.filter(({ urn }) => ownerOf(urn) === owner);
}

/**
 * Whether the state proves that a resource may be deleted: it has the mark, and a pending create with that mark. A resource without a pending create,
 * or with retainOnDelete, may have been saved since, and removed from the state.
 *
 * @param least how many pending creates there must be: two for the resource that this update is creating
 */
export function isProven({ owner, mark }: Pick<Ownership, "owner" | "mark">, state: StackState, least = 1): boolean {
  const creates = pendingCreatesOf(state, owner);
  const marked = creates.filter((one) => mark !== undefined && one.mark === mark);
  return marked.length >= least && !creates.some(({ isRetained }) => isRetained);
}

/** How many pending creates a resource has under an ID that consists of its inputs. */
export function keyedCreates({ pendingCreates }: StackState, kind: Kind, urn: string, token: string, id: string): number {
  return pendingCreates.filter((one) => one.urn === urn && one.token === token && idFromInputs(kind, one.inputs) === id).length;
}

/** The state during an update. */
export class StateReader {
  readonly #read: ReadState;
  #first: ReturnType<ReadState> | undefined;
  #atCreation: Promise<AtCreation> | undefined;
  #isWarned = false;
  /** The resources that this update has begun to create, by URN. */
  readonly #creating = new Set<string>();
  /** The name of the explicit `Provider` of this process; `undefined` for the default provider. */
  provider: string | undefined;
  /** The ID of this process's provider, if Pulumi has told it. */
  providerId: string | undefined;

  constructor(read: ReadState) {
    this.#read = read;
  }

  /** The state as it is now. */
  now(urn: string): ReturnType<ReadState> {
    const state = this.#read(urn);
    this.#first ??= state;
    return state;
  }

  /** The state as it was when this update first asked for it. */
  first(urn: string): ReturnType<ReadState> {
    return this.#first ?? this.now(urn);
  }

  /**
   * The state that has an ID: that of the stack of the URN or, after `pulumi stack rename`, of the selected stack. `undefined` if none has it, or
   * can be read.
   */
  async having({ type }: Kind, id: string, urn: string): Promise<StackState | undefined> {
    for (const read of [() => this.first(urn), () => this.#read()]) {
      const state = await read();
      if (state?.resources.some((one) => one.type === type && one.id === id)) return state;
    }
    return undefined;
  }

  /** The resources that the state had under an ID when this update first asked for it; `undefined` if it cannot be read. */
  async savedUnder(kind: Kind, id: string, urn: string, target: readonly string[]): Promise<SavedResource[] | undefined> {
    const state = await this.first(urn);
    return state && savedUnder(state, kind, id, target);
  }

  /** The URN in the state of a resource of another provider with an ID; `undefined` if the state has none, or cannot be read. */
  async otherProvidersUnder(kind: Kind, id: string, urn: string, target: readonly string[]): Promise<string | undefined> {
    return (await this.savedUnder(kind, id, urn, target))?.find((one) => one.urn !== urn && one.provider !== this.provider)?.savedAs;
  }

  /** Records that Pulumi has asked this process to create a resource. */
  noteCreating(urn: string): void {
    this.#creating.add(urn);
  }

  /**
   * The mark of this process's provider; `undefined` if it is unknown. It is read before the first creation, and not in a preview: a preview of
   * a new stack has no provider in the state.
   */
  async mark(urn: string, warn: (message: string) => void): Promise<string | undefined> {
    if (this.providerId !== undefined) return markOfProvider(this.providerId);
    const { mark, isRead } = await this.#beforeCreating(urn);
    if (!isRead && !this.#isWarned) warn(unreadable);
    this.#isWarned = true;
    return mark;
  }

  /** Whether an earlier update has begun to create a resource. */
  async wasBegun(urn: string, token: string): Promise<boolean> {
    return (await this.#beforeCreating(urn)).begun.has(`${token} ${urn}`);
  }

  #beforeCreating(urn: string): Promise<AtCreation> {
    return (this.#atCreation ??= this.#readAtCreation(urn));
  }

  async #readAtCreation(urn: string): Promise<AtCreation> {
    const state = await this.now(urn);
    const { marks = [], pendingCreates = [] } = state ?? {};
    const counts = Map.groupBy(pendingCreates, (one) => `${one.token} ${one.urn}`);
    // Of the resources that are being created, one pending create is of this update.
    const earlier = [...counts].filter(([, [one, ...more]]) => more.length > 0 || (one && !this.#creating.has(one.urn)));
    return {
      isRead: state !== undefined,
      mark: marks.find(({ provider }) => provider === this.provider)?.mark,
      begun: new Set(earlier.map(([key]) => key)),
    };
  }
}

const unreadable =
  "could not read this stack's state (`pulumi stack export` failed): if this update is interrupted, the next one cannot recover its resources. Make sure that `pulumi` is on the PATH";

/** The facts that an update reads in the state before its first creation. */
interface AtCreation {
  readonly isRead: boolean;
  readonly mark: string | undefined;
  /** By type and URN: the resources that an earlier update has begun to create. */
  readonly begun: ReadonlySet<string>;
}

// A cache: each value follows from its key. Whether an endpoint is a file, the file system tells.
const targets = new WeakMap<Home, readonly string[]>();

/** Endpoint, region and account. A database of the emulator is one target under all names of its endpoint. */
export function targetOf(home: Home): readonly string[] {
  const known = targets.get(home);
  if (known) return known;
  const file = localFile(home.endpoint);
  const target = [file === undefined ? home.endpoint : `local:${file}`, home.region, home.account];
  targets.set(home, target);
  return target;
}

/** Whether a resource of the state is at a target. States of early versions do not tell. */
function isAt({ home }: { readonly home: Home | undefined }, target: readonly string[]): boolean {
  return !home || same(targetOf(home), target);
}

/** Whether a target is a database of the emulator in this process, whose lists are complete at once. */
export function isEmbedded([endpoint = ""]: readonly string[]): boolean {
  return endpoint.startsWith("local:");
}
