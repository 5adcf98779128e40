import type { Kind } from "../definition/definition.ts";
import { Deleted } from "../lifecycle/deletion/deleted.ts";
import { Holders } from "../lifecycle/deletion/detach.ts";
import { ProgramGraph } from "../program/program-graph.ts";
import { confirm, type Unconfirmed } from "./confirm.ts";
import type { IntentLogEntry } from "./intent-log.ts";
import { Orphans } from "./orphans.ts";
import { OtherStacks } from "./other-stacks.ts";
import type { ListStacks, ReadSaved, SavedResource } from "./saved-resources.ts";
import { isPending, pending, stateKey } from "./ownership-tags.ts";
import { isAt } from "./place.ts";
import type { Props } from "../schema/values.ts";
import { withSettled } from "./settled-beginnings.ts";

/** A resource that existed before, and that a run has imported, or has gone on with after a kill. */
interface TakenOver {
  /** The resource of the program that has it now. */
  readonly urn: string;
  /** What the user can do instead of deleting it, where the same resource is replaced by force. */
  readonly remedy: string;
}

/** What a run learns of the engine. */
interface OfEngine {
  readonly readSaved: ReadSaved;
  readonly listStacks: ListStacks;
  readonly tokenOf: (type: string) => string;
}

/**
 * What the provider remembers during one run of the engine. It is created when the provider is configured, and all resources of the run
 * share it. It ends with the process. What has to survive a kill is in ownership tags and in the intent log instead.
 */
export class RunSession {
  /** The name of the `Provider` of this process; `undefined` for the stack's own. */
  provider: string | undefined;
  /** Loads all kinds, with dependencies first. */
  readonly kinds: () => Promise<readonly Kind[]>;
  /** Reads what the engine has saved by now, which takes half a second. */
  readonly readSaved: ReadSaved;
  /** The type that the engine has for a kind of resource. */
  readonly tokenOf: (type: string) => string;
  /** The stacks that may have what this one comes across. */
  readonly otherStacks: OtherStacks;
  /** The resources that killed runs may have left behind. */
  readonly orphans = new Orphans();
  /** The resources that have to detach from another one before that one can be deleted. */
  readonly holders = new Holders();
  /** The resources of the program, and their planned operations. */
  readonly graph = new ProgramGraph();
  /** What the rules of the program have read: lists by type, and the IDs of existing resources. */
  readonly reads = { listings: new Map<string, Promise<readonly Props[]>>(), existing: new Set<string>() };
  /** By URN: why a resource failed validation. */
  readonly failedChecks = new Map<string, string>();
  /** The URNs of the resources of which this run has drawn an output anew. */
  readonly drawn = new Set<string>();
  /** What this run has deleted. */
  readonly deleted = new Deleted();
  /** The owners, as ownership tags name them, that this run has checked or begun to create: the program has them. */
  readonly inProgram = new Set<string>();
  /** By owner: the removal of what an earlier run has left of it. */
  readonly removals = new Map<string, Promise<unknown>>();
  /** The kinds of resources that are in the engine's state. */
  readonly #inState = new Map<string, Kind>();
  /** By resource that this run has taken over: what the user can do instead of deleting it. */
  readonly #takenOver = new Map<string, TakenOver>();
  readonly #unconfirmed = new Map<string, Unconfirmed>();
  readonly #finished: IntentLogEntry[] = [];
  readonly #said = new Set<string>();
  #saved: ReturnType<ReadSaved> | undefined;
  #changesSomething = false;

  constructor(kinds: () => Promise<readonly Kind[]>, { readSaved, listStacks, tokenOf }: OfEngine) {
    this.kinds = kinds;
    this.readSaved = async (urn) => {
      const saved = await readSaved(urn);
      return saved && withSettled(saved);
    };
    this.otherStacks = new OtherStacks(listStacks);
    this.tokenOf = tokenOf;
  }

  /** What the engine had saved of the stack of a resource when this run asked first; `undefined` if that cannot be told. */
  saved(urn: string): ReturnType<ReadSaved> {
    return (this.#saved ??= this.readSaved(urn));
  }

  /**
   * The URN under which the engine has saved an id as another resource of a resource's stack; `undefined` if it has not, or that cannot be told.
   * The answer is of the first time that a run asks.
   *
   * @param urn the resource that asks
   * @param place endpoint, region and account
   */
  async otherInState(kind: Kind, id: string, urn: string, place: readonly string[]): Promise<string | undefined> {
    return (await this.savedUnder(kind, id, urn, place))?.find((one) => one.urn !== urn)?.savedAs;
  }

  /**
   * The URN under which the engine has saved an id as a resource of another `Provider`: that is in a process of its own, so that this one
   * does not see whether the program still has it.
   */
  async heldElsewhere(kind: Kind, id: string, urn: string, place: readonly string[]): Promise<string | undefined> {
    return (await this.savedUnder(kind, id, urn, place))?.find((one) => one.urn !== urn && one.provider !== this.provider)?.savedAs;
  }

  /** Whether the stack of a resource has saved another one of a kind with an id; `undefined` if that cannot be told. */
  async isSaved(kind: Kind, id: string, urn: string, place: readonly string[]): Promise<boolean | undefined> {
    const found = await this.savedUnder(kind, id, urn, place);
    return found && found.length > 0;
  }

  /**
   * The resources that the stack of a resource has saved under an id; `undefined` if that cannot be told. The answer is of the first
   * time that a run asks.
   *
   * @param urn the resource that asks
   * @param place endpoint, region and account
   */
  async savedUnder({ type }: Kind, id: string, urn: string, place: readonly string[]): Promise<SavedResource[] | undefined> {
    const found = (await this.saved(urn))?.resources.filter((one) => one.type === type && one.id === id);
    return found?.filter((one) => isAt(one, place));
  }

  /** Notes that this run changes something. A run that only reads, such as a preview, confirms nothing. */
  noteChange(): void {
    this.#changesSomething = true;
  }

  get hasChanged(): boolean {
    return this.#changesSomething;
  }

  /** Notes that a resource is in the engine's state, or is about to be: the engine has asked about it, or it is returned to the engine. */
  noteInState(kind: Kind, id: string): void {
    this.#inState.set(keyOf(kind, id), kind);
  }

  /** Whether the run knows a resource of any kind with this id, or part of an id. */
  hasHeardOf(id: string): boolean {
    return [...this.#inState.keys()].some((key) => key.split(/[ /]/).includes(id));
  }

  isInState(kind: Kind, id: string): boolean {
    return this.#inState.has(keyOf(kind, id));
  }

  /** What neither this run's program has nor its engine has asked about. */
  unasked<T extends { readonly kind: Kind; readonly id: string; readonly owner: string | undefined }>(found: readonly T[]): readonly T[] {
    return found.filter(({ kind, id, owner }) => !this.isInState(kind, id) && !(owner !== undefined && this.inProgram.has(owner)));
  }

  /** The resources that this run knows to be in the engine's state. */
  get inState(): { readonly resources: readonly Pick<SavedResource, "type" | "id">[] } {
    return { resources: [...this.#inState].map(([key, { type }]) => ({ type, id: key.slice(key.indexOf(" ") + 1) })) };
  }

  /**
   * Notes that this run has taken over a resource that existed before. If the engine is replacing the resource by force, it will next ask
   * to delete the same resource as the old one. It must not be deleted then.
   */
  noteTakenOver(kind: Kind, id: string, taken: TakenOver): void {
    this.#takenOver.set(keyOf(kind, id), taken);
  }

  /** By whom this run has taken it over, if it has. */
  takenOver(kind: Kind, id: string): TakenOver | undefined {
    return this.#takenOver.get(keyOf(kind, id));
  }

  /** Confirms the resource at the end of the run, when the engine has saved it, if it is tagged as pending. */
  confirmAtEnd(resource: Unconfirmed): void {
    if (isPending(resource.live)) this.#unconfirmed.set(keyOf(resource.kind, resource.id), resource);
  }

  /** Removes an entry of the intent log at the end of the run, when the engine has saved its resource. */
  removeAtEnd(entry: IntentLogEntry): void {
    this.#finished.push(entry);
  }

  /** Notes that a resource is being deleted, so that it is not confirmed. */
  noteDeletion(kind: Kind, id: string): void {
    this.noteChange();
    this.deleted.note(kind, id);
    this.graph.recordDelete(kind, id);
    this.#unconfirmed.delete(keyOf(kind, id));
  }

  /** The sentences about a resource that this run has not shown yet. Later calls leave them out. */
  unsaid(id: string, sentences: readonly string[]): string[] {
    const unsaid = sentences.filter((sentence) => !this.#said.has(`${id} ${sentence}`));
    for (const sentence of unsaid) this.#said.add(`${id} ${sentence}`);
    return unsaid;
  }

  /** Called when the engine has saved everything, and ends the provider. What cannot be confirmed in time stays pending, which is safe. */
  async end(): Promise<void> {
    // Some of the resources that looked like orphans had been saved by the run that was killed.
    for (const { cloud, kind: name, id } of this.orphans.found) {
      const kind = this.#inState.get(`${name} ${id}`);
      if (kind) this.confirmAtEnd({ cloud, kind, id, live: { ownershipTags: { [stateKey]: pending } } });
    }
    for (const entry of this.#finished.splice(0)) entry.remove();
    if (this.#changesSomething) await confirm([...this.#unconfirmed.values()]);
  }
}

/** The key of a resource in this run. If the tag product keeps its tags, it begins with the tag product's name of the kind, as orphans have it. */
function keyOf({ owned, type }: Kind, id: string): string {
  return `${typeof owned === "string" && owned !== "key" ? owned : type} ${id}`;
}
