import { listed } from "@container-platform/sdk";
import type { Node as NodeOf, NodeKind, Owner } from "../definition/invariants.ts";
import type { Conflict } from "../definition/unique.ts";
import { nameOf } from "../schema/urn.ts";

/** The messages of violations: the conflict, its reason, and the remedies. */

type Node = NodeOf<NodeKind>;

/** The command that deletes the orphans of a stack. */
export const orphanCommand = "npx container-platform-import --orphans --delete";

/** A name in quotes; the URN if several of the resources have that name. */
function nameIn(urn: string, all: readonly string[]): string {
  const name = nameOf(urn);
  return all.filter((other) => nameOf(other) === name).length > 1 ? urn : `"${name}"`;
}

export const called = ({ kind, urn }: Pick<Node, "kind" | "urn">): string => `${kind.type} "${nameOf(urn)}"`;

/** An ID, or the name of a resource that has no ID yet. */
export const referenceCalled = (reference: string): string => (reference.startsWith("urn:") ? `"${nameOf(reference)}"` : reference);

/** The option that keeps a resource in the state under a new name. */
const aliasOf = (urn: string): string => `aliases: ["${urn}"]`;

/** A message, and its remedies as a list, one per line. */
export function withRemedies(message: string, remedies: readonly string[]): string {
  return [`${message}.`, ...remedies.map((remedy) => `  - ${remedy}.`)].join("\n");
}

/** Two resources of the program manage one ID. `owner`: the one that has it in the state; `added`: the one that imports or creates it. */
export function sharedId(
  nodes: readonly Node[],
  id: string,
  { owner, added }: { readonly owner: Node | undefined; readonly added: Node | undefined },
): string {
  const urns = nodes.map(({ urn }) => urn).sort();
  const named = ({ urn }: Node): string => nameIn(urn, urns);
  const isCreated = added !== undefined && added.operation !== "import";
  return withRemedies(`${listed(urns.map((urn) => nameIn(urn, urns)))} both manage ${id}; only one resource can`, [
    `Remove one of them from the program${added ? "" : " (the other keeps it)"}`,
    ...(isCreated ? [`Or change ${listed(added.kind.id.names, "or")} of ${named(added)}`] : []),
    ...(owner && added && (added.id === undefined || added.operation === "import")
      ? [
          `If ${named(added)} is the new name of ${named(owner)}, remove ${named(owner)} and add ${aliasOf(owner.stateUrn)} to ${named(added)}`,
        ]
      : []),
  ]);
}

/** Two resources of the program conflict. Without a `conflict`, they would have the same ID. */
export function conflictInProgram(node: Node, other: Node, conflict: Conflict | undefined): string {
  const urns = [node.urn, other.urn].sort();
  const [one, that] = [node, other].map(({ urn }) => nameIn(urn, urns));
  const both = listed(urns.map((urn) => nameIn(urn, urns)));
  const { id, type } = node.kind;
  if (!conflict) return `${both} would be the same ${type}: both have the same ${listed(id.names)}. Change one of them`;
  const { as, by, value, otherBy, otherValue, in: parent } = conflict;
  const where = parent === undefined ? "" : ` with the same ${parent}`;
  return as === "name"
    ? `${by}: ${both} cannot both have ${value}${where}. Change one of them`
    : `${by}: ${value} of ${one} overlaps ${otherBy} ${otherValue} of ${that}${where}. Change one of them`;
}

/** An existing resource that has a value which the program gives to another. Without a `conflict`, it has the ID. */
export interface Holder {
  readonly id: string;
  readonly conflict: Conflict | undefined;
}

function takenBy({ kind: { type } }: Node, { id, conflict }: Holder): string {
  if (!conflict) return `${type} ${id} already exists`;
  const { as, by, value, otherBy, otherValue } = conflict;
  return as === "name" ? `${by}: ${value} is already used by ${id}` : `${by}: ${value} overlaps ${otherBy} ${otherValue} of ${id}`;
}

/** The same, and who manages the existing resource, such as `this stack does not manage`. */
function takenAndManaged(node: Node, holder: Holder, who: string): string {
  return holder.conflict ? `${takenBy(node, holder)}, which ${who}` : `${takenBy(node, holder)}, and ${who} it`;
}

/**
 * An existing resource conflicts with one of the program.
 *
 * @param deletesOld when the program's own resource releases the value, if it does
 */
export function conflictWithExisting(node: Node, holder: Holder, owner: Owner, keeper?: Node, deletesOld?: Node["deletesOld"]): string {
  const taken = takenBy(node, holder);
  const importLine = `{ import: "${holder.id}" }`;
  const own = holder.conflict?.by ?? listed(node.kind.id.names, "or");
  switch (owner.is) {
    case "none":
      return taken;
    case "self": {
      const orImport = owner.urn === undefined ? `. If the state does not record it, add ${importLine} instead` : "";
      return `${taken}. It is the same resource: a forced replacement would create the new one while the old one still exists. Add deleteBeforeReplace: true to its options; with --target-replace, also pass --target-dependents${orImport}`;
    }
    case "moved":
      return `${taken}. It is the same resource, but the state records it as ${owner.token}. ${typeAlias(owner)}`;
    case "lost":
      return `${taken}. It is the same resource, but the state no longer records it. To manage it again, add ${importLine} to its options`;
    case "missing":
      return `${taken}. This update did not find ${holder.id} before and removed it from the state, but it exists. To manage it again, add ${importLine} to the options of the resource that had it`;
    case "other provider":
      return withRemedies(takenAndManaged(node, holder, `${ownerCalled(node, owner)} of another provider in this stack manages`), [
        `To keep both, change ${own} of one of them`,
        "To replace it with this one, remove it and run `pulumi up` first",
      ]);
    case "orphan":
      return withRemedies(takenAndManaged(node, holder, "an interrupted update created"), [
        `To delete it, run \`${orphanCommand}\``,
        ...(node.id === undefined ? [`To keep it as this resource, add ${importLine} to the options`] : []),
      ]);
    case "unmanaged": {
      const change = holder.conflict
        ? `Use a different ${own}`
        : `Change ${own}, or delete ${node.kind.type} ${holder.id} on the platform if it is not needed`;
      const isSame = !holder.conflict || holder.conflict.value === holder.conflict.otherValue;
      const orImport = node.id === undefined && isSame ? `, or import ${holder.id}: add ${importLine} to the options` : "";
      return `${takenAndManaged(node, holder, "this stack does not manage")}. ${change}${orImport}`;
    }
    case "stack":
      return conflictWithOwn(node, holder, owner, keeper, deletesOld);
  }
}

function typeAlias({ urn = "", token = "" }: Owner): string {
  const alias = `aliases: [{ type: "${token}" }]`;
  const how = urn.includes(`$${token}::`)
    ? `use the option transforms of its parent to add ${alias} to its options`
    : `add ${alias} to its options`;
  return `To keep it, ${how}. If it already has this alias, do not force its replacement in this update`;
}

const ownerCalled = ({ urn }: Node, owner: Owner): string =>
  owner.urn === undefined ? "another resource" : nameIn(owner.urn, [owner.urn, urn]);

/** Another resource of the stack has the value. */
function conflictWithOwn(node: Node, holder: Holder, owner: Owner, keeper?: Node, deletesOld?: Node["deletesOld"]): string {
  const isNew = node.id === undefined;
  const that = owner.urn === undefined ? "that resource" : ownerCalled(node, owner);
  const alias = owner.urn === undefined ? 'aliases: [{ name: "<its old name>" }]' : aliasOf(owner.urn);
  const why = "Pulumi creates resources before it deletes old ones, so both would exist at the same time";
  return withRemedies(`${takenAndManaged(node, holder, `${ownerCalled(node, owner)} in this stack manages`)}. ${why}`, [
    ...(isNew && !keeper ? [`If this is a new name or parent for ${that}, add ${alias} to the options`] : []),
    `Run \`pulumi up\` without this ${isNew ? "resource" : "change"} first: ${that} then releases it`,
    ...(deletesOld === "first" ? [`Or make this resource depend on ${that} (dependsOn)`] : []),
    ...(deletesOld === "last" ? [`Or set deleteBeforeReplace: true on ${that}, and make this resource depend on it (dependsOn)`] : []),
    ...(isNew ? [] : ["To swap values between the two, use three updates with a temporary value"]),
  ]);
}

/** A replacement that conflicts with the old resource. */
export const cannotCoexist = (id: string, isRetained: boolean): string =>
  isRetained
    ? `the replacement cannot coexist with ${id}, which retainOnDelete keeps. Remove retainOnDelete and run \`pulumi up\` before you make this change`
    : `the replacement cannot coexist with ${id}. Remove deleteBeforeReplace: false from the options`;

/** The remedy for an ID that does not exist. */
export const notFoundRemedy =
  "Check the ID. If it was a resource of this stack, use its output instead and run `pulumi up --refresh`, which creates it again with a new ID";

/** A literal ID of a resource that is replaced. */
export function literalId(id: string, replaced: string, by: string): string {
  const [left, one] = [replaced, by].map((urn) => nameIn(urn, [replaced, by]));
  return `${id} is ${left}, which is being replaced and gets a new ID. In ${one}, use ${left}'s output instead of the literal ID`;
}

/** An imported resource that a resource with another provider manages. */
export const managedElsewhere = (id: string, urn: string): string =>
  `${id} is already managed by "${nameOf(urn)}" of another provider in this stack (${urn}). Remove that resource first, with retainOnDelete: true so that it is not deleted, then import it here`;

/** Why a resource cannot be deleted. `inUseIn` of the reviewer reads this message. */
export function inUse(path: string, user: string, how: string, isResource: boolean, isReplaced: boolean): string {
  const replaced = isReplaced ? ", and which is being replaced" : "";
  return `${path}: ${user} ${how}, which cannot be deleted while ${isResource ? "the resource uses it" : "these nodes exist"}${replaced}`;
}

/** A resource keeps a reference whose input was removed from the program. */
export const keptReference = (one: string, path: string, that: string, isReplaced = false): string =>
  withRemedies(`${path} is not set in the program, so the platform keeps its value`, [
    `Keep ${that} ${isReplaced ? "unchanged" : "in the program"}`,
    `Or set ${path} of ${one} without it ([] for none)`,
  ]);

/** The first line of a warning that an import changes the resource. The changes follow, one per line. `importedChangesIn` of the reviewer reads it. */
export const changedByImport = (id: string): string => `importing ${id} changes it to match the program:`;
