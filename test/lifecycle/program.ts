import { carve } from "@container-platform/pulumi";
import type { Props } from "../support/structs.ts";

/** A part of a range: the index-th of so many bits. */
interface Carved {
  readonly bits: number;
  readonly index: number;
}

/** A value that another resource tells: an output, an input, or a part of a range that one of them is. */
export class Told {
  readonly of: string;
  readonly property: string;
  readonly carved: Carved | undefined;

  constructor(of: string, property: string, carved?: Carved) {
    this.of = of;
    this.property = property;
    this.carved = carved;
  }

  in(outputs: Props): unknown {
    const value = outputs[this.property];
    return this.carved ? carve(String(value), this.carved.bits, this.carved.index) : value;
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
