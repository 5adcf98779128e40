import type { Coded } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { InState } from "../ownership/in-state.ts";
import { Orphans } from "../ownership/orphans.ts";
import { PendingResources } from "../ownership/pending.ts";
import type { Session } from "../ownership/session.ts";
import { type ReadState, StateReader } from "../ownership/state.ts";
import { ProgramGraph } from "../program/program-graph.ts";
import { holdsUnknown, type Props, textsIn } from "../schema/values.ts";

/** A resource that may have to detach from another one, which is deleted before its replacement is created. */
export interface Holder {
  readonly kind: Kind;
  /** Its properties in the state. */
  readonly known: Props;
  /** The inputs that can be detached. */
  readonly inputs: readonly string[];
}

/** What the provider remembers during one update. All resources of the update share it, and it ends with the process. */
export class RunSession implements Session {
  readonly kinds: () => Promise<readonly Kind[]>;
  readonly tokenOf: (type: string) => string;
  readonly state: StateReader;
  readonly pending = new PendingResources();
  readonly inState = new InState();
  readonly orphans: Orphans;
  /** The resources of the program, and their planned operations. */
  readonly graph = new ProgramGraph();
  /** What the rules of the program have read: lists by type, and the IDs of existing resources. */
  readonly reads = { listings: new Map<string, Promise<readonly Props[]>>(), existing: new Set<string>() };
  readonly #failedChecks = new Map<string, string>();
  readonly #shown = new Set<string>();
  readonly #deleted: { readonly kind: Kind; readonly id: string }[] = [];
  readonly #missing = new Set<string>();
  /** By type and ID. */
  readonly #holders = new Map<string, Holder>();
  /** The URN of the first resource that this update changes. */
  #changed: string | undefined;

  /**
   * @param kinds loads all types of resources, dependencies first
   * @param tokenOf the type of a resource in the state
   */
  constructor(kinds: () => Promise<readonly Kind[]>, readState: ReadState, tokenOf: (type: string) => string) {
    this.kinds = kinds;
    this.tokenOf = tokenOf;
    this.state = new StateReader(readState, this.graph.creating);
    this.orphans = new Orphans(this);
  }

  /** Records that this update changes something. An update that only reads, such as a preview, confirms nothing. */
  noteChange(urn: string): void {
    this.#changed ??= urn;
  }

  get hasChanged(): boolean {
    return this.#changed !== undefined;
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
    this.noteChange(urn);
    this.#deleted.push({ kind, id });
    this.graph.recordDelete(kind, id);
    this.inState.noteDeleted(kind, id);
  }

  /** Whether this update has begun to delete such a resource. */
  hasDeleted(isIt: (kind: Kind, id: string) => boolean): boolean {
    return this.#deleted.some(({ kind, id }) => isIt(kind, id));
  }

  /** Records that a resource of the state does not exist. Pulumi then drops it from the state. */
  noteMissing({ type }: Kind, id: string): void {
    this.#missing.add(`${type} ${id}`);
  }

  wasMissing({ type }: Kind, id: string): boolean {
    return this.#missing.has(`${type} ${id}`);
  }

  /**
   * Records a planned resource, if the new value of an input that can be detached is unknown. Why: during an update, Pulumi plans with unknown
   * values only to find the resources that it has to delete together with one that is deleted before its replacement. A resource that only
   * changes stays, and the platform rejects the deletion of a resource to which it still refers.
   */
  noteHolder(kind: Kind, id: string, known: Props, news: Props): void {
    const inputs = Object.entries(kind.detach ?? {}).flatMap(([key, detach]) => (detach && holdsUnknown(news[key]) ? [key] : []));
    if (inputs.length > 0) this.#holders.set(`${kind.type} ${id}`, { kind, known, inputs });
  }

  /** The resources that have to detach from another one, by type and ID. */
  holdersOf(id: string): readonly (readonly [called: string, Holder])[] {
    return [...this.#holders].filter(([, { known, inputs }]) => inputs.some((key) => textsIn(known[key]).includes(id)));
  }

  /** The messages about a resource that were not shown yet. Later calls leave them out. */
  unsaid<Message extends string | Coded>(id: string, messages: readonly Message[]): Message[] {
    const keyOf = (message: string | Coded) => `${id} ${JSON.stringify(message)}`;
    const unsaid = messages.filter((message) => !this.#shown.has(keyOf(message)));
    for (const message of unsaid) this.#shown.add(keyOf(message));
    return unsaid;
  }

  /** Confirms what this update has created. Called when Pulumi ends the provider. @returns a warning, if that failed */
  async end(): Promise<Coded | undefined> {
    const urn = this.#changed;
    return urn === undefined ? undefined : this.inState.confirmAll(this.pending, () => this.state.now(urn));
  }
}
