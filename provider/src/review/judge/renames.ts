import { definitions } from "../plan/definitions.ts";
import { effectOf } from "../plan/definition.ts";
import type { Subject } from "../plan/subject.ts";
import { alike, holdsUnknown } from "../plan/values.ts";

/** Of more deletions of one type, no renames are told: each would be compared with each creation. */
const most = 100;

/**
 * The resources that are deleted here and created there under another name or parent, by the URN of the new one: of one type, and with
 * the same inputs, but for some that can be changed in place. With an alias, they would stay.
 */
export function renamesIn(subjects: readonly Subject[]): ReadonlyMap<string, Subject> {
  const deleted = Map.groupBy(
    subjects.filter(({ operation }) => operation === "delete"),
    ({ type }) => type,
  );
  const found = new Map<string, Subject>();
  const taken = new Set<Subject>();
  for (const made of subjects.filter(({ operation }) => operation === "create")) {
    const ofType = deleted.get(made.type) ?? [];
    if (ofType.length > most) continue;
    const alikes = ofType.filter((old) => !taken.has(old) && couldBe(old, made));
    const [nearest] = alikes.toSorted((one, other) => differing(one, made).length - differing(other, made).length);
    if (!nearest) continue;
    taken.add(nearest);
    found.set(made.urn, nearest);
  }
  return found;
}

/** The option that gives a resource the place in the state that another name has. */
export function aliasLine({ urn }: Subject): string {
  return `aliases: ["${urn}"]`;
}

function couldBe(old: Subject, made: Subject): boolean {
  const { kind } = made;
  const changed = differing(old, made);
  if (kind === undefined) return changed.length === 0;
  return changed.every((key) => effectOf(definitions[kind], key) !== "replace") && changed.length <= Object.keys(made.inputs).length / 2;
}

/** The inputs that differ. One that is known only after apply may be the same. */
function differing({ before = {} }: Subject, { inputs }: Subject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(inputs)])].filter(
    (key) => !holdsUnknown(inputs[key]) && !alike(before[key], inputs[key]),
  );
}
