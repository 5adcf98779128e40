import * as audit from "@container-platform/sdk/audit";
import { connected } from "./cloud.ts";

/** Which events to look for. */
export interface EventQuery {
  /** From this moment on. */
  from: Date;
  /** Up to this moment. */
  to: Date;
  /** Attributes that the events have, such as `{ ResourceName: "vpc-3f8a0c1e" }`. */
  attributes?: Readonly<Record<string, string>>;
}

/** The recorded operations between two moments. An empty list is no error. */
export async function lookUpEvents({ from, to, attributes = {} }: EventQuery) {
  const lookupAttributes = Object.entries(attributes).map(([attributeKey, attributeValue]) => ({ attributeKey, attributeValue }));
  const [startTime, endTime] = [from, to].map((moment) => Math.floor(moment.getTime() / 1000));
  const cloud = await connected();
  const { events } = await cloud.call(audit.lookUpEvents, { startTime: startTime ?? 0, endTime: endTime ?? 0, lookupAttributes });
  return events;
}
