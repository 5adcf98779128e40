/**
 * The engine ends a provider with SIGINT when it has saved everything, and Node would exit at once. This does the work first. An engine
 * that is killed sends no signal.
 */
export function beforeTheEnd(work: () => Promise<void>): void {
  process.once("SIGINT", () => {
    void work().finally(() => process.exit());
  });
}
