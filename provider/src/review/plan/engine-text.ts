import * as z from "@container-platform/sdk/zod";
import { placeOf } from "../../schema/paths.ts";
import { diagnosticSchema, type EngineOutput, stepSchema } from "./engine-output.ts";
import { jsonIn, parseEventLog } from "./event-log.ts";

/** The output of `pulumi preview --json`. */
const digestSchema = z.object({
  config: z.record(z.string(), z.string()).nullish(),
  steps: z.array(stepSchema).nullish(),
  diagnostics: z.array(diagnosticSchema).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

/** @throws Error if the text is no output of Pulumi about a run */
export function parseEngineOutput(text: string): EngineOutput {
  const whole = jsonIn(text.trim());
  if (isDigest(whole)) {
    const read = digestSchema.safeParse(whole);
    if (!read.success) throw new Error(`its ${placeOf(read.error.issues[0]?.path ?? [])} is not as \`pulumi preview --json\` writes it`);
    const { config, steps, diagnostics, changeSummary } = read.data;
    // A preview that fails prints its results so far like one that succeeds: only the errors show the failure. It counts them when it ends.
    const finished = changeSummary ? undefined : false;
    return {
      config: config ?? {},
      steps: steps ?? [],
      refreshed: [],
      diagnostics: diagnostics ?? [],
      violations: [],
      outputs: undefined,
      finished,
      lacksSames: (steps ?? []).filter(({ op }) => op === "same").length < (changeSummary?.["same"] ?? 0),
      hasDependencies: true,
      hasEventLog: false,
    };
  }
  return parseEventLog(text);
}

function isDigest(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0 || ["steps", "changeSummary", "diagnostics", "config", "duration"].some((key) => key in value);
}
