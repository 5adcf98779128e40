import type { Kind } from "../definition/definition.ts";
import { Holders } from "../lifecycle/detach.ts";
import { confirm, type Unconfirmed } from "./confirm.ts";
import type { IntentLogEntry } from "./intent-log.ts";
import { Orphans } from "./orphans.ts";
import { isPending, pending, stateKey } from "./ownership-tags.ts";

/**
 * What the provider remembers during one run of the engine. It is made when the provider is configured, and every resource of the run
 * shares it. It ends with the process: what has to survive a kill is in ownership tags and in the intent log instead.
 */
export class RunSession {
  /** What killed runs may have left behind. */
  readonly orphans = new Orphans();
  /** What has to detach from a resource before that one can be deleted. */
  readonly holders = new Holders();
  /** The kinds of resources that are in the engine's state. */
  readonly #inState = new Map<string, Kind>();
  /** What to do instead of deleting a resource that this run has taken over. */
  readonly #takenOver = new Map<string, string>();
  readonly #unconfirmed = new Map<string, Unconfirmed>();
  readonly #finished: IntentLogEntry[] = [];
  readonly #said = new Set<string>();
  #changesSomething = false;

  /** This run changes something. A run that only looks, such as a preview, confirms nothing of what it sees. */
  noteChange(): void {
    this.#changesSomething = true;
  }

  /** The engine has asked about this resource, or is being told of it: it is in the state, or about to be. */
  noteInState(kind: Kind, id: string): void {
    this.#inState.set(keyOf(kind, id), kind);
  }

  isInState(kind: Kind, id: string): boolean {
    return this.#inState.has(keyOf(kind, id));
  }

  /**
   * This run has taken over a resource that was there before. If the engine is replacing it by force, it asks next to delete the same
   * resource as the old one. It must stay then: `remedy` says what to do instead.
   */
  noteTakenOver(kind: Kind, id: string, remedy: string): void {
    this.#takenOver.set(keyOf(kind, id), remedy);
  }

  /** What to do instead of deleting the resource, if this run has taken it over. */
  remedyIfTakenOver(kind: Kind, id: string): string | undefined {
    return this.#takenOver.get(keyOf(kind, id));
  }

  /** At the end of the run the engine has saved this resource. If it is tagged as pending, it is confirmed then. */
  confirmAtEnd(resource: Unconfirmed): void {
    if (isPending(resource.live)) this.#unconfirmed.set(keyOf(resource.kind, resource.id), resource);
  }

  /** At the end of the run the engine has saved what this entry is about. It is removed then. */
  removeAtEnd(entry: IntentLogEntry): void {
    this.#finished.push(entry);
  }

  /** The resource is being deleted: there is nothing left to confirm. */
  noteDeletion(kind: Kind, id: string): void {
    this.noteChange();
    this.#unconfirmed.delete(keyOf(kind, id));
  }

  /** Those of the sentences about a resource that this run has not said yet. From now on it has. */
  unsaid(id: string, sentences: readonly string[]): string[] {
    const unsaid = sentences.filter((sentence) => !this.#said.has(`${id} ${sentence}`));
    for (const sentence of unsaid) this.#said.add(`${id} ${sentence}`);
    return unsaid;
  }

  /** The engine has saved everything, and ends the provider. What cannot be confirmed in time stays pending, which is safe. */
  async end(): Promise<void> {
    // Some of what looked like an orphan was saved by the run that was killed.
    for (const { cloud, kind: name, id } of this.orphans.found) {
      const kind = this.#inState.get(`${name} ${id}`);
      if (kind) this.confirmAtEnd({ cloud, kind, id, live: { ownershipTags: { [stateKey]: pending } } });
    }
    for (const entry of this.#finished.splice(0)) entry.remove();
    if (this.#changesSomething) await confirm([...this.#unconfirmed.values()]);
  }
}

/** A resource in this run. Its kind has the name under which orphans are listed, if the tag product keeps its tags. */
function keyOf({ owned, type }: Kind, id: string): string {
  return `${typeof owned === "string" && owned !== "key" ? owned : type} ${id}`;
}
