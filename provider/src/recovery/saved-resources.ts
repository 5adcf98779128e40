import type { Home } from "../lifecycle/private-state.ts";

/** A resource as the engine has saved it. */
export interface SavedResource {
  readonly urn: string;
  /** The kind's name. */
  readonly type: string;
  readonly id: string;
  readonly home: Home | undefined;
}

/** What the engine has saved of the stack of a resource, given by its URN; `undefined` if that cannot be told. */
export type ReadSaved = (urn: string) => Promise<readonly SavedResource[] | undefined>;
