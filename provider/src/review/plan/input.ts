import * as z from "@container-platform/sdk/zod";

const texts = z.array(z.string()).nullish();
const props = z.record(z.string(), z.unknown()).nullish();

/** A resource's state, as far as the reviewer looks at it. In events, what it stands on and where it was written are missing. */
const stateSchema = z.object({
  type: z.string(),
  id: z.string().optional(),
  custom: z.boolean().optional(),
  delete: z.boolean().optional(),
  inputs: props,
  outputs: props,
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
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

/** What `pulumi preview --json` prints. */
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

/** What the engine told of one run, from wherever it told it. */
export interface Told {
  readonly config: Readonly<Record<string, string>>;
  /** What it does, or would do, in order. */
  readonly steps: readonly RawStep[];
  /** What a refresh found, instead. */
  readonly found: readonly RawStep[];
  readonly diagnostics: readonly RawDiagnostic[];
  readonly violations: readonly RawViolation[];
  /** Whether the engine came to its end; `undefined` if it does not say. */
  readonly finished: boolean | undefined;
  /** Whether states tell what they stand on. */
  readonly graph: boolean;
  /** Whether the event log was there: only it has the results of policy packs. */
  readonly logged: boolean;
}

/** @throws Error if the text is nothing that Pulumi prints about a run. */
export function toldIn(text: string): Told {
  const whole = parsed(text.trim());
  if (isDigest(whole)) {
    const { config, steps, diagnostics, changeSummary } = digestSchema.parse(whole);
    // One that fails tells what it had found until then as one that succeeds does: only its errors tell.
    const finished = changeSummary || diagnostics ? undefined : false;
    return {
      config: config ?? {},
      steps: steps ?? [],
      found: [],
      diagnostics: diagnostics ?? [],
      violations: [],
      finished,
      graph: true,
      logged: false,
    };
  }
  const lines = text.split("\n").filter((line) => line.trim().startsWith("{"));
  const events = lines.flatMap((line) => {
    const found = eventSchema.safeParse(parsed(line));
    return found.success ? [found.data] : [];
  });
  if (events.length === 0) throw new Error("it is neither what `pulumi preview --json` prints nor an event log of the engine");
  return toldByEvents(events);
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

function toldByEvents(events: readonly RawEvent[]): Told {
  const before = events.flatMap(({ resourcePreEvent }) => (resourcePreEvent ? [stepOf(resourcePreEvent.metadata)] : []));
  const refreshed = new Set(before.flatMap(({ op, urn }) => (op === "refresh" ? [urn] : [])));
  const after = events.flatMap(({ resOutputsEvent }) => (resOutputsEvent ? [stepOf(resOutputsEvent.metadata)] : []));
  const summary = events.find(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  return {
    config: events.find(({ preludeEvent }) => preludeEvent)?.preludeEvent?.config ?? {},
    steps: before.filter(({ op }) => op !== "refresh"),
    // A refresh is announced as that, and tells only afterwards what it found.
    found: firstOfEach(after.filter(({ op, urn }) => refreshed.has(urn) && ["update", "delete", "refresh", "same"].includes(op))),
    diagnostics: events.flatMap(({ diagnosticEvent: told }) =>
      told && told.ephemeral !== true && told.severity !== "debug" ? [{ ...told, message: `${told.prefix ?? ""}${told.message}` }] : [],
    ),
    violations: events.flatMap(({ policyEvent }) => (policyEvent ? [policyEvent] : [])),
    finished: summary && (summary.result === undefined || summary.result === "succeeded"),
    graph: false,
    logged: true,
  };
}

function stepOf({ old, new: now, keys, diffs, ...rest }: z.output<typeof metadataSchema>): RawStep {
  return { ...rest, oldState: old, newState: now, replaceReasons: keys, diffReasons: diffs };
}

function firstOfEach(steps: readonly RawStep[]): RawStep[] {
  return [...new Map(steps.toReversed().map((step) => [step.urn, step])).values()].toReversed();
}

const moves = new Set(["create-replacement", "delete-replaced", "import-replacement"]);

/** A preview leaves out the two moves of a replacement unless it is asked for them; the event log always has them, in order. */
function withMoves(steps: readonly RawStep[], logged: readonly RawStep[]): readonly RawStep[] {
  if (steps.length === 0 || steps.some(({ op }) => moves.has(op))) return steps.length === 0 ? logged : steps;
  const told = new Map(steps.map((step) => [`${step.op} ${step.urn}`, step]));
  const ordered = logged.flatMap((step) => {
    const same = told.get(`${step.op} ${step.urn}`);
    told.delete(`${step.op} ${step.urn}`);
    // The preview's states tell more than those of the log.
    return same ?? (moves.has(step.op) ? [{ ...step, oldState: undefined, newState: undefined }] : []);
  });
  return [...ordered, ...told.values()];
}

/** What a preview and its event log tell together. */
export function together(all: readonly Told[]): Told {
  const [first, ...others] = all.toSorted((one, other) => Number(other.graph) - Number(one.graph));
  if (!first) throw new Error("there is nothing to review");
  return others.reduce(
    (sum, { config, steps, found, diagnostics, violations, finished, graph, logged }) => ({
      config: { ...config, ...sum.config },
      steps: withMoves(sum.steps, steps),
      found: sum.found.length > 0 ? sum.found : found,
      diagnostics: sum.diagnostics.length > 0 ? sum.diagnostics : diagnostics,
      violations: [...sum.violations, ...violations],
      finished: finished ?? sum.finished,
      graph: sum.steps.length > 0 ? sum.graph : graph,
      logged: sum.logged || logged,
    }),
    first,
  );
}
