/** What the platform says of a resource, to whoever waits for it. `readinessOf` tells what its state means. */
export interface Status<State extends string = string> {
  readonly state: State;
  /** Why it is in this state, in the platform's words. */
  readonly reason?: string | undefined;
  /** The platform's id of the call that told it. */
  readonly requestId?: string | undefined;
  /** What it lacks, although its state is a ready one. */
  readonly lacking?: string | undefined;
  /** What it will never have unless somebody helps, although its state is a ready one. */
  readonly hopeless?: string | undefined;
}
