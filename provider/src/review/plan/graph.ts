import type { Cause } from "../report.ts";
import { displayNameOf, displayNameOfUrn } from "./names.ts";
import type { Subject } from "./subject.ts";

/** The dependencies between the resources of a plan, and the causes of their changes. */
export class Graph {
  readonly #byUrn: ReadonlyMap<string, Subject>;
  readonly #dependencies = new Map<Subject, readonly Subject[]>();
  readonly #dependents: ReadonlyMap<string, Subject[]>;
  readonly #causes = new Map<string, readonly Cause[]>();

  constructor(subjects: readonly Subject[]) {
    // The old copy of an interrupted replacement has the same URN, and is not what others depend on.
    const live = subjects.toSorted((one, other) => Number(other.operation === "delete") - Number(one.operation === "delete"));
    this.#byUrn = new Map(live.map((subject) => [subject.urn, subject]));
    this.#dependents = new Map(subjects.map(({ urn }) => [urn, []]));
    for (const subject of subjects) {
      const urns = [...new Set([...subject.dependencies, ...Object.values(subject.propertyDependencies).flat()])];
      const found = urns.flatMap((urn) => this.#byUrn.get(urn) ?? []);
      this.#dependencies.set(subject, found);
      for (const { urn } of found) this.#dependents.get(urn)?.push(subject);
    }
  }

  find(urn: string): Subject | undefined {
    return this.#byUrn.get(urn);
  }

  /** The display name of a resource, also of one that is not in the plan. */
  displayName(urn: string): string {
    const found = this.#byUrn.get(urn);
    return found ? displayNameOf(found) : displayNameOfUrn(urn);
  }

  /** All direct and indirect dependents of a resource, the nearest first. */
  dependentsOf(urn: string): Subject[] {
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

  dependenciesOf(subject: Subject): readonly Subject[] {
    return this.#dependencies.get(subject) ?? [];
  }

  /** The causes of a change: inputs that were changed in the program, or resources that were taken out of it. */
  causesOf(subject: Subject): readonly Cause[] {
    const known = this.#causes.get(subject.urn);
    if (known) return known;
    const own = (property?: string): Cause => ({
      urn: subject.urn,
      called: displayNameOf(subject),
      ...(property === undefined ? {} : { property }),
    });
    // So that a cycle, which would be a mistake of the engine, does not end in an endless loop.
    this.#causes.set(subject.urn, [own()]);
    const found = this.#found(subject, own);
    this.#causes.set(subject.urn, found);
    return found;
  }

  #found(subject: Subject, own: (property?: string) => Cause): readonly Cause[] {
    if (subject.operation === "delete") {
      const deeper = this.dependenciesOf(subject).filter(({ operation }) => operation === "delete");
      return deeper.length === 0 ? [own()] : distinct(deeper.flatMap((one) => this.causesOf(one)));
    }
    if (subject.operation === "replace") {
      const deeper = subject.replaceKeys.flatMap((key) => this.#newOnes(subject.propertyDependencies[key] ?? []));
      if (deeper.length > 0) return distinct(deeper.flatMap((one) => this.causesOf(one)));
      return subject.replaceKeys.length === 0 ? [own()] : subject.replaceKeys.map(own);
    }
    if (subject.operation !== "update") return [own()];
    const changed = [...new Set(subject.paths.map(topOf))];
    const ownChanges = changed.filter((key) => this.#newOnes(subject.propertyDependencies[key] ?? []).length === 0);
    const deeper = changed.flatMap((key) => this.#newOnes(subject.propertyDependencies[key] ?? []).flatMap((one) => this.causesOf(one)));
    return distinct([...ownChanges.map(own), ...deeper]);
  }

  /** Those of the resources that are replaced or created, so that their ids change. */
  #newOnes(urns: readonly string[]): Subject[] {
    return urns.flatMap((urn) => {
      const found = this.#byUrn.get(urn);
      return found && (found.operation === "replace" || found.operation === "create") ? [found] : [];
    });
  }
}

/**
 * How long the longest chain of dependencies is that ends with something, its own length included. A cycle, which would be a mistake of the
 * engine, ends where it began.
 */
export function chainsBy<Of>(dependenciesOf: (one: Of) => readonly Of[], lengthOf: (one: Of) => number): (one: Of) => number {
  const known = new Map<Of, number>();
  return function chainTo(one): number {
    const found = known.get(one);
    if (found !== undefined) return found;
    known.set(one, 0);
    const length = Math.max(0, ...dependenciesOf(one).map(chainTo)) + lengthOf(one);
    known.set(one, length);
    return length;
  };
}

/** The input that a path begins with. */
export function topOf(path: string): string {
  return /^[^.[]+/.exec(path)?.[0] ?? path;
}

function distinct(causes: readonly Cause[]): Cause[] {
  return [...new Map(causes.map((cause) => [`${cause.urn} ${cause.property ?? ""}`, cause])).values()];
}
