import { listed } from "@container-platform/sdk";
import { needsReplacement } from "../definition/changes.ts";
import { recently } from "../definition/context.ts";
import { ProviderError } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import { AfterWriting, isRefused, passes, withTodo } from "../definition/failures.ts";
import { orphanCommand, withRemedies } from "../program/messages.ts";
import { differs } from "../schema/compare.ts";
import { schemaOf } from "../schema/parts.ts";
import { isProps, type Props } from "../schema/values.ts";
import type { Found } from "./pending.ts";
import type { Resource } from "./session.ts";
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
 * Creates a resource with the inputs `props`. Afterwards there is exactly one resource, or the creation fails and names the existing one, also if
 * an earlier update was interrupted after the platform had created the resource, and before Pulumi had saved its ID.
 *
 * - **A resource with tags** is recovered if it is pending, has this owner and a mark of this state, and is not in the state. Without the
 *   mark the creation fails: a stack of the same name in another backend may be creating it.
 * - **A resource whose ID consists of its inputs** is recovered if the state has two pending creates of it, this one and an earlier one.
 * - **A resource with a note** is of no use without the secret that only its creation returns. It is deleted and created again if the state has an
 *   earlier pending create of it with the mark in its note. Otherwise it is left and named: Pulumi may have saved it, and it may be retained.
 *
 * If a creation fails, and the platform may have created the resource, the provider searches for it at once.
 */
export async function createOrRecover(resource: Resource): Promise<Created> {
  const { kind, urn, props: desired, session, warn } = resource;
  const { owned } = kind;
  const marking = () => session.state.mark(urn, warn);
  if (owned === "key") return createKeyed(resource, kind.id.of(desired));
  if (isNoted(owned)) return createNoted(resource, await marking());
  // The tag product lists all at once: also the resources in other parents.
  const search = typeof owned === "string" || !isInNewParent(resource) ? recovered(resource) : undefined;
  const [mark, orphan] = await Promise.all([marking(), search]);
  return orphan ?? call(resource, marked(resource, mark), () => createdDespiteError(resource, mark));
}

/** Whether its parent was created in this update, so that no earlier one has created anything in it. */
function isInNewParent({ kind: { within }, props, session: { graph, inState } }: Resource): boolean {
  const parent = within && props[within.by];
  return within !== undefined && graph.isCreated(parent) && !inState.adopted(within.kind, String(parent));
}

const marked = ({ kind, urn, props }: Resource, mark: string | undefined): Props =>
  withOwnershipTags(kind, props, newOwnershipTags(urn, mark));

/** @throws Error for an orphan that may be another stack's, or that cannot become as desired */
async function recovered(resource: Resource): Promise<Created | undefined> {
  const { kind, urn, home, session } = resource;
  // The platform may not list an orphan yet.
  const mayBeMissing = () => !isEmbedded(home) && session.state.wasBegun(urn, session.tokenOf(kind.type));
  const isMissing = async (found: readonly Found[]) => found.length === 0 && mayBeMissing();
  const orphans = await session.pending.searched(resource, () => orphansOf(resource), isMissing);
  for (const { id, mark, proof } of await unsaved(resource, orphans)) {
    const live = await read(resource, id);
    if (!live || !ownershipOf(live).isPending) continue;
    if (mark === undefined || !["proven", "own"].includes(proof)) throw new ProviderError("Orphan", unproven(id, proof));
    return recover(resource, id, live);
  }
  return undefined;
}

function recover({ kind, urn, props: desired, session, note }: Resource, id: string, live: Props): Created {
  const fixed = Object.keys(kind.inputs.shape).filter(
    (key) => differs(schemaOf(kind, key), desired[key], live[key]) && needsReplacement(kind, key, desired, live[key]),
  );
  if (fixed.length > 0)
    throw new ProviderError(
      "Orphan",
      `cannot recover ${id}, which an interrupted update created: ${listed(fixed)} changed since, and cannot be updated in place. Change it back, or delete ${kind.type} ${id} on the platform, then run \`pulumi up\` again`,
    );
  const keyed = kind.owned === "key" ? ". Run `pulumi refresh --clear-pending-creates` after this update" : "";
  note(`recovering ${id}, which an interrupted update created but did not save${keyed}`);
  session.inState.noteAdopted(kind, id, { urn, remedy: "run `pulumi up` again" });
  return { known: kind.id.parts(id) ?? {}, isRecovered: true };
}

/** The pending resources of this owner that this update does not know to be in the state. */
async function orphansOf(resource: Resource): Promise<readonly Found[]> {
  const { kind, urn, props, session } = resource;
  const all = await session.pending.of(kind, resource, props);
  return all.filter(({ id, owner }) => isOwner(owner, urn) && !session.inState.has(kind, id));
}

/** The orphans that the state does not record, each with its proof. */
async function unsaved({ kind, urn, home, session }: Resource, orphans: readonly Found[]) {
  const state = orphans.length === 0 ? undefined : await session.state.now(urn);
  const isSaved = ({ id }: Found) => state !== undefined && savedUnder(state, kind, id, home).length > 0;
  return orphans.filter((one) => !isSaved(one)).map((one) => ({ ...one, proof: proofOf(one, state, 2) }));
}

/** Creates a resource with a note. If its response was lost, and the resource was deleted then, another one is created. */
async function createNoted(resource: Resource, mark: string | undefined): Promise<Created> {
  const drafts = isInNewParent(resource) ? [] : await orphansOf(resource);
  const { proven, unproven: left = [] } = Object.groupBy(await unsaved(resource, drafts), ({ proof }) =>
    proof === "proven" ? "proven" : "unproven",
  );
  await deleteDrafts(resource, proven);
  for (const draft of left) resource.warn({ code: "Orphan", message: unprovenDraft(draft) });
  for (let attempt = 1; ; attempt++)
    try {
      return await call(resource, marked(resource, mark));
    } catch (error) {
      if (isRefused(error)) throw error;
      const isLost = (one: Found) => one.mark === mark && !drafts.some(({ id }) => id === one.id);
      const deletion = orphansOf(resource).then((found) => deleteDrafts(resource, found.filter(isLost)));
      const isDeleted = await deletion.catch(() => false);
      if (attempt === attempts || !isDeleted || !passes(error)) throw error;
    }
}

/** @returns whether there were any */
async function deleteDrafts({ kind, cloud }: Resource, drafts: readonly Found[] = []): Promise<boolean> {
  for (const { id } of drafts) await kind.delete(cloud, kind.id.parts(id) ?? {});
  return drafts.length > 0;
}

async function createKeyed(resource: Resource, id: string): Promise<Created> {
  const { kind, urn, props, session } = resource;
  const live = await read(resource, id);
  const saved = live && (await session.state.now(urn));
  if (live && saved && keyedCreates(saved, kind, urn, session.tokenOf(kind.type), id) > 1) return recover(resource, id, live);
  try {
    return await call(resource, props, async () => (!live && (await read(resource, id)) ? id : undefined));
  } catch (error) {
    if (!live && !(isRefused(error) && (await read(resource, id)))) throw error;
    const isReplaced = session.graph.get(urn)?.operation === "replace";
    throw new Error(withTodo(error, remedyForExisting(kind, id, isReplaced)), { cause: error });
  }
}

/** Calls the platform. `find` returns the ID of a resource that exists although the call failed. If it fails, the next creation searches again. */
async function call({ kind, cloud, note }: Resource, desired: Props, find?: () => Promise<string | undefined>): Promise<Created> {
  const { id } = kind;
  try {
    const created = await kind.create(cloud, desired);
    const known = isProps(created) ? created : {};
    if (!id.parts(id.of({ ...desired, ...known }))) throw new WithoutId(id, { ...desired, ...known });
    return { known };
  } catch (raised) {
    const error: unknown = raised instanceof AfterWriting ? raised.cause : raised;
    const found = isRefused(raised) ? undefined : await find?.().catch(() => undefined);
    if (found === undefined || !(error instanceof Error)) {
      if (error instanceof WithoutId) throw new Error(withTodo(error, withoutIdRemedy), { cause: error });
      throw error;
    }
    const known = id.parts(found) ?? {};
    if (!passes(error) && !(error instanceof WithoutId)) return { known, failure: error };
    const answered = passes(error) ? `the platform answered ${error.code} (request ${error.requestId})` : error.message;
    note(`${answered}, but it has created ${found}: this update continues with it`);
    return { known };
  }
}

async function createdDespiteError(resource: Resource, own: string | undefined): Promise<string | undefined> {
  resource.session.pending.forget();
  const orphans = own === undefined ? [] : await orphansOf(resource);
  for (const { id, mark } of orphans) if (mark === own && (await read(resource, id))) return id;
  return undefined;
}

const read = ({ kind, cloud, props }: Resource, id: string): Promise<Props | undefined> =>
  liveOf(kind, cloud.tolerating(recently), id, props);

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
