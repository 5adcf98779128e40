import type { Kind } from "../definition/definition.ts";
import { Orphans } from "../ownership/orphans.ts";
import { PendingResources } from "../ownership/pending.ts";
import { InState } from "../ownership/in-state.ts";
import type { Session } from "../ownership/session.ts";
import { type ReadState, StateReader } from "../ownership/state.ts";
import { ProgramGraph } from "../program/program-graph.ts";
import type { Props } from "../schema/values.ts";
import { Deleted } from "./deletion/deleted.ts";
import { Holders } from "./deletion/detach.ts";

/** What an update learns of Pulumi. */
interface OfEngine {
  readonly readState: ReadState;
  /** The type of a resource in the state. */
  readonly tokenOf: (type: string) => string;
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
  /** By URN: why a resource failed validation. */
  readonly failedChecks = new Map<string, string>();
  /** What this update has deleted. */
  readonly deleted = new Deleted();
  /** The resources that have to detach from another one before that one can be deleted. */
  readonly holders = new Holders();
  readonly #shown = new Set<string>();
  /** The URN of the first resource that this update changes. */
  #changed: string | undefined;

  constructor(kinds: () => Promise<readonly Kind[]>, { readState, tokenOf }: OfEngine) {
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

  /** Records that a resource is being deleted, so that it is not confirmed. */
  noteDeletion(kind: Kind, id: string, urn: string): void {
    this.noteChange(urn);
    this.deleted.note(kind, id);
    this.graph.recordDelete(kind, id);
    this.inState.noteDeleted(kind, id);
  }

  /** The messages about a resource that were not shown yet. Later calls leave them out. */
  unsaid(id: string, messages: readonly string[]): string[] {
    const unsaid = messages.filter((message) => !this.#shown.has(`${id} ${message}`));
    for (const message of unsaid) this.#shown.add(`${id} ${message}`);
    return unsaid;
  }

  /** Confirms what this update has created. Called when Pulumi ends the provider. @returns a warning, if that failed */
  async end(): Promise<string | undefined> {
    const urn = this.#changed;
    return urn === undefined ? undefined : this.inState.confirmAll(this.pending, () => this.state.now(urn));
  }
}
