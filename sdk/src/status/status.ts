/** What a waiter knows of a resource. `readinessOf` says what the state means. */
export interface Status<State extends string = string> {
  readonly state: State;
  /** Why it is in this state, in the platform's words. */
  readonly reason?: string | undefined;
  /** The platform's id of the call that answered the state. */
  readonly requestId?: string | undefined;
  /** Why it has taken longer than it may. */
  readonly overdue?: string | undefined;
  /** What is still missing although the state is ready. */
  readonly lacking?: string | undefined;
  /** Why what is missing will not come by itself. */
  readonly hopeless?: string | undefined;
}
