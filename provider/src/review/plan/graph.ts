import type { Cause } from "../report.ts";
import { calledByUrn, calledOf, type Subject } from "./subject.ts";

/** What stands on what, and what comes from what. */
export class Graph {
  readonly #byUrn: ReadonlyMap<string, Subject>;
  readonly #dependents = new Map<string, Subject[]>();
  readonly #causes = new Map<string, readonly Cause[]>();

  constructor(subjects: readonly Subject[]) {
    this.#byUrn = new Map(subjects.map((subject) => [subject.urn, subject]));
    for (const subject of subjects)
      for (const urn of new Set(dependenciesOf(subject))) this.#dependents.set(urn, [...(this.#dependents.get(urn) ?? []), subject]);
  }

  find(urn: string): Subject | undefined {
    return this.#byUrn.get(urn);
  }

  /** A resource as people call it, known here or not. */
  called(urn: string): string {
    const found = this.#byUrn.get(urn);
    return found ? calledOf(found) : calledByUrn(urn);
  }

  /** Everything that stands on a resource, directly or not, the nearest first. */
  above(urn: string): Subject[] {
    const found = new Map<string, Subject>();
    const waiting = [urn];
    for (const next of waiting)
      for (const subject of this.#dependents.get(next) ?? [])
        if (subject.urn !== urn && !found.has(subject.urn)) {
          found.set(subject.urn, subject);
          waiting.push(subject.urn);
        }
    return [...found.values()];
  }

  directlyBelow(subject: Subject): Subject[] {
    return [...new Set(dependenciesOf(subject))].flatMap((urn) => this.#byUrn.get(urn) ?? []);
  }

  /** What a change comes from in the end: inputs that were changed in the program, or things that were taken out of it. */
  causesOf(subject: Subject): readonly Cause[] {
    const known = this.#causes.get(subject.urn);
    if (known) return known;
    const own = (property?: string): Cause => ({
      urn: subject.urn,
      called: calledOf(subject),
      ...(property === undefined ? {} : { property }),
    });
    // A circle would be the engine's mistake, and must not be ours.
    this.#causes.set(subject.urn, [own()]);
    const found = this.#found(subject, own);
    this.#causes.set(subject.urn, found);
    return found;
  }

  #found(subject: Subject, own: (property?: string) => Cause): readonly Cause[] {
    if (subject.operation === "delete") {
      const deeper = this.directlyBelow(subject).filter(({ operation }) => operation === "delete");
      return deeper.length === 0 ? [own()] : distinct(deeper.flatMap((one) => this.causesOf(one)));
    }
    if (subject.operation === "replace") {
      const deeper = subject.replaceKeys.flatMap((key) => this.#gone(subject.propertyDependencies[key] ?? []));
      if (deeper.length > 0) return distinct(deeper.flatMap((one) => this.causesOf(one)));
      return subject.replaceKeys.length === 0 ? [own()] : subject.replaceKeys.map(own);
    }
    if (subject.operation !== "update") return [own()];
    const changed = [...new Set(subject.paths.map(topOf))];
    const mine = changed.filter((key) => this.#gone(subject.propertyDependencies[key] ?? []).length === 0);
    const deeper = changed.flatMap((key) => this.#gone(subject.propertyDependencies[key] ?? []).flatMap((one) => this.causesOf(one)));
    return distinct([...mine.map(own), ...deeper]);
  }

  #gone(urns: readonly string[]): Subject[] {
    return urns.flatMap((urn) => {
      const found = this.#byUrn.get(urn);
      return found && (found.operation === "replace" || found.operation === "create") ? [found] : [];
    });
  }
}

function dependenciesOf({ dependencies, propertyDependencies }: Subject): string[] {
  return [...dependencies, ...Object.values(propertyDependencies).flat()];
}

/** The input that a path is in. */
export function topOf(path: string): string {
  return /^[^.[]+/.exec(path)?.[0] ?? path;
}

function distinct(causes: readonly Cause[]): Cause[] {
  return [...new Map(causes.map((cause) => [`${cause.urn} ${cause.property ?? ""}`, cause])).values()];
}
