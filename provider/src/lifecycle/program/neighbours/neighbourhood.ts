import { contains, overlaps } from "@container-platform/sdk";
import { idFrom, nameOf } from "../claims.ts";
import type { Context } from "../../context.ts";
import { isUnseen } from "../../errors.ts";
import type { AnyBound, Kind } from "../../../definition/definition.ts";
import type { AnySole } from "../../../definition/sole.ts";
import { Creation } from "../../../recovery/creation.ts";
import { isPending, ownerIn, ownerOf, stackIn, stackOf } from "../../../recovery/ownership-tags.ts";
import type { Subject } from "../../../recovery/possession.ts";
import { isGone } from "../../gone.ts";
import { misplaced } from "./joined.ts";
import { mayFollow, type Member } from "../members/member.ts";
import {
  clashing,
  elsewhere,
  forbiddenOrder,
  forced,
  foreign,
  foundAgain,
  heldByOtherProvider,
  heldInStack,
  keptInTheWay,
  type Holder,
  lost,
  movedWithoutAlias,
  outOfBounds,
} from "./neighbour-sentences.ts";
import type { Plan } from "../../plan.ts";
import { privateStateOf } from "../../private-state.ts";
import { canStandBeside, meetingWithEarlier, rangeIn, textIn } from "./sole.ts";
import { type Props, same } from "../../../schema/values.ts";
import { firstLook } from "../../../definition/recently.ts";

/** What a look needs besides the resource. */
type Sight = Pick<Context, "cloud" | "warn">;

/**
 * What stands around a resource: others of the program that cannot exist beside it, what its ranges are bound to, and what is in its way
 * on the platform. Only what is new or changed is looked at, and nothing is guessed of values that are not known yet: in `up`, a
 * resource is checked again when they are.
 *
 * The engine makes what is new before it deletes what is old. So what is in the way has to be gone before this run, unless it is
 * deleted before it is made anew and the program has this resource come after it.
 */
export class Neighbourhood {
  readonly #subject: Subject;
  readonly #kind: Kind;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#kind = subject.kind;
  }

  /**
   * Why a checked resource cannot stand there, one sentence each.
   *
   * @param news with the private inputs that only `check` has
   */
  async refusals(sight: Sight, olds: Props, news: Props, inputs: Props): Promise<readonly string[]> {
    const { members } = this.#subject.session;
    const member = members.noteChecked(this.#kind, olds, news, inputs);
    const clashes = members.clashesOf(member);
    if (clashes.length > 0) return clashes.map((clash) => clashing(member, clash));
    const apart = misplaced(member, members, olds);
    if (apart.length > 0) return apart;
    if (!member.isMoved) return [];
    return this.#looking(sight, async () => {
      const outside = await this.#outOfBounds(sight, member);
      if (outside.length > 0 || Object.keys(olds).length > 0 || privateStateOf(news).__adopt !== undefined) return outside;
      if (member.id !== undefined) return member.meetsItself ? [forbiddenOrder(member)] : [];
      return this.#inTheWayOf(sight, member, this.#kind.sole ?? []);
    });
  }

  /** @throws Error if a resource of the state cannot be replaced, or cannot stand where it is to be from now on */
  async refuseChange(sight: Sight, id: string, { olds, news, plan }: { olds: Props; news: Props; plan: Plan }): Promise<void> {
    const member = this.#subject.session.members.noteCompared(this.#kind, id, { olds, news, plan });
    // Where no program speaks, the engine only asks what would be.
    if (!member) return;
    const { replaces } = plan;
    if (replaces && member.isRetained && !canStandBeside(this.#kind, id, news, olds, replaces)) throw new Error(keptInTheWay(member));
    const refusals = await this.#looking(sight, async () => {
      // What has failed holds nothing, and its own protection is lifted when it is deleted.
      const guarded = replaces && privateStateOf(olds).__failed === undefined ? await this.#guarded(sight, id, olds) : [];
      if (guarded.length > 0 || !member.isMoved) return guarded;
      const moved = (this.#kind.sole ?? []).filter(
        ({ by, in: place = by }) => !same(news[by], olds[by]) || !same(news[place], olds[place]),
      );
      return this.#inTheWayOf(sight, member, moved);
    });
    if (refusals.length > 0) throw new Error(refusals.join("; "));
  }

  /** What is protected of a resource that is to be replaced: what stands on it, or on the platform alone that resource itself. */
  async #guarded(sight: Sight, id: string, known: Props): Promise<readonly string[]> {
    const { protectedOn, protectedBy, type } = this.#kind;
    const parts = this.#kind.id.parts(id);
    const found = (parts && (await protectedOn?.(sight.cloud.tolerating(firstLook), parts))) ?? [];
    const instead = `a new ${type} is to be made in place of ${id}, but`;
    const remedy = "to false and run `pulumi up` first (`pulumi up --refresh`, if it was switched on elsewhere), without this change";
    const own = protectedBy !== undefined && (await this.#live(sight, firstLook, id, known))?.[protectedBy] === true;
    return [
      ...found.map((one) => `${instead} the protected cluster ${one} uses it: set its deletionProtection ${remedy}`),
      ...(own ? [`${instead} ${protectedBy} of ${id} is on: set it ${remedy}`] : []),
    ];
  }

  async #outOfBounds(sight: Sight, member: Member): Promise<readonly string[]> {
    const sentences = (this.#kind.bounds ?? []).map(async ({ by, lies, ...bound }) => {
      const inner = rangeIn(member.inputs, by);
      const container = inner && (await this.#containerOf(sight, member, bound));
      const outer = container && rangeIn(container.props, bound.of.by);
      if (!inner || !outer) return [];
      const isRight = lies === "inside" ? contains(outer, inner) : !overlaps(outer, inner);
      return isRight ? [] : [outOfBounds(by, inner.canonical, lies, { name: container.name, outer: outer.canonical })];
    });
    return (await Promise.all(sentences)).flat();
  }

  /** What a resource is in: as the program says; what that does not have is as on the platform. */
  async #containerOf(
    sight: Sight,
    { inputs, of }: Member,
    { in: input, of: { kind } }: Pick<AnyBound, "in" | "of">,
  ): Promise<{ readonly name: string; readonly props: Props } | undefined> {
    const { members } = this.#subject.session;
    const id = textIn(inputs, input);
    const member = members.get(of[input]) ?? (id === undefined ? undefined : members.holding(kind, id));
    if (member) return { name: `"${nameOf(member.urn)}"`, props: member.inputs };
    const props = id === undefined ? undefined : (await this.#listed(sight, kind)).find((one) => kind.id.of(one) === id);
    return props && { name: kind.id.of(props), props };
  }

  /** Why a resource cannot be made: what is on the platform has its id, or something else that only one can have. */
  async #inTheWayOf(sight: Sight, member: Member, soles: readonly AnySole[]): Promise<readonly string[]> {
    const { inputs } = member;
    const id = idFrom(this.#kind, inputs);
    if (id !== undefined && id !== member.id && !this.#isInsideOfNew(this.#kind.id.names, inputs)) {
      const live = await this.#live(sight, firstLook, id, inputs);
      const why = live && (await this.#judge(sight, member, { id, meeting: undefined }));
      if (why !== undefined) return [why];
    }
    const taken = await this.#taken(sight, soles, inputs);
    if (taken.length === 0) return [];
    const found = (await this.#listed(sight, this.#kind)).flatMap((other): Holder[] => {
      const meeting = this.#meeting(inputs, other, taken);
      const otherId = this.#kind.id.of(other);
      return meeting && otherId !== member.id ? [{ id: otherId, meeting }] : [];
    });
    for (const holder of found) {
      const why = await this.#judge(sight, member, holder);
      if (why !== undefined) return [why];
    }
    const [further] = taken.filter(({ isFree }) => isFree && found.length === 0);
    return further ? [elsewhere(further.by, String(inputs[further.by]))] : [];
  }

  /** What may be taken on the platform: not what is unknown, inside of what this run has made, or said to be free. */
  async #taken({ cloud }: Sight, soles: readonly AnySole[], inputs: Props): Promise<readonly AnySole[]> {
    const asked = soles.map(async (sole) => {
      const value = textIn(inputs, sole.by);
      if (value === undefined || (sole.in !== undefined && this.#isInsideOfNew([sole.in], inputs, true))) return [];
      return (await sole.isFree?.(cloud, value)) === true ? [] : [sole];
    });
    return (await Promise.all(asked)).flat();
  }

  /** Whether one of the inputs is the id of what this run has made. */
  #isInsideOfNew(names: readonly string[], inputs: Props, orUnknown = false): boolean {
    const { members } = this.#subject.session;
    return names.some((name) => members.isMade(inputs[name]) || (orUnknown && textIn(inputs, name) === undefined));
  }

  #meeting(inputs: Props, other: Props, soles: readonly AnySole[] = this.#kind.sole ?? []) {
    return meetingWithEarlier({ ...this.#kind, sole: soles }, inputs, other, (place) => inputs[place] === other[place]);
  }

  /** Why what is found on the platform is in the way; `undefined` if it is not, or not any more when its place is needed. */
  async #judge(sight: Sight, member: Member, holder: Holder): Promise<string | undefined> {
    const { session, urn, place } = this.#subject;
    const { members } = session;
    const { id } = holder;
    const live = await this.#live(sight, 0, id, member.inputs);
    if (!live || (holder.meeting && !this.#meeting(member.inputs, live))) return undefined;
    const along = members.goingAlong(this.#kind, id);
    // A resource that an alias has renamed has the owner of then until it is changed.
    if (along === urn || (along !== undefined && (ownerIn(live) ?? ownerOf(urn)) === ownerOf(urn))) return undefined;
    const keeper = members.holding(this.#kind, id);
    if (keeper) {
      // What is changed in place gives up what it had, too.
      const gives = keeper.leaves ?? (this.#meeting(member.inputs, keeper.inputs) ? undefined : "first");
      return gives === "first" && mayFollow(member, keeper) ? undefined : heldInStack(member, holder, keeper.urn, { gives });
    }
    const saved = await session.savedUnder(this.#kind, id, urn, place);
    if (session.deleted.wasMissing(this.#kind, id)) return foundAgain(member, holder);
    const own = saved?.find((one) => one.urn === urn);
    if (own && own.token !== session.tokenOf(this.#kind.type)) return movedWithoutAlias(member, holder, own);
    if (own) return member.first === true ? undefined : forced(member, holder, true);
    const [other] = saved ?? [];
    if (other) return (other.provider === session.provider ? heldInStack : heldByOtherProvider)(member, holder, other.savedAs);
    return this.#judgeUnsaved(member, holder, { live, isTold: saved !== undefined });
  }

  /** @param isTold whether the state is known, and does not have it */
  #judgeUnsaved(member: Member, holder: Holder, { live, isTold }: { live: Props; isTold: boolean }): string | undefined {
    const { session, urn } = this.#subject;
    const isUnsaved = !session.isInState(this.#kind, holder.id);
    if (this.#kind.tagsInput === undefined) {
      if (new Creation(this.#subject).hasBegun(holder.id, live) || (!isTold && member.first === true)) return undefined;
      return foreign(member, holder);
    }
    const isOwn = ownerIn(live) === ownerOf(urn);
    const isOfStack = isOwn || stackIn(live) === stackOf(urn);
    // What a killed run has left is taken over by the creation, or removed.
    if (isPending(live) && isOfStack && isUnsaved) return undefined;
    if (isOwn && isTold) return lost(member, holder);
    // It may be the one that is replaced, which an alias has renamed before: its mark is of then.
    if (isOfStack && !isTold && member.first === true) return undefined;
    if (isOwn) return forced(member, holder, false);
    return isOfStack && !isTold ? heldInStack(member, holder, undefined) : foreign(member, holder);
  }

  /** A live resource, unless it is gone. */
  async #live({ cloud }: Sight, tolerance: number, id: string, inputs: Props): Promise<Props | undefined> {
    const parts = this.#kind.id.parts(id);
    const live = parts && (await this.#kind.read(cloud.tolerating(tolerance), { ...inputs, ...parts }));
    return live && !isGone(this.#kind, live) ? live : undefined;
  }

  /** All of a kind in the region. */
  async #listed({ cloud }: Sight, { type, neighbours }: Kind): Promise<readonly Props[]> {
    const { listings } = this.#subject.session;
    const listing = listings.get(type) ?? neighbours?.(cloud) ?? Promise.resolve([]);
    listings.set(type, listing);
    listing.catch(() => listings.delete(type));
    return listing;
  }

  /** What cannot be looked at is not refused: the platform decides. */
  async #looking({ warn }: Sight, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await look();
    } catch (error) {
      if (!isUnseen(error)) throw error;
      const { type } = this.#kind;
      const unsaid = this.#subject.session.unsaid(type, [
        `whether something is in the way of a ${type} cannot be seen: ${error.reason} (${error.origin.action}: ${error.code})`,
      ]);
      for (const sentence of unsaid) warn(sentence);
      return [];
    }
  }
}
