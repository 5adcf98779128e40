import { listed } from "@container-platform/sdk";
import type { Keeping } from "../../../definition/definition.ts";
import { idsKept } from "../../../schema/ids.ts";
import { schemaOf } from "../../../schema/property.ts";
import { holdsUnknown, type Props } from "../../../schema/values.ts";
import type { Context } from "../../context.ts";
import { isUnseen } from "../../errors.ts";
import { privateStateOf } from "../../private-state.ts";
import { nameOf } from "../claims.ts";
import type { Member } from "../members/member.ts";
import { hasOwnId, type Members } from "../members/members.ts";
import { valueAt } from "../paths.ts";
import { keptBySilence, leftBehindIn, whileLeft } from "../remarks.ts";
import { recently } from "../../../definition/recently.ts";

/** What keeps a resource from being deleted that a change goes away from. */
interface Left {
  readonly id: string;
  /** @param end what is to become of it, after "cannot be deleted while it has nodes" */
  readonly why: (called: string, end?: string) => string;
}

type Sight = Pick<Context, "cloud">;

/**
 * What resources leave behind when they go elsewhere, such as the nodes of a pool in a subnet, in this run or an earlier one. That cannot
 * be deleted then: where the program has a new one made in its place, that is refused, whichever of the two the engine comes to first.
 * Whether the program still has it at all is known when the run ends.
 */
export class LeftBehind {
  readonly #left: Left[] = [];
  /** What resources have that their program leaves out from now on: the platform keeps it. */
  readonly #kept: Left[] = [];

  /** @throws Error if a resource that stays has left something in what is made anew, or is about to */
  async refuseToLeave(sight: Sight, members: Members, { olds, news }: { readonly olds: Props; readonly news: Props }): Promise<void> {
    const member = members.get(privateStateOf(news).__urn);
    if (!member) return;
    const anew = members.all.filter(isMadeAnew).map(({ id }) => id);
    const silent = keptSilently(member, { olds, news });
    for (const keeping of member.kind.rare?.holds?.keeps ?? []) {
      const places = [...leftIn(members, member, keeping.by, { olds, news }), ...anew, ...silent.map(({ id }) => id)];
      for (const place of new Set(places.filter((id) => isOf(keeping, id)))) {
        const holder = members.holdingOwn(place);
        if (holder && !isMadeAnew(holder)) continue;
        const left = await leftBy(sight, member, keeping, place);
        if (left && holder) throw new Error(sentenceOf(left, holder));
        if (left) this.#left.push(left);
      }
    }
    for (const kept of silent) {
      const holder = members.holdingOwn(kept.id);
      if (holder && isMadeAnew(holder)) throw new Error(sentenceOf(kept, holder));
      this.#kept.push(kept);
    }
  }

  /** Why a resource cannot be made anew: something is left behind in it. */
  async refusals(sight: Sight, members: Members, urn: string): Promise<readonly string[]> {
    const member = members.get(urn);
    if (!member || !isMadeAnew(member)) return [];
    const kept = this.#kept.find(({ id }) => id === member.id);
    if (kept) return [sentenceOf(kept, member)];
    for (const other of members.all.filter(({ kind, id, leaves }) => id !== undefined && !leaves && !members.goingAlong(kind, id)))
      for (const keeping of other.kind.rare?.holds?.keeps ?? []) {
        const left = isOf(keeping, member.id) ? await leftBy(sight, other, keeping, member.id) : undefined;
        if (left) return [sentenceOf(left, member)];
      }
    return [];
  }

  /** What something is left behind in, as far as this run has not seen the program to have it. */
  unheld(members: Members): readonly Left[] {
    return [...this.#left, ...this.#kept].filter(({ id }) => !members.holdingOwn(id));
  }
}

/** Whether its old self is deleted. */
function isMadeAnew(member: Member): member is Member & { readonly id: string } {
  return member.leaves !== undefined && member.id !== undefined && !member.isRetained && hasOwnId(member.kind);
}

function isOf({ of }: Keeping<Props>, id: string): boolean {
  return id.startsWith(`${of}-`);
}

/** What a resource has left in a place, as far as it can be seen. */
async function leftBy(
  { cloud }: Sight,
  { id: own = "", kind, inputs }: Member,
  keeping: Keeping<Props>,
  id: string,
): Promise<Left | undefined> {
  const parts = kind.id.parts(own);
  if (!parts || kind.rare?.holds?.isEmptied(inputs) === true) return undefined;
  const ids = await keeping.keptBy(cloud.tolerating(recently), parts, id).catch((error: unknown) => {
    if (isUnseen(error)) return [];
    throw error;
  });
  return ids.length === 0 ? undefined : { id, why: reasonOf(keeping, ids, id) };
}

function sentenceOf({ why }: Left, { kind, urn }: Member): string {
  return why(`${kind.type} "${nameOf(urn)}"`, ", and in whose place a new one is made");
}

function reasonOf({ by, how, remedy }: Keeping<Props>, ids: readonly string[], id: string): Left["why"] {
  return (called, end = "") => `${leftBehindIn(by, listed(ids), how(id, ids.length === 1))} ${whileLeft.nodes}${end}. ${remedy(called)}`;
}

/** The ids of others that a resource no longer names, and that it has until it names others in their place. */
function keptSilently({ kind, urn }: Member, { olds, news }: { readonly olds: Props; readonly news: Props }): readonly Left[] {
  const kept = Object.keys(kind.inputs.shape).flatMap((key) => idsKept(schemaOf(kind, key), olds[key], news[key], [key]));
  const one = `${kind.type} "${nameOf(urn)}"`;
  return kept.map(({ id, path }) => {
    const by = path.filter((part) => typeof part === "string").join(".");
    const why: Left["why"] = (called, end = "") =>
      `${leftBehindIn(by, one, `keeps ${id}`)} ${whileLeft.itself}${end}. ${keptBySilence(one, by, called)}`;
    return { id, why };
  });
}

/** The ids that are no longer in a list; none if one of the new ones may be any. */
function leftIn(members: Members, { of }: Member, by: string, { olds, news }: { olds: Props; news: Props }): readonly string[] {
  const [before, after] = [valueAt(olds, by), valueAt(news, by)];
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const items: readonly unknown[] = after;
  const isOpen = items.some((item, index) => holdsUnknown(item) && !members.get(of[`${by}.${index}`]));
  return isOpen ? [] : before.filter((one: unknown): one is string => typeof one === "string" && !items.includes(one));
}
