import { type Cloud, type ItemOf, PlatformError } from "@container-platform/sdk";
import * as audit from "@container-platform/sdk/audit";
import * as z from "@container-platform/sdk/zod";

const recorded = z
  .object({ ClusterId: z.string(), RoleName: z.string(), RoleType: z.enum(["cluster", "namespace"]), Namespace: z.string().optional() })
  .transform(({ ClusterId: clusterId, RoleName: roleName, RoleType: roleType, Namespace: namespace }) => ({
    clusterId,
    roleName,
    roleType,
    namespace,
  }));
const parameters = z.object({ RequestParameters: z.object({ Permissions: z.array(recorded).default([]) }) });

/** Whole seconds by which the clocks of the audit log and of the answers may differ. */
const leeway = 2;

/**
 * The changes of a user's permissions by others between two calls, which are given by their request ids, oldest first: either `all` were
 * set, or some were taken away. It is empty if the audit log does not have both calls: an event may be late, and the account may not be allowed
 * to read the log.
 */
export async function changesBetween(cloud: Cloud, targetUin: string, { read, write, at }: { read: string; write: string; at: number }) {
  const newestFirst = await eventsSince(cloud, targetUin, read, Math.floor(at / 1000) - leeway);
  const [from, to] = [newestFirst.findIndex((one) => one.requestId === write), newestFirst.findIndex((one) => one.requestId === read)];
  if (from < 0 || to < 0) return [];
  return newestFirst
    .slice(from + 1, to)
    .reverse()
    .flatMap(({ eventName, errorCode, cloudAuditEvent = "{}" }) => {
      const all = eventName === "GrantUserPermissions";
      if (errorCode !== 0 || (!all && eventName !== "DeleteUserPermissions")) return [];
      const event = parameters.safeParse(contentOf(cloudAuditEvent));
      return event.success ? [{ all, grants: event.data.RequestParameters.Permissions }] : [];
    });
}

/** What an event has in JSON; nothing if that is something else. */
function contentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Event = ItemOf<(typeof audit.lookUpEvents)["output"], "events">;

/** The events about a user, newest first, until one request is found. */
async function eventsSince(cloud: Cloud, targetUin: string, requestId: string, startTime: number): Promise<readonly Event[]> {
  const events: Event[] = [];
  try {
    for await (const { items } of cloud.pages(audit.lookUpEvents, lookup(cloud, startTime, ["ResourceName", targetUin]))) {
      events.push(...items);
      if (items.some((one) => one.requestId === requestId)) break;
    }
    return events;
  } catch (error) {
    if (error instanceof PlatformError) return [];
    throw error;
  }
}

function lookup(cloud: Cloud, startTime: number, [attributeKey, attributeValue]: readonly [string, string]) {
  return { startTime, endTime: Math.floor(cloud.now() / 1000) + leeway, lookupAttributes: [{ attributeKey, attributeValue }] };
}

/** How far back the audit log goes, in seconds. */
const retention = 90 * 24 * 3600;
const granting = z.object({ RequestParameters: z.object({ TargetUin: z.string() }) });

/** The sub-accounts that were granted permissions in the region, as far back as the audit log goes. */
export async function usersInLog(cloud: Cloud): Promise<readonly string[]> {
  const startTime = Math.max(0, Math.floor(cloud.now() / 1000) - retention);
  const events = await cloud.all(audit.lookUpEvents, lookup(cloud, startTime, ["EventName", "GrantUserPermissions"]));
  const users = events.flatMap(({ errorCode, cloudAuditEvent = "{}" }) => {
    const event = granting.safeParse(contentOf(cloudAuditEvent));
    return errorCode === 0 && event.success ? [event.data.RequestParameters.TargetUin] : [];
  });
  return [...new Set(users)].sort();
}
