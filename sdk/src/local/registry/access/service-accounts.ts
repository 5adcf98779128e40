import {
  createServiceAccount,
  deleteServiceAccount,
  describeServiceAccounts,
  modifyServiceAccount,
  modifyServiceAccountPassword,
  registryActions,
} from "../../../catalogue/registry/service-accounts.ts";
import { registryRules } from "../../../rules/registry.ts";
import { type Call, on } from "../../behaviour.ts";
import { refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { exactly, filtered, listed, type Listing } from "../../requests/listing.ts";
import { fingerprintOf, newSecret } from "./secrets.ts";
import { registryOf, runningRegistry } from "../states.ts";
import { namespaces, type ServiceAccountRow, serviceAccounts } from "../tables.ts";

/** The prefix that the platform adds to the name of every service account. */
const prefix = "reg$";
const day = 24 * 60 * 60 * 1000;
const mostAtOnce = 100;

const listing: Listing<ServiceAccountRow> = {
  table: serviceAccounts,
  noun: "service account",
  filters: { ServiceAccountName: exactly(({ name }) => [name, name.slice(prefix.length)]) },
};

export const serviceAccountBehaviours = [
  on(createServiceAccount, (call, { registryId, name: given, permissions, description = "", disable = false, ...validity }) => {
    runningRegistry(call, registryId);
    const name = nameOf(given);
    refuseAccountName(call, name);
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

  on(modifyServiceAccount, (call, { registryId, name, permissions, description, disable, ...validity }) => {
    const was = existingAccount(call, registryId, name);
    if (permissions) refusePermissions(call, registryId, permissions);
    call.rows(serviceAccounts).update(was.id, {
      description: description ?? was.description,
      disabled: disable ?? was.disabled,
      expiresAt: expiryOf(call, validity) ?? was.expiresAt,
      permissions: permissions ?? was.permissions,
      updatedAt: call.timestamp,
    });
    return {};
  }),

  on(modifyServiceAccountPassword, (call, { registryId, name, random, password: given }) => {
    const { id } = existingAccount(call, registryId, name);
    const password = random ? randomPassword(call, given) : givenPassword(call, given);
    call.rows(serviceAccounts).update(id, { fingerprint: fingerprintOf(password), updatedAt: call.timestamp });
    return { password };
  }),

  on(describeServiceAccounts, (call, { registryId, all = false, embedPermission = call.form === "public", limit, ...asked }) => {
    registryOf(call, registryId);
    const records = (rows: readonly ServiceAccountRow[]) => rows.map((row) => recordOf(row, embedPermission));
    if (all) {
      const found = filtered(call, listing.filters, asked.filters, call.rows(serviceAccounts).list(registryId));
      return { serviceAccounts: records(found), totalCount: found.length };
    }
    // A limit above the maximum is taken as the maximum (public API).
    const page = { ...asked, limit: limit === undefined ? undefined : Math.min(limit, mostAtOnce) };
    const { totalCount, rows } = listed(call, listing, { ...page, parent: registryId });
    return { serviceAccounts: records(rows), totalCount };
  }),

  on(deleteServiceAccount, (call, { registryId, name }) => {
    call.rows(serviceAccounts).remove(existingAccount(call, registryId, name).id);
    return {};
  }),
];

/** The full name of an account, which may be given with or without the prefix. */
function nameOf(given: string): string {
  return given.startsWith(prefix) ? given : `${prefix}${given}`;
}

function accountOf(call: Call, registryId: string, name: string): ServiceAccountRow | undefined {
  return call.rows(serviceAccounts).get(`${registryId}/${nameOf(name)}`);
}

function existingAccount(
  call: Call<"ResourceNotFound" | "ResourceNotFound.TcrResourceNotFound">,
  registryId: string,
  name: string,
): ServiceAccountRow {
  registryOf(call, registryId);
  const found = accountOf(call, registryId, name);
  if (!found) throw call.error("ResourceNotFound.TcrResourceNotFound", `registry ${registryId} has no service account ${nameOf(name)}`);
  return found;
}

function refuseAccountName(call: Call, name: string): void {
  refuseUnlessAllowed(call, "InvalidParameter", "Name", name.slice(prefix.length), registryRules.accountName);
}

function randomPassword(call: Call, given: string | undefined): string {
  if (given !== undefined) throw call.error("InvalidParameter", "Password goes only with Random false; with true the platform draws one");
  return newSecret(call.world);
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
    const odd = actions.find((action) => !registryActions.some((known) => known === action));
    if (odd !== undefined || actions.length === 0)
      throw call.error("InvalidParameter", `Actions of ${resource} has ${odd ?? "no entry"}; it takes ${registryActions.join(", ")}`);
  }
}

/** The moment at which an account expires, from a number of days or a moment; `undefined` if neither is given. */
function expiryOf(
  call: Call,
  { duration, expiresAt }: { readonly duration?: number | undefined; readonly expiresAt?: number | undefined },
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
  const { name, description, disabled, expiresAt, createdAt, updatedAt, permissions } = row;
  return {
    name,
    description,
    disable: disabled,
    expiresAt,
    createTime: createdAt,
    updateTime: updatedAt,
    permissions: embedPermission ? permissions : [],
  };
}
