import type { Kind } from "../../../definition/definition.ts";
import type { Props } from "../../../schema/values.ts";
import { rangeIn, textIn } from "./sole.ts";

/** By what it is found: the URNs of the resources that have it. */
type Found = Map<string | bigint, Set<string>>;

/**
 * Finds the resources of one kind that may have what only one can have, without holding each against all others: a program may have
 * thousands. What is found may meet; what is not found does not.
 */
export class MeetingPlaces {
  /** The inputs that are held against each other. */
  readonly #keys: readonly { readonly key: string; readonly isRange: boolean }[];
  readonly #names: Found = new Map();
  /** By the family and the fixed bits of a range, by its first address. */
  readonly #ranges = new Map<string, Found>();

  constructor({ sole = [] }: Pick<Kind, "sole">) {
    const named = new Map(sole.flatMap(({ as, by, meets = by }) => [by, meets].map((key) => [key, as === "range"])));
    this.#keys = [...named].map(([key, isRange]) => ({ key, isRange }));
  }

  add(urn: string, inputs: Props): void {
    for (const [found, at] of this.#placesOf(inputs)) found.set(at, (found.get(at) ?? new Set()).add(urn));
  }

  remove(urn: string, inputs: Props): void {
    for (const [found, at] of this.#placesOf(inputs)) {
      const urns = found.get(at);
      urns?.delete(urn);
      if (urns?.size === 0) found.delete(at);
    }
  }

  /** The resources that may meet one with these inputs. */
  near(inputs: Props): ReadonlySet<string> {
    const near = new Set<string>();
    for (const { key, isRange } of this.#keys) {
      const name = isRange ? undefined : textIn(inputs, key);
      const urns = isRange ? this.#overlapping(inputs, key) : name === undefined ? undefined : this.#names.get(name);
      for (const urn of urns ?? []) near.add(urn);
    }
    return near;
  }

  /** Ranges overlap only where one holds the other: one that holds it begins where its own first bits say. */
  *#overlapping(inputs: Props, key: string): Iterable<string> {
    const range = rangeIn(inputs, key);
    if (!range) return;
    for (const [form, found] of this.#ranges) {
      const [family, prefix] = form.split("/").map(Number);
      if (family !== range.family || prefix === undefined) continue;
      const free = BigInt(bits[range.family] - prefix);
      if (prefix <= range.prefix) yield* found.get((range.first >> free) << free) ?? [];
      else for (const [first, urns] of found) if (typeof first === "bigint" && range.first <= first && first <= range.last) yield* urns;
    }
  }

  *#placesOf(inputs: Props): Iterable<readonly [Found, string | bigint]> {
    for (const { key, isRange } of this.#keys) {
      const name = isRange ? undefined : textIn(inputs, key);
      if (name !== undefined) yield [this.#names, name];
      const range = isRange ? rangeIn(inputs, key) : undefined;
      if (range) yield [this.#rangesOf(`${range.family}/${range.prefix}`), range.first];
    }
  }

  #rangesOf(form: string): Found {
    const found = this.#ranges.get(form) ?? new Map<string | bigint, Set<string>>();
    this.#ranges.set(form, found);
    return found;
  }
}

const bits = { 4: 32, 6: 128 } as const;
