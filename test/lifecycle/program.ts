import type { Props } from "../support/structs.ts";

/** A value that another resource tells: an output, an input, or what is made of it. */
export class Told {
  readonly of: string;
  readonly property: string;
  readonly #made: (value: unknown) => unknown;

  constructor(of: string, property: string, made: (value: unknown) => unknown = (value) => value) {
    this.of = of;
    this.property = property;
    this.#made = made;
  }

  in(outputs: Props): unknown {
    return this.#made(outputs[this.property]);
  }
}

/** A resource as a program declares it. */
export interface Part {
  readonly type: string;
  readonly name: string;
  /** Its inputs. Some may be told by parts that stand before it. */
  readonly args: Props;
  /** Other parts, as `Vpc main`, that it has to come after. */
  readonly dependsOn?: readonly string[];
  /** Names that it had before. */
  readonly aliases?: readonly string[];
  readonly protect?: boolean;
  /** The id of what exists already and is taken over. */
  readonly import?: string;
}

/** Parts, each after those it needs. */
export type Program = readonly Part[];

/** A resource as tests call it: `Vpc main`. */
export function called({ type, name }: Pick<Part, "type" | "name">): string {
  return `${type} ${name}`;
}

/** Arguments with what others tell of themselves. */
export function resolved(value: unknown, outputsOf: (part: string) => Props): unknown {
  if (value instanceof Told) return value.in(outputsOf(value.of));
  if (Array.isArray(value)) return value.map((one) => resolved(one, outputsOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, outputsOf)]));
}

/** The parts that a value is told by. */
export function tellersOf(value: unknown): readonly string[] {
  if (value instanceof Told) return [value.of];
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(tellersOf))];
}
