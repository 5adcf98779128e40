import { type Cloud, registryRules } from "@container-platform/sdk";
import { serviceAccountsOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import type { Live } from "../../definition/definition.ts";
import { allowed, cleared, distinct, isMoment, kept, moment, object, secret, spelt, unordered, withRule } from "../../definition/inputs.ts";
import { idOf, joined } from "../../definition/ids.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { StatePatch } from "../../definition/changes.ts";
import { differs } from "../../schema/compare.ts";
import { future } from "./offers.ts";
import { namespaceIn, requires } from "./prerequisite.ts";
import { RegistryInstance } from "./registry-instance.ts";

/** Programs write actions that are known. The platform may tell of others: they are a difference like any other. */
const action: z.ZodType<string, (typeof registry.registryActions)[number]> = z.enum(registry.registryActions);

const permission = object({
  resource: spelt(
    withRule(z.string(), (text) =>
      registryRules.namespaceName.allows(text.replace(/\/$/, ""))
        ? undefined
        : `takes the name of a namespace, such as team, not ${JSON.stringify(text)}`,
    ),
    (name) => typeof name === "string" && pathOf(name),
  ),
  actions: unordered(z.array(action).min(1)),
});

const permissionList = unordered(
  distinct(
    z.array(permission).min(1),
    ({ resource: name }) => [pathOf(name)],
    (path) => `${path} is in it twice: name each namespace once`,
  ),
);

const expiry = cleared(spelt(moment("2027-01-01T00:00:00Z"), (text) => (isMoment(text) ? momentOf(Date.parse(text)) : text)));

/** The arguments of `ServiceAccount`. */
export interface ServiceAccountArgs {
  /** The registry. A change replaces the account. */
  registryId: Input<string>;
  /**
   * Name without the prefix `reg$` of the platform: lower-case letters, digits and single separators (`.`, `_`, `-`) between them. A
   * change replaces the account.
   */
  name: Input<string>;
  /** Permissions, one entry for each namespace, at least one. The order does not matter. */
  permissions: Input<readonly Input<ServiceAccountPermission>[]>;
  /** Description of the account. Default: empty. */
  description?: Input<string | undefined>;
  /** Whether the login is disabled. */
  disable?: Input<boolean | undefined>;
  /** Expiry, ISO 8601. An expired account remains, without a login; a later time enables the account again. Default: never. */
  expiresAt?: Input<string | undefined>;
  /**
   * Any text. A change rotates the password, and the old password stops working. If the update is interrupted, the next one rotates it
   * again; if you change the text back instead, change it once more. Default: `1`.
   */
  passwordVersion?: Input<string | undefined>;
}

export interface ServiceAccountPermission {
  /** Name of the namespace, such as `team`. The form of the platform, `team/`, has the same meaning. */
  resource: Input<string>;
  /** Allowed actions, at least one. The order does not matter. */
  actions: Input<
    readonly Input<
      | "reg:PushRepository"
      | "reg:PullRepository"
      | "reg:CreateRepository"
      | "reg:DeleteRepository"
      | "reg:CreateHelmChart"
      | "reg:DescribeHelmCharts"
    >[]
  >;
}

export interface ServiceAccountPermissionOutput {
  /** Name of the namespace, such as `team`. */
  resource: string;
  /** Allowed actions. */
  actions: string[];
}

/** The properties of a `ServiceAccount` once they are known. */
export interface ServiceAccountState extends ResolvedWithDefaults<Omit<ServiceAccountArgs, "permissions">, "description" | "disable"> {
  /** Permissions, one entry for each namespace. */
  permissions: ServiceAccountPermissionOutput[];
  /** User name for the login. */
  username: string;
  /** Password for the login. A secret. Empty after an import, until `passwordVersion` changes. */
  password: string;
}

/**
 * A service account: a login to one registry for a build or the nodes of a cluster, with permissions by namespace and an optional expiry.
 * The API returns its password only when the account is created and when the password is rotated.
 *
 * @example
 * const ci = new ServiceAccount("ci", {
 *   registryId: images.registryId,
 *   name: "ci",
 *   permissions: [{ resource: team.namespaceName, actions: ["reg:PushRepository", "reg:PullRepository"] }],
 *   expiresAt: "2027-01-01T00:00:00Z",
 * });
 */
export class ServiceAccount extends resource<ServiceAccountArgs, ServiceAccountState>()("ServiceAccount", {
  inputs: {
    registryId: idOf("tcr"),
    name: allowed(z.string(), registryRules.accountName),
    permissions: permissionList,
    description: z.string().default(""),
    disable: z.boolean().default(false),
    expiresAt: expiry,
    passwordVersion: kept(z.string()),
  },
  outputs: {
    username: z.string(),
    password: secret(z.string()),
  },
  id: joined("tcr-3f8a0c1e/ci", "registryId", "name"),
}).managed({
  within: { kind: RegistryInstance.kind, by: "registryId" },
  create: async (cloud, { passwordVersion: _first, permissions, expiresAt, ...settings }) => {
    const { name: username, password } = await cloud.call(registry.createServiceAccount, {
      ...settings,
      permissions: permissions.map(permissionOf),
      ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
    });
    return { username, password };
  },
  // Only the creation returns the password.
  owned: { note: () => "description" },
  read: async (cloud, { registryId, name, password, passwordVersion = "1" }) => {
    const found = (await serviceAccountsOf(cloud, registryId)).find(({ accountName }) => accountName === name);
    const expiresAt = found && found.expiresAt > 0 ? momentOf(found.expiresAt) : undefined;
    return found && { ...found, registryId, name, expiresAt, passwordVersion, username: found.name, password };
  },
  list: (cloud, { registryId: ids }) =>
    below(ids, async (registryId) =>
      (await serviceAccountsOf(cloud, registryId)).map(({ accountName: name, description }) => ({ registryId, name, description })),
    ),
  delete: (cloud, { registryId, name }) => cloud.call(registry.deleteServiceAccount, { registryId, name }),

  changes: {
    registryId: "replace",
    name: "replace",
    permissions: modify,
    description: modify,
    disable: modify,
    expiresAt: modify,
    passwordVersion: async (cloud, { registryId, name }) => {
      const { password } = await cloud.call(registry.modifyServiceAccountPassword, { registryId, name, random: true });
      return new StatePatch({ password });
    },
  },
  offered: { expiresAt: future },
  needsByName: true,
  invariants: { check: [requires(namespaceIn("permissions.*.resource", "registryId"))] },
  hints: {
    FailedOperation:
      'If a service account of this name already exists, import it: add { import: "<registryId>/<name>" } to the options of the resource. Or use another name',
    "OperationDenied.QuotaOverLimit": "A registry has no room for more service accounts: delete some that nobody uses",
  },
  inputsToImport: () => Promise.resolve({ passwordVersion: undefined }),
  namesOthers: {
    permissions: {
      kind: "Namespace",
      property: "namespaceName",
      parts: (text, { registryId }) => ({ registryId, namespaceName: text.replace(/\/$/, "") }),
    },
  },
}) {}
export interface ServiceAccount extends Outputs<ServiceAccountState> {}

interface Desired extends Omit<ServiceAccountState, "username" | "password" | "permissions"> {
  readonly permissions: z.output<typeof permissionList>;
}

/** The platform would refuse a moment that has passed, or a namespace that has gone, also where it is there already. */
function modify(cloud: Cloud, desired: Desired, live: Live<Pick<Desired, "permissions" | "expiresAt">>) {
  const { registryId, name, description, disable, permissions, expiresAt } = desired;
  return cloud.call(registry.modifyServiceAccount, {
    registryId,
    name,
    description,
    disable,
    ...(differs(permissionList, permissions, live.permissions) && { permissions: permissions.map(permissionOf) }),
    ...(differs(expiry, expiresAt, live.expiresAt) && { expiresAt: expiresAt === undefined ? never : Date.parse(expiresAt) }),
  });
}

/** What stands for no end. */
const never = -1;

function permissionOf({ resource: name, actions }: z.output<typeof permission>) {
  return { resource: pathOf(name), actions };
}

function pathOf(namespace: string): string {
  return namespace.endsWith("/") ? namespace : `${namespace}/`;
}

function momentOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
