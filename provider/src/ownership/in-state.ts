import { setTimeout as sleep } from "node:timers/promises";
import { type Cloud, PlatformError, resourceKinds } from "@container-platform/sdk";
import * as tag from "@container-platform/sdk/tag";
import type { Coded } from "../definition/codes.ts";
import { recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import type { Props } from "../schema/values.ts";
import { type PendingResources, tagsOf } from "./pending.ts";
import type { StackState } from "./state.ts";
import { confirmed, isInTagProduct, isNoted, noteInput, ownershipOf, ownershipTagsOf, pending, separated, stateKey } from "./tags.ts";

interface Adopted {
  readonly urn: string;
  /** The remedy instead of a forced replacement. */
  readonly remedy: string;
}

/** A resource that was returned to Pulumi, and that is not confirmed yet. `live`: its known properties, with its ownership tags. */
interface Unconfirmed {
  readonly cloud: Cloud;
  readonly kind: Kind;
  readonly id: string;
  readonly live: Props;
}

/** The resources that Pulumi's state has, as far as Pulumi has asked this process about them. */
export class InState {
  /** By key: the resources that are in the state, are returned to Pulumi, or were deleted in this update. */
  readonly #known = new Map<string, { readonly kind: Kind; readonly id: string; readonly isDeleted: boolean }>();
  readonly #missing = new Set<string>();
  readonly #adopted = new Map<string, Adopted>();
  readonly #unconfirmed = new Map<string, Unconfirmed>();

  note(kind: Kind, id: string): void {
    this.#known.set(keyOf(kind, id), { kind, id, isDeleted: false });
  }

  noteDeleted(kind: Kind, id: string): void {
    this.#known.set(keyOf(kind, id), { kind, id, isDeleted: true });
    this.#unconfirmed.delete(keyOf(kind, id));
  }

  has(kind: Kind, id: string): boolean {
    return this.#known.get(keyOf(kind, id))?.isDeleted === false;
  }

  /** Whether this update has begun to delete such a resource. */
  hasDeleted(isIt: (kind: Kind, id: string) => boolean): boolean {
    return [...this.#known.values()].some(({ kind, id, isDeleted }) => isDeleted && isIt(kind, id));
  }

  /** Records that a resource of the state does not exist. Pulumi then drops it from the state. */
  noteMissing(kind: Kind, id: string): void {
    this.#missing.add(keyOf(kind, id));
  }

  wasMissing(kind: Kind, id: string): boolean {
    return this.#missing.has(keyOf(kind, id));
  }

  /** Whether a resource of any type has an ID, or a part of an ID, or had it until this update deleted it. */
  hasIdPart(id: string): boolean {
    return [...this.#known.keys()].some((key) => key.split(/[ /]/).includes(id));
  }

  /** Records that this update has imported or recovered a resource. A forced replacement must not delete it as the old resource. */
  noteAdopted(kind: Kind, id: string, adopted: Adopted): void {
    this.#adopted.set(keyOf(kind, id), adopted);
  }

  adopted(kind: Kind, id: string): Adopted | undefined {
    return this.#adopted.get(keyOf(kind, id));
  }

  /** Confirms a pending resource at the end of the update, when Pulumi has saved it. */
  confirmAtEnd({ cloud, kind }: Pick<Unconfirmed, "cloud" | "kind">, id: string, live: Props): void {
    if (ownershipOf(live).isPending) this.#unconfirmed.set(keyOf(kind, id), { cloud, kind, id, live: { ...live, ...kind.id.parts(id) } });
    else this.#unconfirmed.delete(keyOf(kind, id));
  }

  /**
   * Confirms the pending resources that are in the state, also those that an interrupted update has saved. Pulumi also ends its provider after it
   * has failed to save the state. A resource that is not confirmed stays pending, which is safe.
   *
   * @returns a warning, if the account may not confirm resources
   */
  async confirmAll(pendingResources: PendingResources, readState: () => Promise<StackState | undefined>): Promise<Coded | undefined> {
    for (const { cloud, kind: name, id } of await pendingResources.last()) {
      const { kind, isDeleted } = this.#known.get(`${name} ${id}`) ?? {};
      if (kind && !isDeleted) this.confirmAtEnd({ cloud, kind }, id, { ownershipTags: { [stateKey]: pending } });
    }
    const state = this.#unconfirmed.size === 0 ? undefined : await readState();
    const isSaved = ({ kind: { type }, id }: Unconfirmed) => state?.resources.some((one) => one.type === type && one.id === id);
    return confirm([...this.#unconfirmed.values()].filter(isSaved));
  }
}

/** If the tag product keeps the tags of a type, the key begins with its name there, as `PendingResource` has it. */
function keyOf({ owned, type }: Kind, id: string): string {
  return `${isInTagProduct(owned) ? owned : type} ${id}`;
}

const maxTaggedByCall = 50;
/** In milliseconds: Pulumi waits five seconds for its provider to exit. */
const limit = 4000;

/** Confirms resources: their state tag becomes `confirmed`, or their note goes. As many as the time allows. */
async function confirm(resources: readonly Unconfirmed[]): Promise<Coded | undefined> {
  if (resources.length === 0) return undefined;
  const work = Promise.allSettled([...inBatches(resources), ...resources.map(byItsProduct)]);
  const outcomes: readonly PromiseSettledResult<unknown>[] = await Promise.race([work, sleep(limit, [], { ref: false })]);
  const errors = outcomes.map((one): unknown => (one.status === "rejected" ? one.reason : undefined));
  const denied = errors.filter((error) => error instanceof PlatformError).find(({ kind }) => kind === "unauthorized");
  if (!denied) return undefined;
  const { reason, code, origin } = denied;
  const message = `the tags of new resources still say that Pulumi may not have saved them: ${reason} (${origin.action}: ${code}). A later update could mistake them for resources of an interrupted update. Allow the account ${origin.action}`;
  return { code: "Unchecked", message };
}

function inBatches(resources: readonly Unconfirmed[]): Promise<unknown>[] {
  return Object.entries(resourceKinds).flatMap(([name, { service, type }]) => {
    const alike = resources.filter(({ kind }) => kind.owned === name);
    return Array.from({ length: Math.ceil(alike.length / maxTaggedByCall) }, async (_, index) => {
      const some = alike.slice(index * maxTaggedByCall, (index + 1) * maxTaggedByCall);
      const tagged = { serviceType: service, resourcePrefix: type, resourceIds: some.map(({ id }) => id) };
      await some[0]?.cloud.call(tag.attachResourcesTag, { ...tagged, tagKey: stateKey, tagValue: confirmed });
    });
  });
}

/** Confirms a resource whose own product keeps its tags or its note. They are read first, because another client may have changed them. */
async function byItsProduct({ kind, cloud, id, live: { ownershipTags: _, ...known } }: Unconfirmed): Promise<void> {
  const { owned, changes, tagsInput = "" } = kind;
  const step = changes[noteInput(kind, known) ?? tagsInput];
  if (typeof owned !== "object" || typeof step !== "function") return;
  const { tags, ownershipTags } = separated((await tagsOf(kind, cloud, id, known, stateKey, pending)) ?? {});
  const live = isNoted(owned) ? await kind.read(cloud.tolerating(recently), known) : { ...known, [tagsInput]: tags, ownershipTags };
  if (!live || !ownershipOf(live).isPending) return;
  // The live text is without the note, so the step removes it.
  const desired = { ...live, ownershipTags: { ...ownershipTagsOf(live), [stateKey]: confirmed } };
  await step(cloud, desired, live, () => Promise.resolve());
}
