import { type Cloud, type ItemOf, PlatformError } from "@container-platform/sdk";
import * as audit from "@container-platform/sdk/audit";
import * as z from "@container-platform/sdk/zod";

/** A recorded change of a user's permissions: all of them set, or some taken away. */
interface RecordedChange {
  readonly all: boolean;
  readonly grants: readonly z.output<typeof recorded>[];
}

const recorded = z
  .object({ ClusterId: z.string(), RoleName: z.string(), RoleType: z.enum(["cluster", "namespace"]), Namespace: z.string().optional() })
  .transform(({ ClusterId: clusterId, RoleName: roleName, RoleType: roleType, Namespace: namespace }) => ({
    clusterId,
    roleName,
    roleType,
    namespace,
  }));
const parameters = z.object({ RequestParameters: z.object({ Permissions: z.array(recorded).default([]) }) });

/** Whole seconds that the clocks of audit log and answers may differ by. */
const leeway = 2;

/**
 * What others did to a user's permissions after one call and before another, named by their request ids, oldest first. None where
 * the audit log does not tell: it may come late, or not be ours to read.
 */
export async function changesBetween(
  cloud: Cloud,
  targetUin: string,
  { read, write, at }: { readonly read: string; readonly write: string; readonly at: number },
): Promise<readonly RecordedChange[]> {
  const newestFirst = await eventsSince(cloud, targetUin, read, Math.floor(at / 1000) - leeway);
  const [from, to] = [newestFirst.findIndex((one) => one.requestId === write), newestFirst.findIndex((one) => one.requestId === read)];
  if (from < 0 || to < 0) return [];
  return newestFirst
    .slice(from + 1, to)
    .reverse()
    .flatMap(({ eventName, errorCode, cloudAuditEvent = "{}" }) => {
      const all = eventName === "GrantUserPermissions";
      if (errorCode !== 0 || (!all && eventName !== "DeleteUserPermissions")) return [];
      const told = parameters.safeParse(JSON.parse(cloudAuditEvent));
      return told.success ? [{ all, grants: told.data.RequestParameters.Permissions }] : [];
    });
}

type Event = ItemOf<(typeof audit.lookUpEvents)["output"], "events">;

/** The events about a user, newest first, until one request is among them. */
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

/** How far back the audit log tells, in seconds. */
const remembered = 90 * 24 * 3600;
const granting = z.object({ RequestParameters: z.object({ TargetUin: z.string() }) });

/** The sub-accounts that were given permissions in the region, as far back as the audit log tells. */
export async function usersInLog(cloud: Cloud): Promise<readonly string[]> {
  const startTime = Math.max(0, Math.floor(cloud.now() / 1000) - remembered);
  const events = await cloud.all(audit.lookUpEvents, lookup(cloud, startTime, ["EventName", "GrantUserPermissions"]));
  const users = events.flatMap(({ errorCode, cloudAuditEvent = "{}" }) => {
    const told = granting.safeParse(JSON.parse(cloudAuditEvent));
    return errorCode === 0 && told.success ? [told.data.RequestParameters.TargetUin] : [];
  });
  return [...new Set(users)].sort();
}
