import { localFile } from "@container-platform/sdk";
import type { Context } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { idFromInputs } from "../definition/invariants.ts";
import type { Home } from "../schema/private-state.ts";
import { type Props, same } from "../schema/values.ts";
import { markOfProvider, type Ownership, ownerOf } from "./tags.ts";

interface Recorded {
  /** The URN by which the provider knows it, the same in each provider package. */
  readonly urn: string;
  /** The type in the state. */
  readonly token: string;
  /** The name of its type, such as `Vpc`. */
  readonly type: string;
  /** Whether the option `retainOnDelete` keeps it on the platform. */
  readonly isRetained: boolean;
}

export interface SavedResource extends Recorded {
  /** The URN in the state. */
  readonly savedAs: string;
  /** The URN in its outputs; after a rename with an alias, the earlier one. */
  readonly outputUrn: string;
  readonly id: string;
  readonly home: Home | undefined;
  /** The name of its explicit `Provider`; `undefined` for the default provider. */
  readonly provider: string | undefined;
}

/**
 * A pending create: Pulumi has saved that the creation began, and not yet its result. It stays in the state if Pulumi itself was killed, also
 * after a later update has created the resource. If only the provider was killed, Pulumi drops it.
 */
export interface PendingCreate extends Recorded {
  readonly inputs: Props;
  /** The mark of its provider. */
  readonly mark: string | undefined;
}

export interface StackState {
  readonly resources: readonly SavedResource[];
  readonly pendingCreates: readonly PendingCreate[];
  /** By the URN in the state, of any package: the URNs that it depends on, and its parent. */
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
  /** The marks of its providers, by the name of an explicit `Provider`. */
  readonly marks: readonly { readonly provider: string | undefined; readonly mark: string }[];
}

/** Reads the state of the stack of a URN, or of the selected stack; `undefined` if it cannot be read. It takes half a second. */
export type ReadState = (urn?: string) => Promise<StackState | undefined>;

/** The resources with an ID at an endpoint, in a region and an account. States of early versions do not record these. */
export const savedUnder = ({ resources }: StackState, { type }: Kind, id: string, home: Home): SavedResource[] =>
  resources.filter((one) => one.type === type && one.id === id && (!one.home || same(targetOf(one.home), targetOf(home))));

export const hasMark = ({ marks }: StackState, mark: string | undefined): boolean => marks.some((one) => one.mark === mark);

/**
 * The verdict of the state on a pending resource that it does not record:
 *
 * - `proven`: it has the mark, and a pending create with that mark, so the stack may delete it. A resource without a pending create, or with
 *   retainOnDelete, may have been saved since, and removed from the state.
 * - `own`: it has the mark of the state or, created by version 0.1.0, none.
 * - `foreign`: it has the mark of another state.
 * - `unreadable`: the state cannot be read.
 */
export type Proof = "proven" | "own" | "foreign" | "unreadable";

/** @param least how many pending creates prove it: two for the resource that this update is creating */
export function proofOf({ owner, mark }: Pick<Ownership, "owner" | "mark">, state: StackState | undefined, least = 1): Proof {
  if (!state) return "unreadable";
  const creates = state.pendingCreates.filter(({ urn }) => ownerOf(urn) === owner);
  const marked = creates.filter((one) => mark !== undefined && one.mark === mark);
  if (marked.length >= least && !creates.some(({ isRetained }) => isRetained)) return "proven";
  return mark === undefined || hasMark(state, mark) ? "own" : "foreign";
}

/** How many pending creates a resource has under an ID that consists of its inputs. */
export function keyedCreates({ pendingCreates }: StackState, kind: Kind, urn: string, token: string, id: string): number {
  return pendingCreates.filter((one) => one.urn === urn && one.token === token && idFromInputs(kind, one.inputs) === id).length;
}

/** The state during an update. */
export class StateReader {
  readonly #read: ReadState;
  readonly #creating: ReadonlySet<string>;
  #first: ReturnType<ReadState> | undefined;
  /** The state before the first creation, and the URNs of the resources that this update had begun to create by then. */
  #beforeCreating: Promise<readonly [StackState | undefined, ReadonlySet<string>]> | undefined;
  #isWarned = false;
  /** The name of the explicit `Provider` of this process; `undefined` for the default provider. */
  provider: string | undefined;
  /** The ID of this process's provider, if Pulumi has told it. */
  providerId: string | undefined;

  /** @param creating the URNs of the resources that this update has begun to create */
  constructor(read: ReadState, creating: ReadonlySet<string>) {
    [this.#read, this.#creating] = [read, creating];
  }

  now(urn: string): ReturnType<ReadState> {
    const state = this.#read(urn);
    this.#first ??= state;
    return state;
  }

  /** The state as it was when this update first asked for it. */
  first(urn: string): ReturnType<ReadState> {
    return this.#first ?? this.now(urn);
  }

  /** The state that has an ID: that of the stack of the URN or, after `pulumi stack rename`, of the selected stack; `undefined` if none has it. */
  async having({ type }: Kind, id: string, urn: string): Promise<StackState | undefined> {
    const isIn = (state: StackState | undefined) => state?.resources.some((one) => one.type === type && one.id === id);
    const ofUrn = await this.first(urn);
    if (isIn(ofUrn)) return ofUrn;
    const selected = await this.#read();
    return isIn(selected) ? selected : undefined;
  }

  /**
   * The mark of this process's provider; `undefined` if it is unknown. It is read before the first creation, and not in a preview: a preview of
   * a new stack has no provider in the state.
   */
  async mark(urn: string, warn: Context["warn"]): Promise<string | undefined> {
    if (this.providerId !== undefined) return markOfProvider(this.providerId);
    const [state] = await this.#readBeforeCreating(urn);
    if (!state && !this.#isWarned) warn({ code: "Unchecked", message: unreadable });
    this.#isWarned = true;
    return state?.marks.find(({ provider }) => provider === this.provider)?.mark;
  }

  /** Whether an earlier update has begun to create a resource. Of one that is being created, one pending create is of this update. */
  async wasBegun(urn: string, token: string): Promise<boolean> {
    const [state, creating] = await this.#readBeforeCreating(urn);
    const creates = state?.pendingCreates.filter((one) => one.urn === urn && one.token === token) ?? [];
    return creates.length > (creating.has(urn) ? 1 : 0);
  }

  #readBeforeCreating(urn: string): Promise<readonly [StackState | undefined, ReadonlySet<string>]> {
    return (this.#beforeCreating ??= this.now(urn).then((state) => [state, new Set(this.#creating)]));
  }
}

const unreadable =
  "could not read this stack's state (`pulumi stack export` failed): if this update is interrupted, the next one cannot recover its resources. Make sure that `pulumi` is on the PATH";

/** Endpoint, region and account. A database of the emulator is one target under all names of its endpoint. */
function targetOf({ endpoint, region, account }: Home): readonly string[] {
  const file = localFile(endpoint);
  return [file === undefined ? endpoint : `local:${file}`, region, account];
}

/** Whether the platform is a database of the emulator in this process, whose lists are complete at once. */
export const isEmbedded = (home: Home): boolean => targetOf(home)[0]?.startsWith("local:") === true;
