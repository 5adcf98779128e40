import type { Cloud } from "@container-platform/sdk";
import type { Props } from "../schema/values.ts";

/** What has to be there before a resource is made, although it does not name its id, such as a namespace by its name. */
export interface Need<Inputs> {
  /** The input that says which, such as `permissions.*.resource`: `*` stands for each of a list. */
  readonly by: string;
  /** The input with the id of what both are in. */
  readonly in: keyof Inputs & string;
  /** The kind that a program has of it, such as `Namespace`, and that kind's input with the place. Left out: it is the place itself. */
  readonly type: string;
  readonly within?: string;
  /** Whether a resource of the program serves, by its inputs, of which some may not be known. */
  readonly serves: (other: Props, value: unknown, region: string) => boolean;
  /** Whether the platform has it. `place`: the id of what it is in. */
  readonly isThere: (cloud: Cloud, place: string, value: unknown, inputs: Partial<Inputs>) => Promise<boolean>;
  /** The message about a missing one, with the remedy. `place`: as the user knows it. */
  readonly lacks: (place: string, value: unknown) => string;
}

export type AnyNeed = Need<Props>;
