import { randomUUID } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../../operation/errors.ts";
import { parseResourceName } from "../../formats/resource-name.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { namesIn, valuesIn } from "../../operation/named-values.ts";
import { once } from "../../operation/operation.ts";
import { redacted } from "../../operation/redact.ts";
import type { Reply, Request } from "../../transport/transport.ts";
import type { Caller } from "../accounts/accounts.ts";
import { type Call, Context } from "../behaviour.ts";
import { isRegion } from "../regions.ts";
import { numberedNamespaces } from "../requests/resources-meant.ts";
import type { World } from "../store/world.ts";

/** The region of calls that belong to none: they are found in every region. */
export const noRegion = "";

/** What is stored of a call. */
export const recordSchema = once(() =>
  z.object({
    product: z.string(),
    action: z.string(),
    effect: z.enum(["read", "write"]),
    uin: z.string(),
    requestId: z.string(),
    /** The region that was called, if the resources are in another one. */
    calledRegion: z.string().optional(),
    /** Ids and names of the resources it was about. */
    names: z.array(z.string()),
    /** The code it was refused with; empty if it was carried out. */
    code: z.string(),
    /** The parameters of a write, without sensitive values. */
    parameters: z.unknown().optional(),
  }),
);
export type AuditRecord = z.output<ReturnType<typeof recordSchema>>;

/** Writes a call into the world's audit log: who, when, what, and with which outcome (specification, Events 3). */
export function recordCall(call: Call, { body }: Request, outcome: Reply | PlatformError): void {
  const { operation } = call;
  // The ids that a write answers are those of what it made. A read is only about the ids that it was asked for.
  const answered = operation.effect === "read" || outcome instanceof PlatformError ? [] : namesIn(outcome.body);
  const region = regionOf(call, body);
  const namespaces = numberedNamespaces(call, valuesIn(body)).map((id) => id.slice(id.indexOf("/") + 1));
  record(call.in(region), {
    ...(region !== call.region && { calledRegion: call.region }),
    product: operation.product,
    action: operation.action,
    effect: operation.effect,
    uin: call.uin,
    requestId: call.requestId,
    names: [...new Set([...namesIn(body), ...namespaces, ...answered])],
    code: outcome instanceof PlatformError ? outcome.code : "",
    ...(operation.effect === "write" && { parameters: redacted(operation.input, body) }),
  });
}

/** The region of the resources that a call is about: that of the call, unless it names another one. */
function regionOf(call: Call, { ResourceRegion: region, Resource: resource }: JsonObject): string {
  const named = typeof resource === "string" ? parseResourceName(resource)?.region : region;
  return typeof named === "string" && isRegion(named) ? named : call.region;
}

/**
 * Writes a call into the audit log that was refused before its operation or region was known. Its parameters are not stored: without
 * a definition of the operation it is unknown which of them are secret.
 */
export function recordRefusal(world: World, { account, uin }: Caller, region: string, { code, origin }: PlatformError): void {
  const { product, action, requestId } = origin;
  record(new Context(world, region, account), { product, action, effect: "read", uin, requestId, names: [], code });
}

/** Writes what an image client did into the audit log: its user may be a service account, which is no account of the platform. */
export function recordImageEvent(
  at: Context,
  { user, ...event }: Pick<AuditRecord, "action" | "effect" | "names" | "code" | "parameters"> & { readonly user: string },
): void {
  record(at, { product: "registry", uin: user, requestId: randomUUID(), ...event });
}

function record({ world, now, account, region }: Context, data: AuditRecord): void {
  world.append("INSERT INTO audit (time, account, region, data) VALUES (?, ?, ?, ?)", now, account, region, JSON.stringify(data));
}
