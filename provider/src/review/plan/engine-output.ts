import * as z from "@container-platform/sdk/zod";
import { placeOf } from "../../schema/messages.ts";

const texts = z.array(z.string()).nullish();
const props = z.record(z.string(), z.unknown()).nullish();

/** A resource's state, as far as the reviewer needs it. Events have neither its dependencies nor its source position. */
const stateSchema = z.object({
  urn: z.string().optional(),
  type: z.string(),
  id: z.string().optional(),
  custom: z.boolean().optional(),
  delete: z.boolean().optional(),
  inputs: props,
  outputs: props,
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
  dependencies: texts,
  propertyDependencies: z.record(z.string(), texts).nullish(),
  sourcePosition: z.string().optional(),
  stackTrace: z.array(z.object({ sourcePosition: z.string().optional() })).nullish(),
});
export type RawState = z.output<typeof stateSchema>;

const stepSchema = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: stateSchema.nullish(),
  newState: stateSchema.nullish(),
  replaceReasons: texts,
  diffReasons: texts,
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});
export type RawStep = z.output<typeof stepSchema>;

const diagnosticSchema = z.object({ urn: z.string().optional(), severity: z.string(), message: z.string() });
export type RawDiagnostic = z.output<typeof diagnosticSchema>;

/** The output of `pulumi preview --json`. */
const digestSchema = z.object({
  config: z.record(z.string(), z.string()).nullish(),
  steps: z.array(stepSchema).nullish(),
  diagnostics: z.array(diagnosticSchema).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

const metadataSchema = z.object({
  op: z.string(),
  urn: z.string(),
  old: stateSchema.nullish(),
  new: stateSchema.nullish(),
  keys: texts,
  diffs: texts,
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});

const policySchema = z.object({
  resourceUrn: z.string().optional(),
  message: z.string(),
  policyName: z.string(),
  policyPackName: z.string(),
  enforcementLevel: z.string(),
  severity: z.string().optional(),
});
export type RawViolation = z.output<typeof policySchema>;

/** A line of the engine's event log, of `pulumi refresh --json`, or of a streamed preview. */
const eventSchema = z.object({
  sequence: z.number().optional(),
  preludeEvent: z.object({ config: z.record(z.string(), z.string()).nullish() }).optional(),
  diagnosticEvent: diagnosticSchema.extend({ ephemeral: z.boolean().optional(), prefix: z.string().optional() }).optional(),
  resourcePreEvent: z.object({ metadata: metadataSchema }).optional(),
  resOutputsEvent: z.object({ metadata: metadataSchema }).optional(),
  policyEvent: policySchema.optional(),
  summaryEvent: z.object({ result: z.string().optional() }).optional(),
});
type RawEvent = z.output<typeof eventSchema>;

interface StackOutputs {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** What the engine has printed about one run, from a preview or an event log. */
export interface EngineOutput {
  readonly config: Readonly<Record<string, string>>;
  /** The engine's steps, in order. */
  readonly steps: readonly RawStep[];
  /** The differences that a refresh has found, one step for each resource. */
  readonly refreshed: readonly RawStep[];
  readonly diagnostics: readonly RawDiagnostic[];
  readonly violations: readonly RawViolation[];
  /** The outputs of the stack, before and after; only an event log has them. */
  readonly outputs: StackOutputs | undefined;
  /** Whether the engine has finished; `undefined` if the output does not say so. */
  readonly finished: boolean | undefined;
  /** Whether the engine was told to look at a part of the stack alone. Of what others have printed, this may not be known. */
  readonly isPartial?: boolean;
  /** Whether the states have their dependencies. */
  readonly hasDependencies: boolean;
  /** Whether there is an event log: only that has the results of policy packs. */
  readonly hasEventLog: boolean;
}

/** @throws Error if the text is no output of Pulumi about a run */
export function parseEngineOutput(text: string): EngineOutput {
  const whole = parsed(text.trim());
  if (isDigest(whole)) {
    const read = digestSchema.safeParse(whole);
    if (!read.success) throw new Error(`its ${placeOf(read.error.issues[0]?.path ?? [])} is not as \`pulumi preview --json\` writes it`);
    const { config, steps, diagnostics, changeSummary } = read.data;
    // A preview that fails prints its results so far like one that succeeds: only the errors show the failure.
    const finished = changeSummary || diagnostics ? undefined : false;
    return {
      config: config ?? {},
      steps: steps ?? [],
      refreshed: [],
      diagnostics: diagnostics ?? [],
      violations: [],
      outputs: undefined,
      finished,
      hasDependencies: true,
      hasEventLog: false,
    };
  }
  const lines = text.split("\n").filter((line) => line.trim().startsWith("{"));
  const events = lines.flatMap((line) => {
    const found = eventSchema.safeParse(parsed(line));
    return found.success ? [found.data] : [];
  });
  if (events.every((event) => Object.keys(event).length === 0))
    throw new Error("it is neither the output of `pulumi preview --json` nor an event log of the engine");
  return outputOf(events);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDigest(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0 || ["steps", "changeSummary", "diagnostics", "config", "duration"].some((key) => key in value);
}

function outputOf(events: readonly RawEvent[]): EngineOutput {
  const before = events.flatMap(({ resourcePreEvent }) => (resourcePreEvent ? [stepOf(resourcePreEvent.metadata)] : []));
  const refreshedUrns = new Set(before.flatMap(({ op, urn }) => (op === "refresh" ? [urn] : [])));
  const after = events.flatMap(({ resOutputsEvent }) => (resOutputsEvent ? [stepOf(resOutputsEvent.metadata)] : []));
  const summary = events.find(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  return {
    config: events.find(({ preludeEvent }) => preludeEvent)?.preludeEvent?.config ?? {},
    steps: before.filter(({ op }) => op !== "refresh"),
    // The first event of a refresh only announces it. The event after it has what was found.
    refreshed: firstOfEach(after.filter(({ op, urn }) => refreshedUrns.has(urn) && ["update", "delete", "refresh", "same"].includes(op))),
    diagnostics: events.flatMap(({ diagnosticEvent: event }) =>
      event && event.ephemeral !== true && event.severity !== "debug"
        ? [{ ...event, message: `${event.prefix ?? ""}${event.message}` }]
        : [],
    ),
    outputs: outputsIn(after),
    violations: events.flatMap(({ policyEvent }) => (policyEvent ? [policyEvent] : [])),
    finished: summary && (summary.result === undefined || summary.result === "succeeded"),
    hasDependencies: false,
    hasEventLog: true,
  };
}

/** The stack's outputs: its first event has them as they were, its last one as the program has made them. */
function outputsIn(steps: readonly RawStep[]): StackOutputs | undefined {
  const all = steps.filter(({ urn }) => urn.includes("::pulumi:pulumi:Stack::"));
  const [last] = all.slice(1).slice(-1);
  return last && { before: last.oldState?.outputs ?? {}, after: last.newState?.outputs ?? {} };
}

function stepOf({ old, new: now, keys, diffs, ...rest }: z.output<typeof metadataSchema>): RawStep {
  return { ...rest, oldState: old, newState: now, replaceReasons: keys, diffReasons: diffs };
}

function firstOfEach(steps: readonly RawStep[]): RawStep[] {
  return [...new Map(steps.toReversed().map((step) => [step.urn, step])).values()].toReversed();
}

const replacementSteps = new Set(["create-replacement", "delete-replaced", "import-replacement"]);

/** Adds the two steps of each replacement from the event log. A preview has them only with `--show-replacement-steps`. */
function withReplacementSteps(previewed: readonly RawStep[], logged: readonly RawStep[]): readonly RawStep[] {
  if (previewed.length === 0) return logged;
  if (previewed.some(({ op }) => replacementSteps.has(op))) return previewed;
  const remaining = new Map(previewed.map((step) => [`${step.op} ${step.urn}`, step]));
  const ordered = logged.flatMap((step) => {
    const same = remaining.get(`${step.op} ${step.urn}`);
    remaining.delete(`${step.op} ${step.urn}`);
    // The preview's states are more complete than those of the log.
    return same ?? (replacementSteps.has(step.op) ? [{ ...step, oldState: undefined, newState: undefined }] : []);
  });
  return [...ordered, ...remaining.values()];
}

/** Merges the output of a preview with its event log. */
export function mergeOutputs(all: readonly EngineOutput[]): EngineOutput {
  const [first, ...others] = all.toSorted((one, other) => Number(other.hasDependencies) - Number(one.hasDependencies));
  if (!first) throw new Error("there is nothing to review");
  return others.reduce(
    (sum, { config, steps, refreshed, diagnostics, violations, outputs, finished, hasDependencies, hasEventLog }) => ({
      config: { ...config, ...sum.config },
      steps: withReplacementSteps(sum.steps, steps),
      refreshed: sum.refreshed.length > 0 ? sum.refreshed : refreshed,
      diagnostics: sum.diagnostics.length > 0 ? sum.diagnostics : diagnostics,
      violations: [...sum.violations, ...violations],
      outputs: sum.outputs ?? outputs,
      finished: finished ?? sum.finished,
      hasDependencies: sum.steps.length > 0 ? sum.hasDependencies : hasDependencies,
      hasEventLog: sum.hasEventLog || hasEventLog,
    }),
    first,
  );
}
