import type { Kind } from "../definition/definition.ts";
import type { ProgramGraph } from "../program/program-graph.ts";
import type { InState } from "./in-state.ts";
import type { PendingResources } from "./pending.ts";
import type { StateReader } from "./state.ts";

/** The parts of an update that ownership uses. */
export interface Session {
  /** Loads all types of resources, dependencies first. */
  readonly kinds: () => Promise<readonly Kind[]>;
  /** The type of a resource in the state. */
  readonly tokenOf: (type: string) => string;
  readonly state: StateReader;
  readonly pending: PendingResources;
  readonly inState: InState;
  readonly graph: ProgramGraph;
}

/** A resource at hand, and the update. */
export interface Subject<S extends Session = Session> {
  readonly kind: Kind;
  /** The URN in the state, now or later. */
  readonly urn: string;
  /** Endpoint, region and account. */
  readonly target: readonly string[];
  readonly session: S;
}
