import { listed } from "@container-platform/sdk";
import { inputsThatReplace } from "../definition/changes.ts";
import { type Context, recently } from "../definition/context.ts";
import { ProviderError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { AfterWriting, isRefused, passes, withTodo } from "../definition/failures.ts";
import { orphanCommand, withRemedies } from "../program/messages.ts";
import { isProps, type Props } from "../schema/values.ts";
import type { Found } from "./pending.ts";
import type { Session, Subject } from "./session.ts";
import { isEmbedded, keyedCreates, type Proof, proofOf, savedUnder } from "./state.ts";
import { isNoted, isOwner, liveOf, newOwnershipTags, ownershipOf, withOwnershipTags } from "./tags.ts";

/** How often a resource is created whose secret was lost with the response. */
const attempts = 3;

export interface Created {
  /** The known properties of the resource. */
  readonly known: Props;
  /** Whether an interrupted update created it. It may differ from the program. */
  readonly isRecovered?: boolean;
  /** The call failed, but the resource exists. */
  readonly failure?: Error;
}

/**
 * One creation of a resource. It ends with exactly one resource, or fails and names the existing one, also if an earlier update was interrupted
 * after the platform had created the resource, and before Pulumi had saved its ID.
 *
 * - **A resource with tags** is recovered if it is pending, has this owner and a mark of this state, and is not in the state. Without the
 *   mark the creation fails: a stack of the same name in another backend may be creating it.
 * - **A resource whose ID consists of its inputs** is recovered if the state has two pending creates of it, this one and an earlier one.
 * - **A resource with a note** is of no use without the secret that only its creation returns. It is deleted and created again if the state has an
 *   earlier pending create of it with the mark in its note. Otherwise it is left and named: Pulumi may have saved it, and it may be retained.
 *
 * If a creation fails, and the platform may have created the resource, the provider searches for it at once.
 */
export class Creation {
  readonly #kind: Kind;
  readonly #urn: string;
  readonly #target: readonly string[];
  readonly #session: Session;
  readonly #context: Context;
  readonly #desired: Props;

  constructor(resource: Subject & Context, desired: Props) {
    const { kind, urn, target, session } = resource;
    [this.#kind, this.#urn, this.#target, this.#session] = [kind, urn, target, session];
    [this.#context, this.#desired] = [resource, desired];
  }

  async carryOut(): Promise<Created> {
    const { owned } = this.#kind;
    const { state } = this.#session;
    if (owned === "key") return this.#keyed(this.#kind.id.of(this.#desired));
    if (isNoted(owned)) return this.#noted(await state.mark(this.#urn, this.#context.warn));
    // The tag product lists all at once: also the resources in other parents.
    const search = typeof owned === "string" || !this.#isInNewParent() ? this.#recovered() : undefined;
    const [mark, recovered] = await Promise.all([state.mark(this.#urn, this.#context.warn), search]);
    return recovered ?? this.#create(this.#marked(mark), () => this.#createdDespiteError(mark));
  }

  /** Whether its parent was created in this update, so that no earlier one has created anything in it. */
  #isInNewParent(): boolean {
    const { within } = this.#kind;
    const { graph, inState } = this.#session;
    const parent = within && this.#desired[within.by];
    return within !== undefined && graph.isCreated(parent) && !inState.adopted(within.kind, String(parent));
  }

  /** The inputs, with the ownership tags of a new resource. */
  #marked(mark: string | undefined): Props {
    return withOwnershipTags(this.#kind, this.#desired, newOwnershipTags(this.#urn, mark));
  }

  /** @throws Error for an orphan that may be another stack's, or that cannot become as desired */
  async #recovered(): Promise<Created | undefined> {
    const { state, pending: listing, tokenOf } = this.#session;
    // The platform may not list an orphan yet.
    const mayBeMissing = () => !isEmbedded(this.#target) && state.wasBegun(this.#urn, tokenOf(this.#kind.type));
    const isMissing = async (found: readonly Found[]) => found.length === 0 && mayBeMissing();
    const orphans = await listing.searched(this.#context, () => this.#orphans(), isMissing);
    for (const { id, mark, proof } of await this.#unsaved(orphans)) {
      const live = await this.#read(id);
      if (!live || !ownershipOf(live).isPending) continue;
      if (mark === undefined || !["proven", "own"].includes(proof)) throw new ProviderError("Orphan", unproven(id, proof));
      return this.#recover(id, live);
    }
    return undefined;
  }

  #recover(id: string, live: Props): Created {
    const { type, owned } = this.#kind;
    const fixed = inputsThatReplace(this.#kind, this.#desired, live);
    if (fixed.length > 0)
      throw new ProviderError(
        "Orphan",
        `cannot recover ${id}, which an interrupted update created: ${listed(fixed)} changed since, and cannot be updated in place. Change it back, or delete ${type} ${id} on the platform, then run \`pulumi up\` again`,
      );
    const keyed = owned === "key" ? ". Run `pulumi refresh --clear-pending-creates` after this update" : "";
    this.#context.note(`recovering ${id}, which an interrupted update created but did not save${keyed}`);
    this.#session.inState.noteAdopted(this.#kind, id, { urn: this.#urn, remedy: "run `pulumi up` again" });
    return { known: this.#kind.id.parts(id) ?? {}, isRecovered: true };
  }

  /** The pending resources of this owner that this update does not know to be in the state. */
  async #orphans(): Promise<readonly Found[]> {
    const { pending: listing, inState } = this.#session;
    const all = await listing.of(this.#kind, this.#context, this.#desired);
    return all.filter(({ id, owner }) => isOwner(owner, this.#urn) && !inState.has(this.#kind, id));
  }

  /** The orphans that the state does not record, each with its proof. */
  async #unsaved(orphans: readonly Found[]): Promise<readonly (Found & { readonly proof: Proof })[]> {
    const state = orphans.length === 0 ? undefined : await this.#session.state.now(this.#urn);
    const isSaved = ({ id }: Found) => state !== undefined && savedUnder(state, this.#kind, id, this.#target).length > 0;
    return orphans.filter((one) => !isSaved(one)).map((one) => ({ ...one, proof: proofOf(one, state, 2) }));
  }

  /** Creates a resource with a note. If its response was lost, and the resource was deleted then, another one is created. */
  async #noted(mark: string | undefined): Promise<Created> {
    const drafts = this.#isInNewParent() ? [] : await this.#orphans();
    const unsaved = Object.groupBy(await this.#unsaved(drafts), ({ proof }) => (proof === "proven" ? "proven" : "unproven"));
    await this.#delete(unsaved.proven);
    for (const draft of unsaved.unproven ?? []) this.#context.warn({ code: "Orphan", message: unprovenDraft(draft) });
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#create(this.#marked(mark));
      } catch (error) {
        if (isRefused(error)) throw error;
        const isLost = (one: Found) => one.mark === mark && !drafts.some(({ id }) => id === one.id);
        const deletion = this.#orphans().then((found) => this.#delete(found.filter(isLost)));
        const isDeleted = await deletion.catch(() => false);
        if (attempt === attempts || !isDeleted || !passes(error)) throw error;
      }
  }

  /** @returns whether there were any */
  async #delete(drafts: readonly Found[] = []): Promise<boolean> {
    for (const { id } of drafts) await this.#kind.delete(this.#context.cloud, this.#kind.id.parts(id) ?? {});
    return drafts.length > 0;
  }

  async #keyed(id: string): Promise<Created> {
    const { state, tokenOf, graph } = this.#session;
    const live = await this.#read(id);
    const saved = live && (await state.now(this.#urn));
    if (live && saved && keyedCreates(saved, this.#kind, this.#urn, tokenOf(this.#kind.type), id) > 1) return this.#recover(id, live);
    try {
      return await this.#create(this.#desired, async () => (!live && (await this.#read(id)) ? id : undefined));
    } catch (error) {
      if (!live && !(isRefused(error) && (await this.#read(id)))) throw error;
      const isReplaced = graph.get(this.#urn)?.operation === "replace";
      throw new Error(withTodo(error, remedyForExisting(this.#kind, id, isReplaced)), { cause: error });
    }
  }

  /**
   * Calls the platform.
   *
   * @param find returns the ID of the resource if it exists although its creation failed. If it fails as well, the next creation searches again
   */
  async #create(desired: Props, find?: () => Promise<string | undefined>): Promise<Created> {
    try {
      const created = await this.#kind.create(this.#context.cloud, desired);
      const known = isProps(created) ? created : {};
      const { id } = this.#kind;
      if (!id.parts(id.of({ ...desired, ...known }))) throw new WithoutId(id, { ...desired, ...known });
      return { known };
    } catch (raised) {
      const error: unknown = raised instanceof AfterWriting ? raised.cause : raised;
      const found = isRefused(raised) ? undefined : await find?.().catch(() => undefined);
      if (found === undefined || !(error instanceof Error)) {
        if (error instanceof WithoutId) throw new Error(withTodo(error, withoutIdRemedy), { cause: error });
        throw error;
      }
      const known = this.#kind.id.parts(found) ?? {};
      if (!passes(error) && !(error instanceof WithoutId)) return { known, failure: error };
      const answered = passes(error) ? `the platform answered ${error.code} (request ${error.requestId})` : error.message;
      this.#context.note(`${answered}, but it has created ${found}: this update continues with it`);
      return { known };
    }
  }

  async #createdDespiteError(own: string | undefined): Promise<string | undefined> {
    this.#session.pending.forget();
    const orphans = own === undefined ? [] : await this.#orphans();
    for (const { id, mark } of orphans) if (mark === own && (await this.#read(id))) return id;
    return undefined;
  }

  #read(id: string): Promise<Props | undefined> {
    return liveOf(this.#kind, this.#context.cloud.tolerating(recently), id, this.#desired);
  }
}

/** A resource that is being replaced cannot be imported. */
const remedyForExisting = ({ type, id: { names } }: Kind, id: string, isReplaced: boolean): string =>
  isReplaced
    ? `It already exists and is not managed by this stack. Change ${listed(names, "or")}, or delete ${type} ${id} on the platform if it is not needed`
    : `It already exists and is not managed by this stack. To import it, add { import: "${id}" } to this resource's options`;

const unknownTo = (proof: Proof): string =>
  proof === "unreadable"
    ? "this stack's state could not be read (`pulumi stack export` failed)"
    : "this stack's state does not record its creation";

const unproven = (id: string, proof: Proof): string =>
  withRemedies(
    `${id} has this resource's ownership tags, but ${unknownTo(proof)}. It may belong to a stack of the same name in another backend, so it was not recovered`,
    [
      ...(proof === "unreadable" ? ["Make sure that `pulumi` is on the PATH, then run this again"] : []),
      `If it belongs to this stack, add { import: "${id}" } to the resource's options`,
      "If it is not needed, delete it on the platform",
    ],
  );

/** The importer lists drafts with a mark of the state, or of version 0.1.0. */
const unprovenDraft = ({ id, proof }: { readonly id: string; readonly proof: Proof }): string =>
  `${id} has the note of this resource, but ${unknownTo(proof)}. If it is not needed, delete it ${proof === "own" ? `with \`${orphanCommand} --id ${id}\`` : "on the platform"}`;

/** The response of a creation does not have the whole ID. */
class WithoutId extends ProviderError {
  constructor({ names }: Kind["id"], known: Props) {
    super("Failed", `the platform's answer has no ${listed(names.filter((part) => known[part] === undefined || known[part] === ""))}`);
  }
}

const withoutIdRemedy =
  "Run `pulumi up` again: the provider finds the created resource by its tags. If this repeats, report it to the platform operator";
