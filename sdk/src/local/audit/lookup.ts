import { z } from "zod";
import { lookUpEvents } from "../../catalogue/audit.ts";
import { objectToWire } from "../../operation/codec.ts";
import { type Behaviour, type Call, on } from "../behaviour.ts";
import type { World } from "../store/world.ts";
import { timestampOf } from "../time.ts";
import { noRegion, recordSchema } from "./events.ts";

/** The most events in one answer ("not shown" in the specification; as for DescribeEvents of the public API). */
const mostResults = 50;

/** `seq` grows with each event; `time` is in milliseconds since 1970. */
const stored = z.object({ seq: z.number(), time: z.number(), data: z.string() });

type Event = ReturnType<typeof eventsBetween>[number];

/** The attributes by which events are found, with their values of an event. */
const attributes = new Map<string, (event: Event) => readonly string[]>([
  ["ResourceName", ({ names }) => names],
  ["ResourceType", ({ product }) => [product]],
  ["EventName", ({ action }) => [action]],
  ["Username", ({ username, uin }) => [username, uin]],
  ["RequestId", ({ requestId }) => [requestId]],
  ["ReadOnly", ({ effect }) => [String(effect === "read")]],
]);

export const auditBehaviours: readonly Behaviour[] = [
  on(lookUpEvents, (call, { startTime, endTime, lookupAttributes = [], nextToken, maxResults = mostResults }) => {
    if (startTime < 0)
      throw call.error("InvalidParameterValue.Time", `StartTime is ${startTime}; it takes Unix seconds: a whole number, 0 or more`);
    if (startTime >= endTime)
      throw call.error("InvalidParameterValue.Time", `StartTime ${startTime} is not before EndTime ${endTime}; both are Unix seconds`);
    if (maxResults < 1 || maxResults > mostResults)
      throw call.error("InvalidParameterValue.MaxResult", `MaxResults is ${maxResults}; it takes 1 to ${mostResults}`);
    if (nextToken !== undefined && !/^\d{1,15}$/.test(nextToken))
      throw call.error("InvalidParameter", "NextToken is not one that was answered with the page before");
    const wanted = lookupAttributes.map((attribute) => matcherOf(call, attribute));
    const matching = eventsBetween(call, startTime, endTime).filter((event) => wanted.every((holds) => holds(event)));
    const rest = nextToken === undefined ? matching : matching.filter(({ seq }) => seq < Number(nextToken));
    const events = rest.slice(0, maxResults);
    const listOver = rest.length <= maxResults;
    const last = events.at(-1);
    return {
      events: events.map((event) => eventOf(call, event)),
      listOver,
      totalCount: matching.length,
      ...(!listOver && last && { nextToken: String(last.seq) }),
    };
  }),
];

function matcherOf(
  call: Call<"InvalidParameterValue.attributeKey">,
  { attributeKey, attributeValue }: { attributeKey: string; attributeValue?: string | undefined },
): (event: Event) => boolean {
  const of = attributes.get(attributeKey);
  if (!of)
    throw call.error(
      "InvalidParameterValue.attributeKey",
      `events cannot be looked up by AttributeKey ${attributeKey}; it takes ${[...attributes.keys()].join(", ")}`,
    );
  if (attributeValue === undefined) throw call.error("MissingParameter", `AttributeValue of ${attributeKey} is required`);
  return (event) => of(event).includes(attributeValue);
}

/** The events of the call's region and of no region, newest first, from one Unix second to another, both included. */
function eventsBetween(call: Call, from: number, to: number) {
  const names = userNames(call.world);
  return call.world
    .prepare("SELECT seq, time, data FROM audit WHERE account = ? AND region IN (?, ?) AND time >= ? AND time < ? ORDER BY seq DESC")
    .all(call.account, call.region, noRegion, from * 1000, (to + 1) * 1000)
    .map((row) => {
      const { seq, time, data } = stored.parse(row);
      const record = recordSchema().parse(JSON.parse(data));
      return { ...record, seq, time, username: names.get(record.uin) ?? record.uin };
    });
}

/** The names of all accounts, by their uins. */
export function userNames(world: World): Map<string, string> {
  const users = z.array(z.object({ uin: z.string(), name: z.string() }));
  return new Map(users.parse(world.prepare("SELECT uin, name FROM accounts").all()).map(({ uin, name }) => [uin, name]));
}

function eventOf({ account, region }: Call, { seq, time, names, code, ...event }: Event) {
  const record = {
    eventId: String(seq),
    eventName: event.action,
    eventTime: timestampOf(time),
    username: event.username,
    requestId: event.requestId,
    eventSource: event.product,
    eventRegion: event.calledRegion ?? region,
    resourceRegion: region,
    resources: { resourceType: event.product, resourceName: names.join(",") },
    errorCode: code === "" ? 0 : 1,
    apiErrorCode: code,
    accountId: Number(account),
  };
  const spelt = objectToWire(lookUpEvents.output.shape.events.element, record);
  return {
    ...record,
    cloudAuditEvent: JSON.stringify({ ...spelt, Uin: event.uin, ReadOnly: event.effect === "read", RequestParameters: event.parameters }),
  };
}
