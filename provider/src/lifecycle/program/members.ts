import type { Kind } from "../../definition/definition.ts";
import { placesOf } from "../../definition/places.ts";
import type { Plan } from "../plan.ts";
import { privateStateOf } from "../private-state.ts";
import { canStandBeside, type Meeting, meetingOf, meetingWithEarlier, textIn, turned } from "./sole.ts";
import { holdsUnknown, type Props, same } from "../../schema/values.ts";

/** A resource of the program, as far as this run has seen it. */
export interface Member {
  readonly kind: Kind;
  readonly urn: string;
  readonly inputs: Props;
  /** By input: the URN of the resource that it takes its value from. */
  readonly of: Readonly<Record<string, string>>;
  /** The URNs that the program names in `dependsOn`; of a kind that needs others, all that it waits for. */
  readonly after: readonly string[];
  /** The option `deleteBeforeReplace`, if the program sets it. */
  readonly first: boolean | undefined;
  /** The option `retainOnDelete`. */
  readonly isRetained: boolean;
  /** Whether it is new, or has another place or something else that is `sole` than before. */
  readonly isMoved: boolean;
  /** Whether it is to import what is there. */
  readonly isImported: boolean;
  /** Its id in the state, or the one that it was given. */
  readonly id?: string;
  /** Whether its old self is deleted before it is made anew, or after all that is new was made. */
  readonly leaves?: "first" | "last" | undefined;
  /** Whether its new self and its old one cannot stand beside each other. */
  readonly meetsItself?: boolean;
}

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
  readonly #byUrn = new Map<string, Member>();
  readonly #made = new Set<string>();
  readonly #goingAlong = new Map<string, string>();
  #hasMoved = false;

  /** @param news with the private inputs that only `check` has */
  noteChecked(kind: Kind, olds: Props, news: Props, inputs: Props): Member {
    const { __urn: urn, __of: of, __after: after, __first: first, __kept: isRetained = false, __adopt: imported } = privateStateOf(news);
    const before = this.#byUrn.get(urn);
    const isNew = Object.keys(olds).length === 0;
    const member: Member = {
      // The second check of a replacement comes without an old state.
      ...before,
      ...{ kind, urn, inputs, of, after, first, isRetained },
      isMoved: isNew || isMoved(kind, olds, inputs),
      isImported: isNew && imported !== undefined,
      leaves: before?.leaves ?? (isNew && before?.id !== undefined ? "last" : undefined),
    };
    this.#byUrn.set(urn, member);
    this.#hasMoved ||= member.isMoved;
    return member;
  }

  /** Notes what a plan says of a resource of the state. Returns its member; `undefined` if the program has not spoken of it. */
  noteCompared(
    kind: Kind,
    id: string,
    { olds, news, plan: { replaces, deleteBeforeReplace = false } }: { readonly olds: Props; readonly news: Props; readonly plan: Plan },
  ): Member | undefined {
    const known = this.#byUrn.get(privateStateOf(news).__urn);
    if (!known) {
      // The engine looks for what is deleted along with another resource, before the program speaks of it.
      if (replaces && holdsUnknown(news)) this.#goingAlong.set(keyOf(kind, id), privateStateOf(news).__urn);
      return undefined;
    }
    const leaves = replaces && ((known.first ?? deleteBeforeReplace) ? "first" : "last");
    const meetsItself = known.first === false && !canStandBeside(kind, id, news, olds);
    const member: Member = { ...known, id, leaves, meetsItself };
    this.#byUrn.set(known.urn, member);
    return member;
  }

  /** Notes the id that a resource was given. What is inside it can only be of this run. */
  noteMade(urn: string, id: string): void {
    this.#made.add(id);
    const known = this.#byUrn.get(urn);
    if (known) this.#byUrn.set(urn, { ...known, id, leaves: undefined });
  }

  /** Notes that a resource of the state is deleted. If it is not to be made anew, the program does not have it. */
  noteDeleted(kind: Kind, id: string): void {
    const known = this.holding(kind, id);
    if (known && known.leaves === undefined) this.#byUrn.delete(known.urn);
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
    return this.#byUrn.size > 0 || this.#goingAlong.size > 0;
  }

  /** Whether what is deleted is to be made anew after that. */
  isToFollow(kind: Kind, id: string): boolean {
    return this.goingAlong(kind, id) !== undefined || this.holding(kind, id)?.leaves === "first";
  }

  get(urn: string | undefined): Member | undefined {
    return urn === undefined ? undefined : this.#byUrn.get(urn);
  }

  /** The member that has an id in the state. */
  holding({ type }: Pick<Kind, "type">, id: string): Member | undefined {
    return [...this.#byUrn.values()].find((one) => one.kind.type === type && one.id === id);
  }

  get all(): readonly Member[] {
    return [...this.#byUrn.values()];
  }

  /** The members of a kind. */
  of(type: string): readonly Member[] {
    return [...this.#byUrn.values()].filter(({ kind }) => kind.type === type);
  }

  /** The member that has an id in the state which the platform has given it. */
  holdingOwn(id: string): Member | undefined {
    return [...this.#byUrn.values()].find((one) => one.id === id && hasOwnId(one.kind));
  }

  /** What other members of the program have that this one is to have, if one of the two is new there. */
  clashesOf(member: Member): readonly Clash[] {
    if (member.isImported || (!member.isMoved && !this.#hasMoved)) return [];
    // A program may have thousands of a kind, each of which is held against all others.
    const clashWith = hasOwnId(member.kind) ? meetingClash : keyedClash;
    const clashes: Clash[] = [];
    for (const other of this.#byUrn.values()) {
      // What is imported is there, so it is found on the platform. The other one may be the same under its old name.
      if (other.kind.type !== member.kind.type || other.urn === member.urn || other.isImported) continue;
      const clash = other.isMoved || member.isMoved ? clashWith(member, other) : undefined;
      if (clash) clashes.push(clash);
    }
    return clashes;
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
  if (!other.isMoved || one.after.includes(other.urn)) return meetingWithEarlier(one.kind, one.inputs, other.inputs, isIn);
  if (!one.isMoved || other.after.includes(one.urn)) return turned(meetingWithEarlier(one.kind, other.inputs, one.inputs, isIn));
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
