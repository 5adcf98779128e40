import type { KindName } from "../../provider/src/resources/reviews.ts";
import type { Props } from "../support/structs.ts";
import type { Reference } from "./program.ts";

/** What edits of a random program change: with another number, the inputs are others. */
export interface Settings {
  /** For inputs that change in place. */
  readonly version: number;
  /** For inputs whose change makes a new resource. No two resources of a sequence ever have the same. */
  readonly place: number;
  /** Whether a VPC has half of its range, which overlaps with the whole one. */
  readonly half: boolean;
}

/** Refers to a property of a resource that another one needs, by its role; `subnet.vpc` is the VPC that the subnet needs. */
type Refer = (role: string, property: string, part?: Reference["part"]) => Reference;

/** A kind, or another way to declare it: `Subnet`, `Subnet-dual`. */
export type TemplateName = KindName | `${KindName}-${string}`;

/** How a random program declares a kind of resource. */
export interface Template {
  readonly needs: Readonly<Record<string, TemplateName>>;
  /** The role of the resource that can have only one of these. */
  readonly onceFor?: string;
  /** Whether a change can also make a new one. */
  readonly replaces: boolean;
  /** Whether its range can be halved. */
  readonly halves?: true;
  readonly args: (settings: Settings, refer: Refer) => Props;
}

export function tagsOf(version: number): Props | undefined {
  return version % 3 === 0 ? undefined : { version: `${version}` };
}

export function nameOf(version: number): string | undefined {
  return version === 0 ? undefined : `version-${version}`;
}
