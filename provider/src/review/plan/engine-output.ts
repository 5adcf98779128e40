import * as z from "@container-platform/sdk/zod";
import { placeOf } from "../../schema/paths.ts";
import { isProps, type Props } from "../../schema/values.ts";

const texts = z.array(z.string()).nullish();
const props = z.custom<Props>(isProps).nullish();

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
  propertyDependencies: z
    .record(
      z.string(),
      texts.transform((urns) => urns ?? []),
    )
    .nullish(),
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
  detailedDiff: props,
});
export type RawStep = z.output<typeof stepSchema>;

const diagnosticSchema = z.object({ urn: z.string().optional(), severity: z.string(), message: z.string() });
export type RawDiagnostic = z.output<typeof diagnosticSchema>;

const policySchema = z.object({
  resourceUrn: z.string().optional(),
  message: z.string(),
  policyName: z.string(),
  policyPackName: z.string(),
  enforcementLevel: z.string(),
  severity: z.string().optional(),
});
export type RawViolation = z.output<typeof policySchema>;

/** What the engine has printed about one run, from a preview or an event log. */
export interface EngineOutput {
  readonly config: Readonly<Record<string, string>>;
  readonly steps: readonly RawStep[];
  /** The differences that a refresh has found, one step for each resource. */
  readonly refreshed: readonly RawStep[];
  readonly diagnostics: readonly RawDiagnostic[];
  readonly violations: readonly RawViolation[];
  /** The outputs of the stack, before and after; only an event log has them. */
  readonly outputs: { readonly before: Readonly<Record<string, unknown>>; readonly after: Readonly<Record<string, unknown>> } | undefined;
  /** Whether the engine has finished, and without an error; `undefined` if the output does not say so. */
  readonly finished: boolean | undefined;
  /** Whether the engine was told to look at a part of the stack alone. Of what others have printed, this may not be known. */
  readonly isPartial?: boolean;
  /** Whether resources that do not change are left out: the engine has counted more than there are. */
  readonly lacksSames: boolean;
  readonly hasDependencies: boolean;
  /** Whether there is an event log: only that has the results of policy packs. */
  readonly hasEventLog: boolean;
}

/** The stack that a run was about, and its project: those of its first resource. */
export function stackIn({ steps, refreshed }: Pick<EngineOutput, "steps" | "refreshed">) {
  return stackOf((steps[0] ?? refreshed[0])?.urn ?? "");
}

export function stackOf(urn: string): { readonly stack: string | undefined; readonly project: string | undefined } {
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
  return { stack, project };
}

/** The type of the resource of a URN, which also has the types of its parents. */
export function typeOf(urn: string): string {
  const [, , types = ""] = urn.split("::", 3);
  return types.slice(types.lastIndexOf("$") + 1);
}

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
  if (isDigest(jsonIn(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1))))
    throw new Error("it has text around its JSON. Give the standard output of `pulumi preview --json` alone, with `npm run --silent`");
  return parseEventLog(text);
}

function isDigest(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0 || ["steps", "changeSummary", "diagnostics", "config", "duration"].some((key) => key in value);
}

const metadataSchema = z
  .object({
    op: z.string(),
    urn: z.string(),
    old: stateSchema.nullish(),
    new: stateSchema.nullish(),
    keys: texts,
    diffs: texts,
    detailedDiff: props,
  })
  .transform(({ old, new: now, keys, diffs, ...rest }): RawStep => ({
    ...rest,
    oldState: old,
    newState: now,
    replaceReasons: keys,
    diffReasons: diffs,
  }));

/** A line of the engine's event log, of `pulumi refresh --json`, or of a streamed preview. */
const eventSchema = z.object({
  sequence: z.number().optional(),
  preludeEvent: z.object({ config: z.record(z.string(), z.string()).nullish() }).optional(),
  diagnosticEvent: diagnosticSchema.extend({ ephemeral: z.boolean().optional(), prefix: z.string().optional() }).optional(),
  resourcePreEvent: z.object({ metadata: metadataSchema }).optional(),
  resOutputsEvent: z.object({ metadata: metadataSchema }).optional(),
  policyEvent: policySchema.optional(),
  summaryEvent: z.object({ result: z.string().optional() }).optional(),
  cancelEvent: z.unknown().optional(),
});
type RawEvent = z.output<typeof eventSchema>;

/**
 * Parses an event log. One that has not been written to its end is one of an engine that did not finish, whatever stands in it.
 * @throws Error if the text is none, or more than one
 */
function parseEventLog(text: string): EngineOutput {
  const read = text
    .split("\n")
    .flatMap((line, index) =>
      line.trim().startsWith("{") ? [{ number: index + 1, event: eventSchema.safeParse(jsonIn(line)).data }] : [],
    );
  const events = read.flatMap(({ event }) => event ?? []);
  if (events.every((event) => Object.keys(event).length === 0))
    throw new Error("it is neither the output of `pulumi preview --json` nor an event log of the engine");
  const broken = read.find(({ event }) => event === undefined);
  if (broken) throw new Error(`its line ${broken.number} is not a whole event of the engine: ${again}`);
  expectOneRun(events);
  return outputOf(events);
}

const again = "run the preview again, and give what it has written when it has ended";

/** A log begins with its first event, counts on from there, and ends with the event that ends the run. */
function expectOneRun(events: readonly RawEvent[]): void {
  const numbers = events.flatMap(({ sequence }) => sequence ?? []);
  const end = events.findIndex((event) => event.cancelEvent !== undefined);
  const preludes = events.filter(({ preludeEvent }) => preludeEvent !== undefined);
  const isOrdered = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
  if (!isOrdered || preludes.length > 1 || (end >= 0 && end < events.length - 1))
    throw new Error("it has the events of more than one run: give the log of one preview alone");
  if ((numbers[0] ?? 0) > 0) throw new Error(`its beginning is missing: ${again}`);
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function outputOf(events: readonly RawEvent[]): EngineOutput {
  const before = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  const refreshedUrns = new Set(before.flatMap(({ op, urn }) => (op === "refresh" ? [urn] : [])));
  const after = events.flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
  const summary = events.find(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  const hasEnded = events.at(-1)?.cancelEvent !== undefined;
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
    violations: events.flatMap(({ policyEvent }) => policyEvent ?? []),
    finished: hasEnded && summary !== undefined && (summary.result === undefined || summary.result === "succeeded"),
    lacksSames: false,
    hasDependencies: false,
    hasEventLog: true,
  };
}

/** The stack's outputs: its first event has them as they were, its last one as the program has made them. */
function outputsIn(steps: readonly RawStep[]): EngineOutput["outputs"] {
  const all = steps.filter(({ urn }) => urn.includes("::pulumi:pulumi:Stack::"));
  const [last] = all.slice(1).slice(-1);
  return last && { before: last.oldState?.outputs ?? {}, after: last.newState?.outputs ?? {} };
}

function firstOfEach(steps: readonly RawStep[]): RawStep[] {
  return [...new Map(steps.toReversed().map((step) => [step.urn, step])).values()].toReversed();
}
