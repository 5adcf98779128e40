import { type Cloud, registryRules } from "@container-platform/sdk";
import { serviceAccountsOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import { allowed, withRule } from "../../definition/allowed.ts";
import { idOf } from "../../definition/ids.ts";
import { joined } from "../../definition/id.ts";
import { cleared, kept, object, secret, spelt, unordered } from "../../definition/inputs.ts";
import { below } from "../../definition/listing.ts";
import { type ArgsOf, resource } from "../../definition/resource.ts";
import { StatePatch } from "../../definition/state-patch.ts";
import { differs } from "../../schema/compare.ts";
import { future } from "./offers.ts";
import { namespaceIn } from "./needed-namespace.ts";
import { RegistryInstance } from "./registry-instance.ts";

/** Programs write actions that are known. The platform may tell of others: they are a difference like any other. */
const action: z.ZodType<string, (typeof registry.registryActions)[number]> = z.enum(registry.registryActions);

const permissionShape = {
  /** The namespace, by its name: `team`. `team/`, as the platform writes it, means the same. */
  resource: spelt(
    withRule(
      z.string(),
      "the name of a namespace",
      (text) =>
        registryRules.namespaceName.allows(text.replace(/\/$/, ""))
          ? undefined
          : `takes the name of a namespace, such as team, not ${JSON.stringify(text)}`,
      "takes the name of a namespace, such as team, not <value>",
    ),
    (name) => typeof name === "string" && pathOf(name),
  ),
  /** What may be done there, at least one. The order means nothing. */
  actions: unordered(z.array(action).min(1)),
};
type OfPermission = typeof permissionShape;
/** By this name, published declarations lead to the comments above. */
export interface PermissionShape extends OfPermission {}

const permission: z.ZodObject<PermissionShape, z.core.$strict> = object(permissionShape);

const permissionList = unordered(
  withRule(
    z.array(permission).min(1),
    "each namespace once",
    (permissions) => {
      const paths = permissions.map(({ resource: name }) => pathOf(name));
      const twice = paths.find((path, index) => paths.indexOf(path) < index);
      return twice === undefined ? undefined : `${twice} is in it twice: name each namespace once`;
    },
    "<resource> is in it twice: name each namespace once",
  ),
);

const zoned = z.iso.datetime({ offset: true });
const form = "a moment with its time zone, such as 2027-01-01T00:00:00Z";
const moment = withRule(z.string(), form, (text) =>
  zoned.safeParse(text).success ? undefined : `takes ${form}, not ${JSON.stringify(text)}`,
);
const expiry = cleared(spelt(moment, (text) => (zoned.safeParse(text).success ? momentOf(Date.parse(String(text))) : text)));

/**
 * A user of one registry for machines, such as a build or the nodes of a cluster. It may do what its permissions say, until it ends.
 * The platform tells its password when it is made, and when it is drawn anew.
 *
 * @example
 * const ci = new ServiceAccount("ci", {
 *   registryId: images.registryId,
 *   name: "ci",
 *   permissions: [{ resource: team.namespaceName, actions: ["reg:PushRepository", "reg:PullRepository"] }],
 *   expiresAt: "2027-01-01T00:00:00Z",
 * });
 */
export class ServiceAccount extends resource("ServiceAccount", {
  inputs: {
    /** The registry. A change makes a new account. */
    registryId: idOf("tcr"),
    /** Name, without the `reg$` that the platform puts before it: lower-case letters, digits and single separators (`.`, `_`, `-`) between them. A change makes a new account. */
    name: allowed(z.string(), registryRules.accountName),
    /** What it may do, one entry for each namespace; at least one. The order means nothing. */
    permissions: permissionList,
    /** What it is for. Default: empty. */
    description: z.string().default(""),
    /** Whether nobody can log in with it. */
    disable: z.boolean().default(false),
    /** When it ends, ISO 8601. It stays then, but nobody can log in with it; a later moment revives it. Default: never. */
    expiresAt: expiry,
    /**
     * Any text: a change has a new password drawn, and the earlier one stops working. If a run is killed meanwhile, the next `up` on the same
     * machine draws another; on another machine, change it once more. Default: `1`.
     */
    passwordVersion: kept(z.string()),
  },
  outputs: {
    /** User to log in as. */
    username: z.string(),
    /** Password to log in with. A secret. Not known of an account that was imported, until `passwordVersion` changes. */
    password: secret(z.string()),
  },
  id: joined("tcr-3f8a0c1e/ci", "registryId", "name"),
}).managed({
  within: { kind: RegistryInstance.kind, by: "registryId" },
  // Nobody can log in before the step that takes the note away.
  create: async (cloud, { registryId, name, permissions, expiresAt }, draftNote) => {
    const { name: username, password } = await cloud.call(registry.createServiceAccount, {
      registryId,
      name,
      permissions: permissions.map(permissionOf),
      description: draftNote,
      disable: true,
      ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
    });
    return { username, password };
  },
  owned: {
    // Only its creation tells the password: an account whose creation was not finished is of no use, and not to be left usable.
    sweep: async (cloud, { registryId }, { draftNote, unsaved }) => {
      let found = false;
      for (const of of new Set([registryId, unsaved?.registryId ?? registryId]))
        for (const { accountName: name, description } of await serviceAccountsOf(cloud, of))
          if (description === draftNote || (of === unsaved?.registryId && name === unsaved.name)) {
            await cloud.call(registry.deleteServiceAccount, { registryId: of, name });
            found = true;
          }
      return found;
    },
  },
  read: async (cloud, { registryId, name, password, passwordVersion = "1" }) => {
    const found = (await serviceAccountsOf(cloud, registryId)).find(({ accountName }) => accountName === name);
    return (
      found && {
        registryId,
        name,
        permissions: found.permissions,
        description: found.description,
        disable: found.disable,
        expiresAt: found.expiresAt > 0 ? momentOf(found.expiresAt) : undefined,
        passwordVersion,
        username: found.name,
        password,
      }
    );
  },
  list: (cloud, { registryId: ids }) =>
    below(ids, async (registryId) => (await serviceAccountsOf(cloud, registryId)).map(({ accountName: name }) => ({ registryId, name }))),
  delete: (cloud, { registryId, name }) => cloud.call(registry.deleteServiceAccount, { registryId, name }),

  changes: {
    registryId: "replace",
    name: "replace",
    permissions: modify,
    description: modify,
    disable: modify,
    expiresAt: modify,
    passwordVersion: drawPassword,
  },
  offered: { expiresAt: future },
  needs: [namespaceIn("permissions.*.resource", "registryId")],
  hints: {
    FailedOperation:
      "If a service account of this name is there already, take it over: add { import: <registryId>/<name> } to this resource's options, or take another name",
    "OperationDenied.QuotaOverLimit": "A registry has no room for more service accounts: delete some that nobody uses",
  },
  rare: {
    inputsToImport: () => Promise.resolve({ passwordVersion: undefined }),
    renew: drawPassword,
    toldOnce: "password",
    namesOthers: {
      permissions: {
        kind: "Namespace",
        property: "namespaceName",
        parts: (text, { registryId }) => ({ registryId, namespaceName: text.replace(/\/$/, "") }),
      },
    },
  },
}) {}

export type ServiceAccountArgs = ArgsOf<typeof ServiceAccount>;

async function drawPassword(cloud: Cloud, { registryId, name }: Pick<Desired, "registryId" | "name">) {
  const { password } = await cloud.call(registry.modifyServiceAccountPassword, { registryId, name, random: true });
  return new StatePatch({ password });
}

interface Settings {
  readonly permissions: z.output<typeof permissionList>;
  readonly expiresAt?: string | undefined;
}

interface Desired extends Settings {
  readonly registryId: string;
  readonly name: string;
  readonly description: string;
  readonly disable: boolean;
}

/** The platform would refuse a moment that has passed, or a namespace that has gone, also where it is there already. */
function modify(cloud: Cloud, desired: Desired, live: { readonly [Key in keyof Settings]: Settings[Key] | undefined }) {
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
