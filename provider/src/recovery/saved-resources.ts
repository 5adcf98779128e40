import type { Home } from "../schema/private-state.ts";
import type { Props } from "../schema/values.ts";

/** A resource as the engine has saved it. */
export interface SavedResource {
  /** Under which this provider knows it, whatever the shell. */
  readonly urn: string;
  /** Under which the engine has it. */
  readonly savedAs: string;
  /** The type that the engine has for it. */
  readonly token: string;
  /** The kind's name. */
  readonly type: string;
  readonly id: string;
  readonly home: Home | undefined;
  /** The name of its `Provider`; `undefined` for the stack's own. */
  readonly provider: string | undefined;
  /** Whether it stays on the platform when it leaves the program. */
  readonly isRetained: boolean;
  /** Whether the engine has deleted it, and is going to make another one in its stead. */
  readonly isToBeRemade: boolean;
}

/**
 * A creation of which the engine has saved the beginning, and not the end: it is under way, or its run was killed. It stays in the state
 * when a later run has made the resource.
 */
export interface BegunCreation {
  readonly urn: string;
  /** The type that the engine has for it: each shell has its own. */
  readonly token: string;
  readonly inputs: Props;
  /** Whether it is to stay on the platform when it leaves the program. */
  readonly isRetained: boolean;
  /** Whether a later run of this user is known to have made the resource, so that it proves nothing any more. */
  readonly isSettled?: boolean;
}

/** What the engine has saved of a stack. */
export interface SavedStack {
  /** The URN of anything in it; `undefined` if it is empty. */
  readonly urn: string | undefined;
  readonly resources: readonly SavedResource[];
  readonly begun: readonly BegunCreation[];
  /** How many providers it has: each is a process of its own. */
  readonly providers: number;
}

/** A stack of the engine's backend. */
export interface ListedStack {
  readonly project: string;
  readonly stack: string;
  /** What is saved of it. */
  readonly read: () => Promise<SavedStack>;
}

/** All stacks of the backend that the engine works with. */
export type ListStacks = () => Promise<readonly ListedStack[]>;

/** What the engine has saved of the stack of a resource, given by its URN; `undefined` if that cannot be told. */
export type ReadSaved = (urn: string) => Promise<SavedStack | undefined>;
