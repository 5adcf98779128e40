import type { Kind } from "../../../definition/definition.ts";
import type { Props } from "../../../schema/values.ts";

/** A resource of the program, as far as this run has seen it. */
export interface Member {
  readonly kind: Kind;
  readonly urn: string;
  readonly inputs: Props;
  /** By input: the URN of the resource that it takes its value from. */
  readonly of: Readonly<Record<string, string>>;
  /** The URNs that the program names in `dependsOn`; of a kind that needs others, all that it waits for. */
  readonly after: readonly string[];
  /** The option `deleteBeforeReplace`, if the program sets it. */
  readonly first: boolean | undefined;
  /** The option `retainOnDelete`. */
  readonly isRetained: boolean;
  /** Whether it is new, or has another place or something else that is `sole` than before. */
  readonly isMoved: boolean;
  /** Whether it is to import what is there. */
  readonly isImported: boolean;
  /** Its id in the state, or the one that it was given. */
  readonly id?: string;
  /** Whether its old self is deleted before it is made anew, or after all that is new was made. */
  readonly leaves?: "first" | "last" | undefined;
  /** Whether its new self and its old one cannot stand beside each other. */
  readonly meetsItself?: boolean;
}

/** Whether a member waits for another one, as far as can be told: the empty text stands for what cannot. */
export function mayFollow({ after }: Member, { urn }: Pick<Member, "urn">): boolean {
  return after.includes(urn) || after.includes("");
}
