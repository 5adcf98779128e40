import { meetingWithEarlier } from "../../../lifecycle/program/neighbours/sole.ts";
import type { Definition } from "../../plan/definition.ts";
import { definitions } from "../../plan/definitions.ts";
import type { Plan, PlannedStep } from "../../plan/plan.ts";
import { displayNameOf, type Subject } from "../../plan/subject.ts";
import { type Fields, isText, Unknown, type Value } from "../../plan/values.ts";
import type { Reason } from "../../verdict.ts";
import { aliasLine } from "../renames.ts";

/** A resource that is there at some point of the run. */
interface Present {
  readonly subject: Subject;
  readonly inputs: Fields;
  /** Whether the run has made it. */
  readonly isNew: boolean;
}

/**
 * The steps of a plan, carried out one after the other on what the state has: what one of them makes must not meet, in a name or in
 * addresses that only one resource can have, what is still there then. Values that are known only after apply are left out.
 */
export function failingSteps({ subjects, steps }: Plan, renames: ReadonlyMap<string, Subject>): readonly Reason[] {
  // The order decides, and without its steps a replacement has none.
  if (subjects.some(({ operation, deletesFirst }) => operation === "replace" && deletesFirst === undefined)) return [];
  const byUrn = new Map(subjects.map((subject) => [subject.urn, subject]));
  const present = new PresentOnes();
  for (const subject of subjects) if (subject.before) present.add({ subject, inputs: subject.before, isNew: false });
  const failing: Reason[] = [];
  for (const [index, { urn, does }] of steps.entries()) {
    const subject = byUrn.get(urn);
    if (!subject?.kind) continue;
    // What is retained, or left to another's deletion, leaves the state only.
    if (does === "update" || (does === "delete" && !subject.retained && subject.leftWith === undefined)) present.remove(subject);
    if (does === "delete") continue;
    const own: Present = { subject, inputs: subject.inputs, isNew: true };
    const obstacle = does === "adopt" ? undefined : obstacleTo(own, present.near(own));
    if (obstacle) failing.push(reasonOf(own, obstacle, { steps, index, renamed: renames.get(urn) }));
    present.add(own);
  }
  return failing;
}

/** What is there, by what could meet: the same kind in the same place, or under the same name or id. */
class PresentOnes {
  readonly #byKey = new Map<string, Set<Present>>();
  readonly #old = new Map<Subject, Present>();

  add(one: Present): void {
    if (!one.isNew) this.#old.set(one.subject, one);
    for (const key of keysOf(one)) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(one));
  }

  /** Removes what the run has found of a resource; what it has made stays. */
  remove(subject: Subject): void {
    const old = this.#old.get(subject);
    for (const key of old ? keysOf(old) : []) if (old) this.#byKey.get(key)?.delete(old);
  }

  near(one: Present): readonly Present[] {
    return [...new Set(keysOf(one).flatMap((key) => [...(this.#byKey.get(key) ?? [])]))];
  }
}

function keysOf({ subject: { kind, region }, inputs }: Present): readonly string[] {
  const definition: Definition | undefined = kind && definitions[kind];
  const { sole = [], idInputs = [] } = definition ?? {};
  const places = sole.map(({ as, by, in: place }) => [place, ...(as === "name" ? [by] : [])].filter((key) => key !== undefined));
  return [...places, ...(idInputs.length > 0 ? [idInputs] : [])].flatMap((keys) => {
    const values = keys.map((key) => placeOf(inputs[key]));
    return values.every((value) => value !== undefined) ? [JSON.stringify([kind, region, keys, values])] : [];
  });
}

interface Obstacle {
  readonly other: Present;
  readonly property: string;
  readonly meets: string;
}

function obstacleTo({ subject, inputs }: Present, present: readonly Present[]): Obstacle | undefined {
  const definition: Definition | undefined = subject.kind && definitions[subject.kind];
  if (!definition) return undefined;
  const { sole = [], idInputs = [] } = definition;
  for (const other of present) {
    if (other.subject.kind !== subject.kind || other.subject.region !== subject.region) continue;
    if (idInputs.length > 0 && idInputs.every((key) => isSamePlace(inputs, other.inputs, key)))
      return { other, property: idInputs.at(-1) ?? "", meets: `${idInputs.join(" and ")} are the same` };
    const meeting = meetingWithEarlier({ sole }, inputs, other.inputs, (place) => isSamePlace(inputs, other.inputs, place));
    if (!meeting) continue;
    const { as, by, value, otherBy, otherValue } = meeting;
    return { other, property: by, meets: as === "name" ? `${by} of both is ${value}` : `${by} ${value} overlaps ${otherBy} ${otherValue}` };
  }
  return undefined;
}

/** Whether an input has one and the same value: a known one, or one that comes from the same new resource. */
function isSamePlace(one: Fields, other: Fields, key: string): boolean {
  const place = placeOf(one[key]);
  return place !== undefined && place === placeOf(other[key]);
}

function placeOf(value: Value | undefined): string | undefined {
  if (value instanceof Unknown) return value.from.length === 0 ? undefined : `from ${value.from.join(" ")}`;
  return isText(value) ? `the value ${value}` : undefined;
}

function reasonOf(
  { subject }: Present,
  { other, property, meets }: Obstacle,
  { steps, index, renamed }: { readonly steps: readonly PlannedStep[]; readonly index: number; readonly renamed: Subject | undefined },
): Reason {
  const called = displayNameOf(subject);
  const itself = other.subject === subject;
  const gone = other.isNew ? -1 : steps.findIndex(({ urn, does }, at) => at > index && does === "delete" && urn === other.subject.urn);
  const there = itself ? "the old one" : displayNameOf(other.subject);
  const later = gone < 0 ? "" : `, which is deleted only in step ${gone + 1}`;
  const remedy = itself
    ? ". Add deleteBeforeReplace: true to its options"
    : renamed === other.subject
      ? `. If it is that one under another name, add ${aliasLine(renamed)} to its options`
      : gone < 0
        ? ""
        : ". Take the old one out in a run of its own first";
  return {
    code: "collides",
    verdict: "blocked",
    urn: subject.urn,
    called,
    property,
    sentence: `step ${index + 1} fails: it cannot be made beside ${there}${later}: ${meets}${remedy}`,
  };
}
