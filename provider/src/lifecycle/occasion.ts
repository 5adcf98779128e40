import type { Props } from "../schema/values.ts";

/** The operation that a reconciliation is part of. */
export interface Occasion {
  readonly fresh: boolean;
  /** Whether it was created just now. */
  readonly isNew?: boolean;
  readonly renew: boolean;
  readonly doing: string;
  /** The old outputs of an update. */
  readonly olds?: Props;
  /** Whether the resource is imported or renamed, so that its owner tag has to be written. */
  readonly taken?: boolean;
  /** The error of a creation that created the resource all the same. The resource is then only saved as it is. */
  readonly failure?: Error | undefined;
}
