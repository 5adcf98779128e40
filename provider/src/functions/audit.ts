import { InputError } from "@container-platform/sdk";
import * as audit from "@container-platform/sdk/audit";
import * as z from "@container-platform/sdk/zod";
import { moment } from "../definition/inputs.ts";
import type { Output } from "@pulumi/pulumi";
import { type FunctionInputs, type FunctionOptions, outputOf, reading } from "./definition.ts";
import type { EventRecord } from "./results.ts";

export interface LookUpEventsArgs {
  /** Start time, ISO 8601, such as `2026-01-31T12:00:00Z`. */
  readonly from: string;
  /** End time, ISO 8601. */
  readonly to: string;
  /** Attributes to filter by, such as `{ ResourceName: "vpc-3f8a0c1e" }`. Default: any. */
  readonly attributes?: Readonly<Record<string, string>>;
}

const time = moment("2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00");

/**
 * Returns the recorded operations between two times, or an empty list.
 *
 * @example
 * const hour = 3_600_000;
 * const events = await lookUpEvents({
 *   from: new Date(Date.now() - hour).toISOString(),
 *   to: new Date().toISOString(),
 *   attributes: { EventName: "CreateVpc" },
 * });
 */
export const lookUpEvents: (args: LookUpEventsArgs, opts?: FunctionOptions) => Promise<EventRecord[]> = reading({
  name: "lookUpEvents",
  args: { from: time, to: time, attributes: z.record(z.string(), z.string()).optional() },
  read: async (cloud, { from, to, attributes = {} }) => {
    if (secondsOf(from) >= secondsOf(to)) throw new InputError(`from: ${from} is not before to, which is ${to}, by a second at least`);
    const lookupAttributes = Object.entries(attributes).map(([attributeKey, attributeValue]) => ({ attributeKey, attributeValue }));
    return cloud.all(audit.lookUpEvents, { startTime: secondsOf(from), endTime: secondsOf(to), lookupAttributes });
  },
});

/** {@link lookUpEvents}, for Outputs. */
export const lookUpEventsOutput: (args: FunctionInputs<LookUpEventsArgs>, opts?: FunctionOptions) => Output<EventRecord[]> =
  outputOf(lookUpEvents);

/** Seconds since 1970. */
function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
