import type { Cloud } from "@container-platform/sdk";
import { isGone } from "../definition/changes.ts";
import { unreadyState } from "../lifecycle/reconcile.ts";
import type { Kind } from "../definition/definition.ts";
import { usersInLog } from "../resources/cluster/permissions/permission-events.ts";
import { isKind, kinds } from "../resources/kinds.ts";
import type { KindName } from "../resources/reviews.ts";
import { separatingOwnershipTags } from "../ownership/tags.ts";
import type { Props } from "../schema/values.ts";
import { inputsForProgram } from "../schema/compare.ts";

/** A resource that was found on the platform. */
export interface FoundResource {
  readonly kind: Kind;
  readonly id: string;
  /** Its live properties, and the parts of its id. */
  readonly live: Props;
  /** The inputs for a program. They refer to other resources by ids. */
  readonly inputs: Props;
}

/** How old, in milliseconds, an answer may be that several resources are read from. */
const tolerance = 60_000;

/**
 * Reads the resources of a region that a program can declare. They are ordered by kind, with dependencies first, and then by id.
 *
 * @param users sub-accounts whose permissions are read
 * @param leaveOut called with a sentence for each resource that is left out
 * @param only the kind of the resources. Default: all kinds
 */
export async function findResources(region: Cloud, users: readonly string[], leaveOut: (why: string) => void, only?: KindName) {
  const cloud = region.tolerating(tolerance);
  const listed: Record<string, readonly string[]> = { targetUin: [...new Set(users)] };
  const found: FoundResource[] = [];
  const wanted = only === undefined ? Object.keys(kinds) : withParents((await kinds[only]()).kind);
  for (const type of Object.keys(kinds).filter(isKind)) {
    if (!wanted.includes(type)) continue;
    const kind = separatingOwnershipTags((await kinds[type]()).kind);
    const ids = (await kind.list(cloud, listed)).map((parts) => kind.id.of(parts)).sort();
    const read = await Promise.all(ids.map((id) => readIn(cloud, kind, id, leaveOut)));
    const present = read.filter((one) => one !== undefined);
    // The resources inside one that is left out are left out, too.
    for (const part of kind.id.names) if (part in kind.outputs.shape) listed[part] = present.map(({ live }) => String(live[part]));
    if (only === undefined || type === only) found.push(...present);
  }
  return found;
}

/**
 * Reads the resources of one kind in a region.
 *
 * @param user the sub-account of permissions. Default: all sub-accounts that the audit log names
 */
export async function findOfKind(region: Cloud, { type }: Kind, user?: string): Promise<readonly FoundResource[]> {
  if (!isKind(type)) return [];
  const users = user !== undefined ? [user] : type === "UserPermission" ? await usersInLog(region) : [];
  return findResources(region, users, () => undefined, type);
}

/** A kind and those that its resources are inside of, which list them. */
function withParents({ type, within }: Kind): readonly string[] {
  return [type, ...(within ? withParents(within.kind) : [])];
}

async function readIn(cloud: Cloud, kind: Kind, id: string, leaveOut: (why: string) => void): Promise<FoundResource | undefined> {
  const parts = kind.id.parts(id) ?? {};
  const properties = await kind.read(cloud, parts);
  // It may have been deleted since it was listed.
  if (!properties || isGone(kind, properties)) return undefined;
  const state = unreadyState(kind, properties);
  if (state !== undefined) {
    leaveOut(`${kind.type} ${id} is ${state}, and left out`);
    return undefined;
  }
  const live = { ...properties, ...parts };
  return { kind, id, live, inputs: inputsForProgram(kind, { ...live, ...(await kind.inputsToImport?.(cloud, live)) }) };
}
