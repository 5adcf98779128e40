import type { Kind } from "../../../definition/definition.ts";
import { placesOf } from "../../../definition/places.ts";
import { mayFollow, type Member } from "./member.ts";
import { MemberIndex } from "./member-index.ts";
import type { Plan } from "../../plan.ts";
import { privateStateOf } from "../../private-state.ts";
import { canStandBeside, type Meeting, meetingOf, meetingWithEarlier, textIn, turned } from "../neighbours/sole.ts";
import { holdsUnknown, type Props, same } from "../../../schema/values.ts";

/** What another member of the program has, too. */
export interface Clash {
  readonly other: Member;
  /** Left out where both would have one id. */
  readonly meeting?: Meeting;
}

/**
 * The resources of the program that this run has seen. The engine checks them one after another and in no fixed order: what two of them
 * cannot both have shows at whichever comes second. Resources with a `Provider` of their own are in another process, and are not seen.
 */
export class Members {
  readonly #known = new MemberIndex();
  readonly #made = new Set<string>();
  readonly #goingAlong = new Map<string, string>();
  #hasMoved = false;

  /** @param news with the private inputs that only `check` has */
  noteChecked(kind: Kind, olds: Props, news: Props, inputs: Props): Member {
    const { __urn: urn, __of: of, __after: after, __first: first, __kept: isRetained = false, __adopt: imported } = privateStateOf(news);
    const before = this.#known.get(urn);
    const isNew = Object.keys(olds).length === 0;
    const member: Member = {
      // The second check of a replacement comes without an old state.
      ...before,
      ...{ kind, urn, inputs, of, after, first, isRetained },
      isMoved: isNew || isMoved(kind, olds, inputs),
      isImported: isNew && imported !== undefined,
      leaves: before?.leaves ?? (isNew && before?.id !== undefined ? "last" : undefined),
    };
    this.#known.put(member);
    this.#hasMoved ||= member.isMoved;
    return member;
  }

  /** Notes what a plan says of a resource of the state. Returns its member; `undefined` if the program has not spoken of it. */
  noteCompared(
    kind: Kind,
    id: string,
    { olds, news, plan: { replaces, deleteBeforeReplace = false } }: { readonly olds: Props; readonly news: Props; readonly plan: Plan },
  ): Member | undefined {
    const known = this.#known.get(privateStateOf(news).__urn);
    if (!known) {
      // The engine looks for what is deleted along with another resource, before the program speaks of it.
      if (replaces && holdsUnknown(news)) this.#goingAlong.set(keyOf(kind, id), privateStateOf(news).__urn);
      return undefined;
    }
    const leaves = replaces && ((known.first ?? deleteBeforeReplace) ? "first" : "last");
    const meetsItself = known.first === false && !canStandBeside(kind, id, news, olds);
    const member: Member = { ...known, id, leaves, meetsItself };
    this.#known.put(member);
    return member;
  }

  /** Notes the id that a resource was given. What is inside it can only be of this run. */
  noteMade(urn: string, id: string): void {
    this.#made.add(id);
    const known = this.#known.get(urn);
    if (known) this.#known.put({ ...known, id, leaves: undefined });
  }

  /** Notes that a resource of the state is deleted. If it is not to be made anew, the program does not have it. */
  noteDeleted(kind: Kind, id: string): void {
    const known = this.holding(kind, id);
    if (known && known.leaves === undefined) this.#known.remove(known.urn);
  }

  isMade(id: unknown): boolean {
    return typeof id === "string" && this.#made.has(id);
  }

  /** The URN of a resource that is deleted before it is made anew, because another resource is; `undefined` if it is not. */
  goingAlong(kind: Kind, id: string): string | undefined {
    return this.#goingAlong.get(keyOf(kind, id));
  }

  /** Whether a program runs, as far as can be seen: it has spoken, or the engine has looked for what goes along. */
  get isProgramSeen(): boolean {
    return this.#known.size > 0 || this.#goingAlong.size > 0;
  }

  /** Whether what is deleted is to be made anew after that. */
  isToFollow(kind: Kind, id: string): boolean {
    return this.goingAlong(kind, id) !== undefined || this.holding(kind, id)?.leaves === "first";
  }

  get(urn: string | undefined): Member | undefined {
    return urn === undefined ? undefined : this.#known.get(urn);
  }

  /** The member that has an id in the state. */
  holding({ type }: Pick<Kind, "type">, id: string): Member | undefined {
    return this.#known.withId(id).find((one) => one.kind.type === type);
  }

  get all(): readonly Member[] {
    return this.#known.all;
  }

  /** The members of a kind. */
  of(type: string): readonly Member[] {
    return this.#known.of(type);
  }

  /** The member that has an id in the state which the platform has given it. */
  holdingOwn(id: string): Member | undefined {
    return this.#known.withId(id).find((one) => hasOwnId(one.kind));
  }

  /** The member whose id ends with one that the platform has given it inside of something else, such as that of a pool in its cluster. */
  holdingLast(id: string): Member | undefined {
    return this.all.find((one) => one.id?.endsWith(`/${id}`) === true && hasOwnId(one.kind));
  }

  /** What other members of the program have that this one is to have, if one of the two is new there. */
  clashesOf(member: Member): readonly Clash[] {
    if (member.isImported || (!member.isMoved && !this.#hasMoved)) return [];
    const isGivenId = hasOwnId(member.kind);
    // Ids that are made of inputs may be the same wherever they stand.
    const others = isGivenId ? this.#known.near(member) : this.of(member.kind.type);
    return others.flatMap((other) => {
      // What is imported is there, so it is found on the platform. The other one may be the same under its old name.
      if (other.urn === member.urn || other.isImported || !(other.isMoved || member.isMoved)) return [];
      return (isGivenId ? meetingClash : keyedClash)(member, other) ?? [];
    });
  }
}

function meetingClash(member: Member, other: Member): Clash | undefined {
  const meeting = meetingIn(member, other);
  return meeting && { other, meeting };
}

/** Of a kind whose id follows from inputs. */
function keyedClash(member: Member, other: Member): Clash | undefined {
  return isOneId(member, other) ? { other } : meetingClash(member, other);
}

/** Whether the platform gives a resource its id, so that a new one has another. */
export function hasOwnId({ id, inputs }: Kind): boolean {
  return !id.names.every((name) => name in inputs.shape);
}

function isMoved(kind: Kind, olds: Props, inputs: Props): boolean {
  const keys = [...placesOf(kind), ...(kind.sole ?? []).map(({ by }) => by)];
  return keys.some((key) => !same(olds[key], inputs[key]));
}

/** Whether both would have one id that follows from inputs, and of which a part is not known yet. Of ids that are known, the claims tell. */
function isOneId(one: Member, other: Member): boolean {
  const { id } = one.kind;
  const isKnown = id.names.every((name) => !holdsUnknown(one.inputs[name]) && !holdsUnknown(other.inputs[name]));
  return !isKnown && id.names.every((name) => isShared(name, one, other) || isKnownSame(name, one, other));
}

function isKnownSame(name: string, { inputs }: Member, { inputs: others }: Member): boolean {
  return !holdsUnknown(inputs[name]) && same(inputs[name], others[name]);
}

/**
 * Where two members meet of which at least one is new there. What is as it was is there first, and what the program names in `dependsOn`;
 * else either may be.
 */
function meetingIn(one: Member, other: Member): Meeting | undefined {
  const isIn = (place: string) => isShared(place, one, other);
  if (!other.isMoved || mayFollow(one, other)) return meetingWithEarlier(one.kind, one.inputs, other.inputs, isIn);
  if (!one.isMoved || mayFollow(other, one)) return turned(meetingWithEarlier(one.kind, other.inputs, one.inputs, isIn));
  return meetingOf(one.kind, one.inputs, other.inputs, isIn);
}

/** Whether an input of both names the same place: by its id, or as long as that is not known by the resource that it is of. */
function isShared(input: string, one: Member, other: Member): boolean {
  const [place, otherPlace] = [placeIn(one, input), placeIn(other, input)];
  return place !== undefined && place === otherPlace;
}

/** The id of what a member is in; while it is not known, the URN. */
export function placeIn({ inputs, of }: Member, input: string): string | undefined {
  return textIn(inputs, input) ?? (holdsUnknown(inputs[input]) ? of[input] : undefined);
}

const keyOf = ({ type }: Kind, id: string): string => `${type} ${id}`;
