import type { Cloud } from "@container-platform/sdk";
import type { Faults, Snapshot } from "@container-platform/sdk/local";
import type { Program } from "./program.ts";
import type { Entry } from "./state.ts";

/** A moment of a stack: what is on the platform, and what the state says of it. */
export interface Moment {
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
  readonly deeds: readonly string[];
  readonly calls: readonly Call[];
  readonly failure: string | undefined;
}

/** What a state says of a thing. */
export type Named = Pick<Entry, "type" | "name" | "id" | "fate">;

/** A platform and a stack on it, that can be taken back to a moment as often as one likes. */
export interface Ground extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly faults: Faults;
  moment(): Promise<Moment>;
  /** As it was then, with a provider that remembers nothing. */
  goTo(moment: Moment): Promise<void>;
  /** The provider of the last run has ended, and the next one remembers nothing. The calls that it made at its end. */
  anew(): Promise<readonly Call[]>;
  up(program: Program, options?: { readonly refresh?: boolean }): Promise<RunOutcome>;
  refresh(): Promise<RunOutcome>;
  destroy(): Promise<RunOutcome>;
  named(): Promise<readonly Named[]>;
  world(): Promise<Snapshot>;
  contents(): Promise<Readonly<Record<string, number>>>;
  /** Whether anything secret was told without a mark, or is in the state in clear. */
  tellsSecrets(): Promise<boolean>;
  /** What the provider printed, which is nothing. */
  readonly printed: readonly string[];
}
