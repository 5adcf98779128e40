import { cidrSubnet } from "@container-platform/pulumi";
import { type Props, unknown } from "../support/structs.ts";

/** A part of a range: the one with this index, with a prefix of so many bits. */
interface Part {
  readonly bits: number;
  readonly index: number;
}

/** A property of another resource: an output, an input, or a part of the range that it holds. */
export class Reference {
  readonly of: string;
  readonly property: string;
  readonly part: Part | undefined;

  constructor(of: string, property: string, part?: Part) {
    this.of = of;
    this.property = property;
    this.part = part;
  }

  valueIn(outputs: Props): unknown {
    const value = outputs[this.property];
    // A preview does not know it.
    if (value === unknown) return unknown;
    return this.part ? cidrSubnet(String(value), this.part.bits, this.part.index) : value;
  }
}

export interface Declaration {
  readonly type: string;
  readonly name: string;
  /** Its inputs. Some may refer to resources that are declared before it. */
  readonly args: Props;
  /** Other resources, such as `Vpc main`, that it has to come after. */
  readonly dependsOn?: readonly string[];
  /** Names that it had before. */
  readonly aliases?: readonly string[];
  readonly protect?: boolean;
  /** The option `retainOnDelete`. */
  readonly retain?: boolean;
  /** The option `deleteBeforeReplace`. */
  readonly first?: boolean;
  /** The id of an existing resource that is imported. */
  readonly import?: string;
  /** The options `deletedWith` and `replaceWith`, with another resource: the simulated engine has neither. */
  readonly deletedWith?: string;
  readonly replaceWith?: string;
}

/** Resources, each after those that it needs. */
export type Program = readonly Declaration[];

/** A resource as tests call it: `Vpc main`. */
export function called({ type, name }: Pick<Declaration, "type" | "name">): string {
  return `${type} ${name}`;
}

/** The URN of a resource of a test's stack, such as `Vpc main`. */
export function urnOf(name: string): string {
  const [type = "", ...words] = name.split(" ");
  return `urn:pulumi:test::throw-away::pulumi-nodejs:dynamic/container-platform:${type}::${words.join(" ")}`;
}

/** Inputs, with the values that they refer to. */
export function resolved(value: unknown, outputsOf: (resource: string) => Props): unknown {
  if (value instanceof Reference) return value.valueIn(outputsOf(value.of));
  if (Array.isArray(value)) return value.map((one) => resolved(one, outputsOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, outputsOf)]));
}

/** The resources that a value refers to. */
export function sourcesOf(value: unknown): readonly string[] {
  if (value instanceof Reference) return [value.of];
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(sourcesOf))];
}
