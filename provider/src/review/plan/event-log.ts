import * as z from "@container-platform/sdk/zod";
import { diagnosticSchema, type EngineOutput, policySchema, type RawStep, type StackOutputs, stateSchema, texts } from "./engine-output.ts";

const metadataSchema = z.object({
  op: z.string(),
  urn: z.string(),
  old: stateSchema.nullish(),
  new: stateSchema.nullish(),
  keys: texts,
  diffs: texts,
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});

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
export function parseEventLog(text: string): EngineOutput {
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
  const before = events.flatMap(({ resourcePreEvent }) => (resourcePreEvent ? [stepOf(resourcePreEvent.metadata)] : []));
  const refreshedUrns = new Set(before.flatMap(({ op, urn }) => (op === "refresh" ? [urn] : [])));
  const after = events.flatMap(({ resOutputsEvent }) => (resOutputsEvent ? [stepOf(resOutputsEvent.metadata)] : []));
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
    violations: events.flatMap(({ policyEvent }) => (policyEvent ? [policyEvent] : [])),
    finished: hasEnded && summary !== undefined && (summary.result === undefined || summary.result === "succeeded"),
    lacksSames: false,
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
