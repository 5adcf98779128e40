import { severities } from "../../support/host.ts";
import type { Stage } from "./stage.ts";

/** The runs of a stage, one after another: the provider ends, as the engine ends it, and is started again. */
export function runsOf({ host }: Stage) {
  return {
    /** The warnings of the run from its beginning, once it has ended. */
    saidAtEnd: async (): Promise<readonly string[]> => {
      await host.restart("SIGINT");
      return host.lines.filter(({ severity }) => severity === severities.warning).map(({ message }) => message);
    },
    /** Begins the next run, of which nothing has been said yet. */
    nextRun: async (): Promise<void> => {
      await host.restart("SIGINT");
      host.lines.splice(0);
    },
  };
}
