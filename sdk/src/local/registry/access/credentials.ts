import { createHash } from "node:crypto";
import type { z } from "zod";
import * as operations from "../../../catalogue/registry/credentials.ts";
import { registryRules } from "../../../rules/registry.ts";
import { type Call, on } from "../../behaviour.ts";
import { given } from "../../requests/input.ts";
import { exactly, filtered, listed, type Listing } from "../../requests/listing.ts";
import { refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import type { World } from "../../store/world.ts";
import { monthsAfter } from "../../time.ts";
import { tokenValidTime } from "../instances/instances.ts";
import { type Inside, registryOf, requireInside, runningRegistry } from "../states.ts";
import { namespaces, registryTokens, type ServiceAccountRow, serviceAccounts, type TokenRow } from "../tables.ts";

/** A new secret for a log-in. */
function newSecret(world: World): string {
  return Buffer.concat([world.draw(), world.draw()]).toString("base64url");
}

/** The stored hash of a secret: it can be compared, but the secret cannot be recovered from it. */
export function fingerprintOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** The prefix that the platform adds to the name of every service account. */
const prefix = "reg$";
const day = 24 * 60 * 60 * 1000;
const mostAtOnce = 100;

const accountListing: Listing<ServiceAccountRow> = {
  table: serviceAccounts,
  noun: "service account",
  filters: { ServiceAccountName: exactly(({ name }) => [name, name.slice(prefix.length)]) },
};

export const credentialBehaviours = [
  on(operations.createServiceAccount, (call, { registryId, name: asked, permissions, description = "", disable = false, ...validity }) => {
    runningRegistry(call, registryId);
    const name = nameOf(asked);
    refuseUnlessAllowed(call, "InvalidParameter", "Name", name.slice(prefix.length), registryRules.accountName);
    if (accountOf(call, registryId, name))
      throw call.error("FailedOperation", `registry ${registryId} has a service account ${name} already; take another name`);
    refusePermissions(call, registryId, permissions);
    const password = newSecret(call.world);
    const expiresAt = expiryOf(call, validity) ?? -1;
    call.rows(serviceAccounts).insert(
      {
        id: `${registryId}/${name}`,
        registryId,
        name,
        fingerprint: fingerprintOf(password),
        description,
        disabled: disable,
        expiresAt,
        createdAt: call.timestamp,
        updatedAt: call.timestamp,
        permissions,
      },
      registryId,
    );
    return { name, password, expiresAt, createTime: call.timestamp };
  }),

  on(operations.modifyServiceAccount, (call, { registryId, name, permissions, description, disable, ...validity }) => {
    const { id } = existingAccount(call, registryId, name);
    if (permissions) refusePermissions(call, registryId, permissions);
    const change = given({ description, disabled: disable, expiresAt: expiryOf(call, validity), permissions });
    call.rows(serviceAccounts).update(id, { ...change, updatedAt: call.timestamp });
  }),

  on(operations.modifyServiceAccountPassword, (call, { registryId, name, random, password: chosen }) => {
    const { id } = existingAccount(call, registryId, name);
    if (random && chosen !== undefined)
      throw call.error("InvalidParameter", "Password goes only with Random false; with true the platform draws one");
    const password = random ? newSecret(call.world) : givenPassword(call, chosen);
    call.rows(serviceAccounts).update(id, { fingerprint: fingerprintOf(password), updatedAt: call.timestamp });
    return { password };
  }),

  on(operations.describeServiceAccounts, (call, { registryId, all = false, embedPermission = call.form === "public", limit, ...asked }) => {
    registryOf(call, registryId);
    const records = (rows: readonly ServiceAccountRow[]) => rows.map((row) => recordOf(row, embedPermission));
    if (all) {
      const found = filtered(call, accountListing.filters, asked.filters, call.list(serviceAccounts, registryId));
      return { serviceAccounts: records(found), totalCount: found.length };
    }
    // A limit above the maximum is taken as the maximum (public API).
    const page = { ...asked, limit: limit === undefined ? undefined : Math.min(limit, mostAtOnce) };
    const { totalCount, rows } = listed(call, accountListing, { ...page, parent: registryId });
    return { serviceAccounts: records(rows), totalCount };
  }),

  on(operations.deleteServiceAccount, (call, { registryId, name }) => {
    call.rows(serviceAccounts).remove(existingAccount(call, registryId, name).id);
  }),

  on(operations.createInstanceToken, (call, { registryId, tokenType: type = "temp", desc = "" }) => {
    runningRegistry(call, registryId);
    const token = newSecret(call.world);
    const id = call.world.newId("token", registryTokens);
    const expiresAt = type === "temp" ? call.now + tokenValidTime * 1000 : monthsAfter(call.now, longtermMonths);
    const [username, fingerprint, createdAt] = [call.uin, fingerprintOf(token), call.timestamp];
    call
      .rows(registryTokens)
      .insert({ id, registryId, type, username, fingerprint, desc, enabled: true, createdAt, expiresAt }, registryId);
    if (type === "temp") call.rows(registryTokens).expire(id, expiresAt);
    return { username, token, expTime: expiresAt, tokenId: type === "temp" ? "" : id };
  }),

  on(operations.describeInstanceToken, (call, { registryId, ...page }) => {
    registryOf(call, registryId);
    const { totalCount, rows } = listed(call, tokenListing, { ...page, parent: registryId, where: ({ type }) => type === "longterm" });
    const tokens = rows.map(({ id, desc, enabled, createdAt, expiresAt: expiredAt }) => ({
      id,
      desc,
      registryId,
      enabled,
      createdAt,
      expiredAt,
    }));
    return { totalCount, tokens };
  }),

  on(operations.modifyInstanceToken, (call, { registryId, tokenId, enable, desc, modifyFlag = 2 }) => {
    const { id } = longtermToken(call, registryId, tokenId);
    if (modifyFlag === 1 && desc === undefined) throw call.error("MissingParameter", "Desc is required when ModifyFlag is 1");
    if (modifyFlag !== 1 && enable === undefined)
      throw call.error("MissingParameter", "Enable is required when ModifyFlag is 2, or not given");
    call.rows(registryTokens).update(id, given(modifyFlag === 1 ? { desc } : { enabled: enable }));
  }),

  on(operations.deleteInstanceToken, (call, { registryId, tokenId }) => {
    call.rows(registryTokens).remove(longtermToken(call, registryId, tokenId).id);
  }),
];

/** The full name of an account, which may be given with or without the prefix. */
function nameOf(given: string): string {
  return given.startsWith(prefix) ? given : `${prefix}${given}`;
}

function accountOf(call: Call, registryId: string, name: string): ServiceAccountRow | undefined {
  return call.rows(serviceAccounts).get(`${registryId}/${nameOf(name)}`);
}

function existingAccount(call: Inside, registryId: string, name: string): ServiceAccountRow {
  registryOf(call, registryId);
  return requireInside(call, registryId, `service account ${nameOf(name)}`, accountOf(call, registryId, name));
}

/** The password that a call gives. Refused if it breaks the rules of the public API. */
function givenPassword(call: Call, given: string | undefined): string {
  if (given === undefined) throw call.error("MissingParameter", "Password is required with Random false");
  if (!/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d).{8,20}$/su.test(given))
    throw call.error(
      "InvalidParameter",
      "Password takes 8 to 20 characters, among them an upper-case letter, a lower-case letter and a digit",
    );
  return given;
}

/** Refuses invalid permissions. A resource is an existing namespace, as `<namespace>/` (specification, "Registry resources"). */
function refusePermissions(call: Call, registryId: string, permissions: ServiceAccountRow["permissions"]): void {
  if (permissions.length === 0) throw call.error("InvalidParameter", "Permissions is empty; it takes at least one entry");
  for (const { resource, actions } of permissions) {
    const namespace = resource.slice(0, -1);
    if (!resource.endsWith("/") || !call.rows(namespaces).get(`${registryId}/${namespace}`))
      throw call.error(
        "InvalidParameter",
        `Resource is ${JSON.stringify(resource)}; it takes a namespace of registry ${registryId} as <namespace>/`,
      );
    const odd = actions.find((action) => !operations.registryActions.some((known) => known === action));
    if (odd !== undefined || actions.length === 0)
      throw call.error(
        "InvalidParameter",
        `Actions of ${resource} has ${odd ?? "no entry"}; it takes ${operations.registryActions.join(", ")}`,
      );
  }
}

/** The moment at which an account expires, from a number of days or a moment; `undefined` if neither is given. */
function expiryOf(
  call: Call,
  { duration, expiresAt }: Pick<z.output<typeof operations.modifyServiceAccount.input>, "duration" | "expiresAt">,
): number | undefined {
  if (duration !== undefined) {
    if (duration < 1) throw call.error("InvalidParameter", `Duration is ${duration}; it takes a number of days, 1 or more`);
    return call.now + duration * day;
  }
  if (expiresAt !== undefined && expiresAt !== -1 && expiresAt <= call.now)
    throw call.error(
      "InvalidParameter",
      `ExpiresAt is ${expiresAt}, which is not in the future; it takes milliseconds since 1970, or -1: never`,
    );
  return expiresAt;
}

function recordOf(row: ServiceAccountRow, embedPermission: boolean) {
  const { name, description, disabled: disable, expiresAt, createdAt: createTime, updatedAt: updateTime } = row;
  return { name, description, disable, expiresAt, createTime, updateTime, permissions: embedPermission ? row.permissions : [] };
}

/** How long a long-term token is valid: ten years ("not shown" in the specification; typical of the public API). */
const longtermMonths = 120;

const tokenListing: Listing<TokenRow> = { table: registryTokens, noun: "token", filters: {} };

function longtermToken(call: Inside, registryId: string, id: string): TokenRow {
  registryOf(call, registryId);
  const token = call.rows(registryTokens).get(id);
  const isOwn = token?.registryId === registryId && token.type === "longterm";
  return requireInside(call, registryId, `long-term token ${JSON.stringify(id)}`, isOwn ? token : undefined);
}
