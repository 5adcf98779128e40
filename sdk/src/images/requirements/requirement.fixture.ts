import type { Stage } from "../stage.fixture.ts";

/** A requirement of the distribution specification, and what shows that it holds. Each has a repository to itself. */
export interface Requirement {
  /** The requirement, in a sentence. */
  readonly says: string;
  readonly prove: (stage: Stage, repository: string) => Promise<void>;
}
