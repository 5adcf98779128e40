import type { Coded } from "../definition/codes.ts";
import type { Context } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { ProgramGraph } from "../program/program-graph.ts";
import type { Home } from "../schema/private-state.ts";
import { holdsUnknown, type Props, textsIn } from "../schema/values.ts";
import { InState } from "./in-state.ts";
import { PendingResources } from "./pending.ts";
import { type ReadState, StateReader } from "./state.ts";

/** The resource of one request of Pulumi, its platform, and the update. */
export interface Resource extends Context {
  readonly kind: Kind;
  /** The URN in the state, now or later. */
  readonly urn: string;
  readonly home: Home;
  readonly session: Session;
  /** Its inputs in the program; for a read and a deletion, its properties in the state. */
  readonly props: Props;
}

/** A resource that may have to detach from another one, which is deleted before its replacement is created. */
export interface Holder {
  readonly kind: Kind;
  /** Its properties in the state. */
  readonly known: Props;
}

/** The memory of one update. All resources of the update share it, and it ends with the process. */
export class Session {
  /** Loads all types of resources, dependencies first. */
  readonly kinds: () => Promise<readonly Kind[]>;
  /** The type of a resource in the state. */
  readonly tokenOf: (type: string) => string;
  readonly state: StateReader;
  readonly pending = new PendingResources();
  readonly inState = new InState();
  /** The resources of the program, and their planned operations. */
  readonly graph = new ProgramGraph();
  /** The reads of the program's rules: lists by type, and the IDs of existing resources. */
  readonly reads = { listings: new Map<string, Promise<readonly Props[]>>(), existing: new Set<string>() };
  /** The URN of the first resource that this update changes. An update that only reads, such as a preview, confirms nothing. */
  firstChanged: string | undefined;
  readonly #failedChecks = new Map<string, string>();
  readonly #shown = new Set<string>();
  /** By type and ID. */
  readonly #holders = new Map<string, Holder>();

  constructor(kinds: () => Promise<readonly Kind[]>, readState: ReadState, tokenOf: (type: string) => string) {
    this.kinds = kinds;
    this.tokenOf = tokenOf;
    this.state = new StateReader(readState, this.graph.creating);
  }

  /** Records the last check of a resource, and why the resource failed validation. */
  noteCheck(urn: string, failure?: string): void {
    if (failure === undefined) this.#failedChecks.delete(urn);
    else this.#failedChecks.set(urn, failure);
  }

  /** Why a resource of the program failed validation; `undefined` if none did. */
  get failedCheck(): string | undefined {
    return this.#failedChecks.values().next().value;
  }

  /** Records that a resource is being deleted, so that it is not confirmed. */
  noteDeletion(kind: Kind, id: string, urn: string): void {
    this.firstChanged ??= urn;
    this.graph.recordDelete(kind, id);
    this.inState.noteDeleted(kind, id);
  }

  /**
   * Records a planned resource, if the new value of an input that can be detached is unknown. Why: during an update, Pulumi plans with unknown
   * values only to find the resources that it has to delete together with one that is deleted before its replacement. A resource that only
   * changes stays, and the platform rejects the deletion of a resource to which it still refers.
   */
  noteHolder(kind: Kind, id: string, known: Props, news: Props): void {
    if (kind.detach && holdsUnknown(news[kind.detach.input])) this.#holders.set(`${kind.type} ${id}`, { kind, known });
  }

  /** The resources that have to detach from another one, by type and ID. */
  holdersOf(id: string): readonly (readonly [called: string, Holder])[] {
    return [...this.#holders].filter(([, { kind, known }]) => textsIn(known[kind.detach?.input ?? ""]).includes(id));
  }

  /** The messages about a resource that were not shown yet. Later calls leave them out. */
  unsaid<Message extends string | Coded>(id: string, messages: readonly Message[]): Message[] {
    const keyOf = (message: string | Coded) => `${id} ${JSON.stringify(message)}`;
    const unsaid = messages.filter((message) => !this.#shown.has(keyOf(message)));
    for (const message of unsaid) this.#shown.add(keyOf(message));
    return unsaid;
  }

  /** Confirms the resources that this update has created. Called when Pulumi ends the provider. @returns a warning, if that failed */
  async end(): Promise<Coded | undefined> {
    const urn = this.firstChanged;
    return urn === undefined ? undefined : this.inState.confirmAll(this.pending, () => this.state.now(urn));
  }
}
