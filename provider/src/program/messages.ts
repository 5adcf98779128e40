import { listed } from "@container-platform/sdk";
import type { Conflict, Node as NodeOf, NodeKind, Owner } from "../definition/invariants.ts";
import { nameOf } from "../schema/urn.ts";

type Node = NodeOf<NodeKind>;

export const orphanCommand = "npx container-platform-import --orphans --delete";

/** A name in quotes; the URN if several of the resources have that name. */
function nameIn(urn: string, all: readonly string[]): string {
  const name = nameOf(urn);
  return all.filter((other) => nameOf(other) === name).length > 1 ? urn : `"${name}"`;
}

export const called = ({ kind, urn }: Pick<Node, "kind" | "urn">): string => `${kind.type} "${nameOf(urn)}"`;

/** An ID, or the name of a resource that has no ID yet. */
export const referenceCalled = (reference: string): string => (reference.startsWith("urn:") ? `"${nameOf(reference)}"` : reference);

const aliasOf = (urn: string): string => `aliases: ["${urn}"]`;

type Remedies = readonly (string | false | undefined)[];

/** A message, and its remedies as a list, one per line. Only texts count. */
export const withRemedies = (message: string, remedies: Remedies): string =>
  [`${message}.`, ...remedies.filter(Boolean).map((remedy) => `  - ${remedy}.`)].join("\n");

export function sharedId(nodes: readonly Node[], id: string): string {
  const hasId = (one: Node) => one.id === id && one.operation !== "import";
  const [owner, added] = [nodes.find(hasId), nodes.find((one) => !hasId(one))];
  const urns = nodes.map(({ urn }) => urn).sort();
  const [own, other] = [owner, added].map((one) => nameIn(one?.urn ?? "", urns));
  const isCreated = added && added.operation !== "import";
  const isRenamed = owner && added && (!isCreated || added.id === undefined);
  return withRemedies(`${listed(urns.map((urn) => nameIn(urn, urns)))} both manage ${id}; only one resource can`, [
    `Remove one of them from the program${added ? "" : " (the other keeps it)"}`,
    isCreated && `Or change ${listed(added.kind.id.names, "or")} of ${other}`,
    isRenamed && `If ${other} is the new name of ${own}, remove ${own} and add ${aliasOf(owner.stateUrn)} to ${other}`,
  ]);
}

/** Two resources of the program conflict. Without a `conflict`, they would have the same ID. */
export function conflictInProgram(node: Node, other: Node, conflict: Conflict | undefined): string {
  const urns = [node.urn, other.urn].sort();
  const [one, that] = [node, other].map(({ urn }) => nameIn(urn, urns));
  const both = listed(urns.map((urn) => nameIn(urn, urns)));
  const { id, type } = node.kind;
  if (!conflict) return `${both} would be the same ${type}: both have the same ${listed(id.names)}. Change one of them`;
  const { as, value, otherBy, otherValue, in: parent } = conflict;
  const how = as === "name" ? `${both} cannot both have ${value}` : `${value} of ${one} overlaps ${otherBy} ${otherValue} of ${that}`;
  return `${how}${parent === undefined ? "" : ` with the same ${parent}`}. Change one of them`;
}

function lostText(itself: string, toImport: string, { isOfOtherState = false }: Owner): string {
  if (!isOfOtherState) return `${itself}, but the state no longer records it. To manage it again, ${toImport}`;
  return withRemedies(`${itself}, but another state created it, and this one does not record it`, [
    "If another backend has a stack of this name, select that backend",
    `Otherwise, ${toImport}`,
  ]);
}

/** An existing resource that has a value which the program gives to another. Without a `conflict`, it has the ID. */
export interface Holder {
  readonly id: string;
  readonly conflict: Conflict | undefined;
}

/** @param release when the program's own resource releases the value, if it does */
export function conflictWithExisting(node: Node, holder: Holder, owner: Owner, release?: Pick<Node, "deletesOld">): string {
  const { type, id } = node.kind;
  const { conflict } = holder;
  const isNew = node.id === undefined;
  const taken = takenBy(type, holder);
  const managed = (who: string) => (conflict ? `${taken}, which ${who}` : `${taken}, and ${who} it`);
  const itself = `${taken}. It is the same resource`;
  const own = conflict?.by ?? listed(id.names, "or");
  const toImport = `add { import: "${holder.id}" }`;
  const that = owner.urn === undefined ? "another resource" : nameIn(owner.urn, [owner.urn, node.urn]);
  switch (owner.is) {
    case "none":
      return taken;
    case "self": {
      const orImport = owner.urn === undefined ? `. If the state does not record it, ${toImport} instead` : "";
      return `${itself}: a forced replacement would create the new one while the old one still exists. Add deleteBeforeReplace: true to its options; with --target-replace, also pass --target-dependents${orImport}`;
    }
    case "moved":
      return `${itself}, but the state records it as ${owner.token}. ${typeAlias(owner)}`;
    case "lost":
      return lostText(itself, `${toImport} to its options`, owner);
    case "missing":
      return `${taken}. This update did not find ${holder.id} before and removed it from the state, but it exists. To manage it again, ${toImport} to the options of the resource that had it`;
    case "other provider":
      return withRemedies(managed(`${that} of another provider in this stack manages`), [
        `To keep both, change ${own} of one of them`,
        "To replace it with this one, remove it and run `pulumi up` first",
      ]);
    case "orphan":
      return withRemedies(managed("an interrupted update created"), [
        `To delete it, run \`${orphanCommand}\``,
        isNew && `To keep it as this resource, ${toImport} to the options`,
      ]);
    case "unmanaged": {
      const change = conflict
        ? `Use a different ${own}`
        : `Change ${own}, or delete ${type} ${holder.id} on the platform if it is not needed`;
      const isSame = !conflict || conflict.value === conflict.otherValue;
      return `${managed("this stack does not manage")}. ${change}${isNew && isSame ? `, or import ${holder.id}: ${toImport} to the options` : ""}`;
    }
    case "stack":
      return withRemedies(
        `${managed(`${that} in this stack manages`)}. Pulumi creates resources before it deletes old ones, so both would exist at the same time`,
        untilReleased(owner, owner.urn === undefined ? "that resource" : that, isNew, release),
      );
  }
}

function untilReleased(owner: Owner, that: string, isNew: boolean, release?: Pick<Node, "deletesOld">): Remedies {
  const alias = owner.urn === undefined ? 'aliases: [{ name: "<its old name>" }]' : aliasOf(owner.urn);
  return [
    isNew && !release && `If this is a new name or parent for ${that}, add ${alias} to the options`,
    `Run \`pulumi up\` without this ${isNew ? "resource" : "change"} first: ${that} then releases it`,
    release?.deletesOld === "first" && `Or make this resource depend on ${that} (dependsOn)`,
    release?.deletesOld === "last" && `Or set deleteBeforeReplace: true on ${that}, and make this resource depend on it (dependsOn)`,
    !isNew && "To swap values between the two, use three updates with a temporary value",
  ];
}

function takenBy(type: string, { id, conflict }: Holder): string {
  if (!conflict) return `${type} ${id} already exists`;
  const { as, value, otherBy, otherValue } = conflict;
  return `${value} ${as === "name" ? "is already used by" : `overlaps ${otherBy} ${otherValue} of`} ${id}`;
}

function typeAlias({ urn = "", token = "" }: Owner): string {
  const alias = `aliases: [{ type: "${token}" }]`;
  const how = urn.includes(`$${token}::`) ? `use the option transforms of its parent to add ${alias}` : `add ${alias}`;
  return `To keep it, ${how} to its options. If it already has this alias, do not force its replacement in this update`;
}

export const cannotCoexist = (id: string, isRetained: boolean): string =>
  `the replacement cannot coexist with ${id}${isRetained ? ", which retainOnDelete keeps. Remove retainOnDelete and run `pulumi up` before you make this change" : ". Remove deleteBeforeReplace: false from the options"}`;

export const notFoundRemedy =
  "Check the ID. If it was a resource of this stack, use its output instead and run `pulumi up --refresh`, which creates it again with a new ID";

export function literalIdOfReplaced(id: string, replaced: string, by: string): string {
  const [left, one] = [replaced, by].map((urn) => nameIn(urn, [replaced, by]));
  return `${id} is ${left}, which is being replaced and gets a new ID. In ${one}, use ${left}'s output instead of the literal ID`;
}

export const managedElsewhere = (id: string, urn: string): string =>
  `${id} is already managed by "${nameOf(urn)}" of another provider in this stack (${urn}). Remove that resource first, with retainOnDelete: true so that it is not deleted, then import it here`;

/** Why a resource cannot be deleted. */
export function inUse(user: string, how: string, isResource: boolean, isReplaced: boolean): string {
  const replaced = isReplaced ? ", and which is being replaced" : "";
  return `${user} ${how}, which cannot be deleted while ${isResource ? "the resource uses it" : "these nodes exist"}${replaced}`;
}

/** A resource keeps a reference whose input was removed from the program. */
export const keptReference = (one: string, path: string, that: string, isReplaced = false): string =>
  withRemedies(`${path} is not set in the program, so the platform keeps its value`, [
    `Keep ${that} ${isReplaced ? "unchanged" : "in the program"}`,
    `Or set ${path} of ${one} without it ([] for none)`,
  ]);
