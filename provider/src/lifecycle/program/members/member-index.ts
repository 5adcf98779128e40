import type { Member } from "./member.ts";
import { MeetingPlaces } from "../neighbours/meeting-places.ts";

/**
 * The resources that a run has seen, in the order in which it has seen them first, and found by what is asked for: a program may have
 * thousands, and each asks for others.
 */
export class MemberIndex {
  readonly #byUrn = new Map<string, Member>();
  readonly #byType = new Map<string, Map<string, Member>>();
  /** By id in the state, the URNs of those that have it. */
  readonly #byId = new Map<string, Set<string>>();
  /** By type, once somebody has asked: most runs change nothing. */
  readonly #places = new Map<string, MeetingPlaces>();

  put(member: Member): void {
    const { kind, urn, inputs, id } = member;
    this.#unlink(urn);
    this.#byUrn.set(urn, member);
    const ofType = this.#byType.get(kind.type) ?? new Map<string, Member>();
    this.#byType.set(kind.type, ofType.set(urn, member));
    if (id !== undefined) this.#byId.set(id, (this.#byId.get(id) ?? new Set()).add(urn));
    this.#places.get(kind.type)?.add(urn, inputs);
  }

  remove(urn: string): void {
    this.#unlink(urn);
    const known = this.#byUrn.get(urn);
    if (known) this.#byType.get(known.kind.type)?.delete(urn);
    this.#byUrn.delete(urn);
  }

  #unlink(urn: string): void {
    const known = this.#byUrn.get(urn);
    if (!known) return;
    if (known.id !== undefined) this.#byId.get(known.id)?.delete(urn);
    this.#places.get(known.kind.type)?.remove(urn, known.inputs);
  }

  get(urn: string): Member | undefined {
    return this.#byUrn.get(urn);
  }

  get size(): number {
    return this.#byUrn.size;
  }

  get all(): readonly Member[] {
    return [...this.#byUrn.values()];
  }

  of(type: string): readonly Member[] {
    return [...(this.#byType.get(type)?.values() ?? [])];
  }

  withId(id: string): readonly Member[] {
    return this.#inOrder(this.#byId.get(id) ?? new Set(), this.#byUrn);
  }

  /** The others of its kind that may meet a member. */
  near({ kind, urn, inputs }: Member): readonly Member[] {
    const ofType = this.#byType.get(kind.type) ?? new Map<string, Member>();
    let places = this.#places.get(kind.type);
    if (!places) {
      places = new MeetingPlaces(kind);
      for (const other of ofType.values()) places.add(other.urn, other.inputs);
      this.#places.set(kind.type, places);
    }
    const near = new Set(places.near(inputs));
    near.delete(urn);
    return this.#inOrder(near, ofType);
  }

  #inOrder(urns: ReadonlySet<string>, all: ReadonlyMap<string, Member>): readonly Member[] {
    // Nearly always there is one, at most: that needs no order.
    if (urns.size > 1) return [...all.values()].filter(({ urn }) => urns.has(urn));
    return [...urns].flatMap((urn) => all.get(urn) ?? []);
  }
}
