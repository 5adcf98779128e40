import type { Cloud } from "@container-platform/sdk";
import type { Faults, Snapshot } from "@container-platform/sdk/local";
import type { Program } from "./program.ts";
import type { Kill } from "./simulated-engine.ts";
import type { Entry } from "./state.ts";

/** A stack at one moment: its platform and its state. */
export interface Checkpoint {
  readonly world: Snapshot;
  readonly state: string;
}

export interface Call {
  readonly action: string;
  readonly effect: "read" | "write";
  readonly code: string;
}

/** What became of one run. */
export interface RunOutcome {
  /** What it did to which resource, in order: `create Vpc main`. */
  readonly operations: readonly string[];
  readonly calls: readonly Call[];
  readonly failure: string | undefined;
  readonly warnings: readonly string[];
  readonly errors: readonly { readonly of: string; readonly message: string }[];
}

export interface UpOptions {
  readonly refresh?: boolean;
  /** A preview: nothing is created, changed or deleted. */
  readonly isPreview?: boolean;
  /** The resources that are replaced by force, such as `Vpc main`. */
  readonly forced?: readonly string[];
  /** What is killed in the run. */
  readonly kill?: Kill;
}

/** A resource as the state has it. */
export type EntrySummary = Pick<Entry, "type" | "name" | "id" | "status">;

/** A stack on a platform of its own. It can go back to a checkpoint as often as needed. */
export interface ResettableStack extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly faults: Faults;
  checkpoint(): Promise<Checkpoint>;
  /** World and state are as they were. The provider remembers nothing. */
  goBackTo(checkpoint: Checkpoint): Promise<void>;
  /** Ends the provider of the last run, and starts another. Answers the calls that the first one made at its end. */
  restartProvider(): Promise<readonly Call[]>;
  up(program: Program, options?: UpOptions): Promise<RunOutcome>;
  refresh(): Promise<RunOutcome>;
  destroy(): Promise<RunOutcome>;
  entries(): Promise<readonly EntrySummary[]>;
  /** What `pulumi stack export` shows. */
  exported(): Promise<string>;
  world(): Promise<Snapshot>;
  contents(): Promise<Readonly<Record<string, number>>>;
  /** Whether a secret was answered without being marked as one, or is in clear in the state. */
  leaksSecrets(): Promise<boolean>;
}
