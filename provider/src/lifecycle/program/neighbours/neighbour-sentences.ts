import { listed } from "@container-platform/sdk";
import { aliasOf, nameIn, nameOf } from "../claims.ts";
import type { Member } from "../members/member.ts";
import type { Clash } from "../members/members.ts";
import type { SavedResource } from "../../../recovery/saved-resources.ts";
import type { Meeting } from "./sole.ts";

/** Why a resource cannot be what its program says, because of another one, and what to do. */

/** What is in the way on the platform. */
export interface Holder {
  readonly id: string;
  /** Left out where the new one would have the same id. */
  readonly meeting: Meeting | undefined;
}

/** When another resource of the program gives up what it has, to what comes after it: `last`, once all that is new was made. */
export interface Keeper {
  readonly gives: "first" | "last" | undefined;
}

/** Both are in the program. */
export function clashing(member: Member, { other, meeting }: Clash): string {
  const urns = [member.urn, other.urn].sort();
  const [one, that] = [member, other].map(({ urn }) => nameIn(urn, urns));
  const both = `${listed(urns.map((urn) => nameIn(urn, urns)))} of this program`;
  const { id, type } = member.kind;
  if (!meeting) {
    const same = `${listed(id.names)} ${id.names.length === 1 ? "is" : "are"} the same`;
    return `${both} would be one and the same ${type}: ${same} in both. Change one of the two`;
  }
  const { as, by, value, otherBy, otherValue, in: place } = meeting;
  const where = place === undefined ? "" : ` with the same ${place}`;
  const meets = as === "name" ? `${by} of both is ${value}` : `${by} ${value} of ${one} overlaps ${otherBy} ${otherValue} of ${that}`;
  return `${both} cannot both exist${where}: ${meets}. Change one of the two`;
}

/** A range that lies wrong to that of the resource that it is in. */
export function outOfBounds(
  by: string,
  range: string,
  lies: "inside" | "outside",
  { name, outer }: { name: string; outer: string },
): string {
  return lies === "inside"
    ? `${by}: ${range} is not inside ${outer}, the range of ${name}. Take a part of that`
    : `${by}: ${range} overlaps ${outer}, the range of ${name}. Take a range outside of it`;
}

/** It is the resource itself, which is replaced without a plan. */
export function forced(member: Member, holder: Holder, isSaved: boolean): string {
  const remedy = `Add deleteBeforeReplace: true to its options; a command with --target-replace needs --target-dependents, too`;
  const lost = isSaved ? "" : `. If its state has lost it, add { import: "${holder.id}" } instead`;
  return `${met(member, holder)}. That is this very resource, which is replaced by force, and the new one cannot stand beside the old one. ${remedy}${lost}`;
}

/** It is the resource itself, which the state has as one of the other shell. */
export function movedWithoutAlias(member: Member, holder: Holder, { savedAs, token }: SavedResource): string {
  const alias = `aliases: [{ type: "${token}" }]`;
  const remedy = savedAs.includes(`$${token}::`)
    ? `have the option transforms of what it is a child of add ${alias} to its options`
    : `write ${alias} into its options`;
  return `${met(member, holder)}. That is this very resource, which the state has as ${token}. To go on with it, ${remedy}. If it has that, leave out of this run what replaces it by force`;
}

/** The option `deleteBeforeReplace: false`, where both cannot exist. */
export function forbiddenOrder({ id }: Member): string {
  return `it is replaced, and the new one cannot stand beside ${id}: take deleteBeforeReplace: false out of its options`;
}

/** The option `retainOnDelete`, where both cannot exist. */
export function keptInTheWay({ id }: Member): string {
  return `it is replaced, and the new one cannot stand beside ${id}, which retainOnDelete keeps: take that option out and run \`pulumi up\` first, without this change`;
}

/** It is the resource itself, which a refresh of this run has not found, so that the state has lost it. */
export function foundAgain(member: Member, holder: Holder): string {
  return `${met(member, holder)}. In this same run the platform has told that it is gone, so it has left the state, and now it is there. To go on with it, add { import: "${holder.id}" } to the options of what had it`;
}

/** It is the resource itself, of which the state does not know. */
export function lost(member: Member, holder: Holder): string {
  return `${met(member, holder)}. That is this very resource, which its state has lost. To go on with it, add { import: "${holder.id}" } to its options`;
}

/**
 * Another resource of the stack has it.
 *
 * @param urn that one's in the state, if it is known
 * @param keeper how that one gives it up, if the program has it: at once, last of all, or not at all
 */
export function heldInStack(member: Member, holder: Holder, urn: string | undefined, keeper?: Keeper): string {
  const isNew = member.id === undefined;
  const that = urn === undefined ? "Another resource" : nameIn(urn, [urn, member.urn]);
  const alias = urn === undefined ? 'aliases: [{ name: "<its old name>" }]' : aliasOf(urn);
  return [
    `${met(member, holder)}. ${that} of this same stack has it, and what is new is made before what is old is deleted`,
    ...(isNew && !keeper ? [`If this is another name for it, or it has got another parent, write ${alias} into the options`] : []),
    `If it is to give that up, run \`pulumi up\` first without this ${isNew ? "resource" : "change"}`,
    ...(keeper?.gives === "first" ? ["Or have this one come after it, by dependsOn"] : []),
    ...(keeper?.gives === "last"
      ? [`Or add deleteBeforeReplace: true to the options of ${that}, and have this one come after it, by dependsOn`]
      : []),
    ...(isNew
      ? []
      : ["If the two are to change places, take three runs: this one to a value that nobody has, then the other, then this one"]),
  ].join(". ");
}

/** A resource of the same stack with another `Provider` has it. Whether the program still has that one is not seen from here. */
export function heldByOtherProvider(member: Member, holder: Holder, urn: string): string {
  const { meeting } = holder;
  const own = meeting ? meeting.by : listed(member.kind.id.names, "or");
  return `${met(member, holder)}. ${nameIn(urn, [urn, member.urn])} of this same stack, with another Provider, has it. If both are to exist, change ${own} of one of the two. If this one is to come in its place, take that one out and run \`pulumi up\` first, without this one`;
}

/** It is to be imported, and a resource of the same stack with another `Provider` has it. */
export function heldElsewhere(id: string, urn: string): string {
  return `${id} is "${nameOf(urn)}" of this same stack, with another Provider (${urn}), and an id belongs to one resource. Take that one out of the program first, with retainOnDelete: true so that it stays, then import it here`;
}

/** It belongs to nobody in this stack. */
export function foreign(member: Member, holder: Holder): string {
  const change = holder.meeting ? `Take another ${holder.meeting.by}` : `Change ${listed(member.kind.id.names, "or")}`;
  const takeOver = member.id === undefined ? `; or to take it over, add { import: "${holder.id}" } to this resource's options` : "";
  return `${met(member, holder)}. It is not of this stack. ${change}${takeOver}`;
}

/** Nobody in the region has it, and the platform says that it is not free. */
export function elsewhere(by: string, value: string): string {
  return `${by}: ${value} is taken in another region or account. Take another one`;
}

function met({ kind: { type } }: Member, { id, meeting }: Holder): string {
  if (!meeting) return `${type} ${id} is there already`;
  const { as, by, value, otherBy, otherValue } = meeting;
  return as === "name" ? `${by}: ${value} is taken by ${id}` : `${by}: ${value} overlaps ${otherBy} ${otherValue} of ${id}`;
}
