import { listed } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import { holdsUnknown, type Props } from "../../schema/values.ts";
import { privateStateOf } from "../private-state.ts";

/**
 * How a resource of the program stands for an id: it is to import it, or to be made under it, or it has it in the state and keeps it, or
 * loses it to a new one. Or it only reads it (`.get`), which goes together with any of these.
 */
type Standing = "imports" | "makes" | "keeps" | "leaves" | "reads";

interface Claim {
  readonly urn: string;
  /** The URN under which the resource is in the state: the one before it was renamed by an alias. */
  readonly before: string;
  readonly standing: Standing;
}

/**
 * Which resources of the program stand for which ids, as far as this run has seen. The engine checks and compares resources one after
 * another and in no fixed order, so a conflict shows at whichever of the two comes second. Resources with a `Provider` of their own are
 * in another process, and are not seen.
 */
export class Claims {
  readonly #checked = new Set<string>();
  readonly #claims = new Map<string, readonly Claim[]>();

  /** Notes what a checked resource is to import or to make. Returns why it cannot, one sentence each. */
  noteChecked(kind: Kind, olds: Props, inputs: Props): readonly string[] {
    const { __urn: urn, __adopt: imported } = privateStateOf(inputs);
    this.#checked.add(urn);
    const isNew = Object.keys(olds).length === 0;
    const id = isNew && imported !== undefined ? imported : idFrom(kind, inputs);
    if (id === undefined) return [];
    const known = this.#of(kind, id).find((one) => one.urn === urn);
    const standing = isNew && imported !== undefined ? "imports" : (known?.standing ?? "makes");
    return this.#note(kind, id, { urn, before: known?.before ?? urn, standing });
  }

  /**
   * Notes what a resource of the state holds. In a refresh, the engine compares resources that it has not checked: those tell nothing of
   * the program. Returns whether it is of the program.
   *
   * @throws Error if another resource stands for the same id
   */
  noteCompared(kind: Kind, id: string, olds: Props, news: Props, isReplaced: boolean): boolean {
    const { __urn: urn } = privateStateOf(news);
    if (!this.isChecked(urn)) return false;
    const standing = isReplaced ? "leaves" : "keeps";
    const [conflict] = this.#note(kind, id, { urn, before: privateStateOf(olds).__urn, standing });
    if (conflict !== undefined) throw new Error(conflict);
    return true;
  }

  /** Notes what the program reads. A refresh reads what is in the state, and tells nothing of the program: only there, the home is known. */
  noteRead(kind: Kind, id: string, props: Props): void {
    const { __urn: urn, __get: isRead, __home: home } = privateStateOf(props);
    if (isRead && home === undefined) this.#note(kind, id, { urn, before: urn, standing: "reads" });
  }

  /** Whether this run has checked a resource. Only then does the program speak: a refresh compares without it. */
  isChecked(urn: string): boolean {
    return this.#checked.has(urn);
  }

  /** Whether a resource of the program stands for an id. */
  isClaimed({ type, id }: { readonly type: string; readonly id: string }): boolean {
    return (this.#claims.get(`${type} ${id}`) ?? []).length > 0;
  }

  /** The other resource that this run has seen to keep an id, or one that reads it. */
  otherKeeper(kind: Kind, id: string, urn: string): string | undefined {
    const isOther = (one: Claim) => one.standing === "keeps" && one.urn !== urn && one.before !== urn;
    return this.#of(kind, id).find((one) => one.standing === "reads" || isOther(one))?.urn;
  }

  /** Notes that a resource does not stand for an id any more: it is deleted. */
  noteDeleted(kind: Kind, id: string, urn: string): void {
    const others = this.#of(kind, id).filter((one) => one.urn !== urn && one.before !== urn);
    this.#claims.set(keyOf(kind, id), others);
  }

  #note(kind: Kind, id: string, claim: Claim): readonly string[] {
    const others = this.#of(kind, id).filter(({ urn }) => urn !== claim.urn);
    this.#claims.set(keyOf(kind, id), [...others, claim]);
    return others.filter((other) => collide(claim.standing, other.standing)).map((other) => sentenceAbout(kind, id, [claim, other]));
  }

  #of(kind: Kind, id: string): readonly Claim[] {
    return this.#claims.get(keyOf(kind, id)) ?? [];
  }
}

/** A new one may be made under an id that the old one leaves, and all may be read. Nothing else goes together. */
function collide(one: Standing, other: Standing): boolean {
  if (one === "reads" || other === "reads") return false;
  return !(one === "leaves" && other === "makes") && !(one === "makes" && other === "leaves");
}

const keyOf = ({ type }: Kind, id: string): string => `${type} ${id}`;

/** The id that follows from the inputs, if it does and they are known. */
export function idFrom(kind: Kind, inputs: Props): string | undefined {
  const known = kind.id.names.every((key) => key in kind.inputs.shape && !holdsUnknown(inputs[key]));
  return known ? kind.id.of(inputs) : undefined;
}

function sentenceAbout(kind: Kind, id: string, claims: readonly Claim[]): string {
  const urns = claims.map(({ urn }) => urn).sort();
  const named = (urn: string): string => nameIn(urn, urns);
  const held = claims.find(({ standing }) => standing === "keeps" || standing === "leaves");
  const added = claims.find(({ standing }) => standing === "imports" || standing === "makes");
  const stays = added ? "" : ": what is there stays with the other";
  const remedies = [
    `Take one of the two out of the program${stays}`,
    ...(added?.standing === "makes" ? [`Or change ${listed(kind.id.names, "or")} of ${named(added.urn)}`] : []),
    ...(held && added
      ? [`If ${named(added.urn)} is another name for ${named(held.urn)}, write ${aliasOf(held.before)} into its options`]
      : []),
  ];
  return `${listed(urns.map(named))} of this program both stand for ${id}, and an id belongs to one resource. ${remedies.join(". ")}`;
}

/** The option that gives a resource the place in the state that another name has. */
export function aliasOf(urn: string): string {
  return `aliases: ["${urn}"]`;
}

/** A resource as its program calls it; with its URN where several have that name. */
export function nameIn(urn: string, all: readonly string[]): string {
  const name = nameOf(urn);
  return all.filter((other) => nameOf(other) === name).length > 1 ? urn : `"${name}"`;
}

export function nameOf(urn: string): string {
  return urn.split("::").at(-1) ?? urn;
}
