/**
 * The engine ends a provider with SIGINT, once it has saved everything, and Node would end the process at once. From now on, the work
 * is done before. An engine that is killed sends no signal.
 */
export function beforeTheEnd(work: () => Promise<void>): void {
  process.once("SIGINT", () => {
    void work().finally(() => process.exit());
  });
}
