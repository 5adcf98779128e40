import { vi } from "vitest";
import { InitFailed } from "../../support/asking.ts";
import { codedOf } from "../../support/coded.ts";
import { severities } from "../../support/host.ts";
import type { Props } from "../../support/structs.ts";
import type { Stage } from "./stage.ts";

export const urnOf = (type: string, name: string) => `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;

/** Why some work fails. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "it did not fail",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** The same, of something that exists, but is not as desired. */
export async function initFailureOf(work: Promise<unknown>): Promise<InitFailed> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (error instanceof InitFailed) return error;
  throw error;
}

/** Does some work, during which the clock runs so much faster by which waits in this process are measured. */
export async function faster<T>(factor: number, work: () => Promise<T>): Promise<T> {
  const now = performance.now.bind(performance);
  const begun = now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => begun + (now() - begun) * factor);
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

/** The runs of a stage, one after another: the provider ends, as the engine ends it, and is started again. */
export function runsOf(stage: Stage) {
  const { host } = stage;
  const warnings = () =>
    host.lines.filter(({ severity }) => severity === severities.warning).map(({ message }) => codedOf(message).message);
  return {
    warnings,
    /** The warnings of the run from its beginning, once it has ended. */
    saidAtEnd: async (): Promise<readonly string[]> => {
      await host.restart("SIGINT");
      return warnings();
    },
    /** Begins the next run, of which nothing has been said yet. */
    nextRun: async (): Promise<void> => {
      await host.restart("SIGINT");
      host.lines.splice(0);
    },
    /** What a preview says of a new resource: what it plans, or why it refuses. It writes nothing. */
    said: async (type: string, args: Props, options: Props = {}, name = "example"): Promise<string> => {
      let outcome = "";
      const writes = await stage.writes(async () => {
        const preview = stage.deployment(type, name, options).preview(args);
        outcome = await preview.catch(() => failureOf(preview));
      });
      return writes.length === 0 ? outcome : `it wrote: ${writes.join(", ")}`;
    },
    actions: async (work: () => Promise<unknown>): Promise<string[]> => (await stage.calls(work)).map(({ action }) => action),
  };
}
