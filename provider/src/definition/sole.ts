import type { Cloud } from "@container-platform/sdk";

/** What only one resource at a time can have: a name, or addresses. */
export interface Sole<Inputs> {
  /** The input that holds it. */
  readonly by: keyof Inputs & string;
  /** Two names meet where they are equal, two ranges where they overlap. */
  readonly as: "name" | "range";
  /** The input of the other resource that it must not meet, if it is not the same one. */
  readonly meets?: keyof Inputs & string;
  /** The input with the id of what both are in. Default: the region. */
  readonly in?: keyof Inputs & string;
  /** Asks whether nobody has it, where that is more than the region's list tells. */
  readonly isFree?: (cloud: Cloud, value: string) => Promise<boolean>;
}

export type AnySole = Sole<Readonly<Record<string, unknown>>>;
