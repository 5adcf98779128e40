import { z } from "zod";
import type { JsonObject } from "../../operation/codec.ts";
import { InputError } from "../../operation/errors.ts";
import { once } from "../../operation/operation.ts";
import { type Call, Context } from "../behaviour.ts";
import { regions } from "../regions.ts";
import { resourcesMeant } from "../requests/resources-meant.ts";
import type { Table } from "../store/table.ts";
import type { World } from "../store/world.ts";
import { type AccessKey, checkedPolicy, covers, insertAccount, insertKey, permissionFor, type Policy, policySchema } from "./rows.ts";

/** Who makes a call, and in which main account. Both ids are the same if the main account itself calls. */
export interface Caller {
  /** The main account's id. */
  readonly account: string;
  readonly uin: string;
}

const accountRow = z.object({ uin: z.string(), main: z.string(), policy: z.string() });
/** A row of an access key, with the main account of its account. */
const keyRow = once(() =>
  z.object({
    id: z.string(),
    uin: z.string(),
    main: z.string(),
    secret: z.string(),
    token: z.string().nullable(),
    /** The moment of the world's clock at which it expires; null: never. */
    expires: z.number().nullable(),
    disabled: z.number(),
  }),
);
const keys = "SELECT accessKeys.*, accounts.main FROM accessKeys JOIN accounts ON accounts.uin = accessKeys.uin";

export interface NewSubAccount {
  readonly name: string;
  /** Permissions such as `cluster:DescribeClusters`, `reg:*`, `vpc:*` or `*`. None unless given. */
  readonly allow?: readonly string[];
  /** Writes that are refused on resources with a tag; with any value of its key unless one is given. */
  readonly deny?: readonly { readonly permissions: readonly string[]; readonly tag: { readonly key: string; readonly value?: string } }[];
  /** Its uin, such as that of a sub-account elsewhere; the next free one unless given. */
  readonly uin?: string;
  /** The main account that it belongs to; the world's first one unless given. */
  readonly account?: string;
}

/** Adds another main account to a world. It sees nothing of the others. Answers its uin. */
export async function putAccount(world: World, { name }: { name: string }): Promise<string> {
  return world.transaction(() => {
    const uin = newUin(world);
    insertAccount(world, { uin, main: uin, name }, { allow: ["*"], deny: [] });
    return uin;
  });
}

/**
 * Adds a sub-account to a world. Answers its uin.
 *
 * @throws InputError for an invalid permission, for a uin that is none or is taken, and if there is no such main account.
 */
export async function putSubAccount(
  world: World,
  { name, uin: wanted, account = world.account, ...given }: NewSubAccount,
): Promise<string> {
  const policy = policyFrom(given);
  return world.transaction(() => {
    if (callerOf(world, account).account !== account)
      throw new InputError(`${account} is a sub-account; sub-accounts belong to main accounts`);
    const uin = wanted === undefined ? newUin(world) : freeUin(world, wanted);
    insertAccount(world, { uin, main: account, name }, policy);
    return uin;
  });
}

/**
 * Replaces the permissions of a sub-account.
 *
 * @throws InputError for an invalid permission, and if there is no such sub-account.
 */
export async function setPermissions(world: World, uin: string, given: Pick<NewSubAccount, "allow" | "deny">): Promise<void> {
  const policy = policyFrom(given);
  return world.transaction(() => {
    if (callerOf(world, uin).account === uin) throw new InputError(`${uin} is a main account: it has every permission`);
    world.prepare("UPDATE accounts SET policy = ? WHERE uin = ?").run(JSON.stringify(policy), uin);
  });
}

/**
 * Adds an access key of an account to a world. A temporary one has a token, which is sent with each call.
 *
 * @param expiresAt milliseconds since 1970 by the world's clock; never unless given
 * @throws InputError if there is no such account.
 */
export async function putAccessKey(
  world: World,
  { uin = world.account, temporary = false, expiresAt }: { uin?: string; temporary?: boolean; expiresAt?: number } = {},
): Promise<AccessKey> {
  return world.transaction(() => {
    callerOf(world, uin);
    const secretId = `AKID${world.drawHex().slice(0, 32)}`;
    const secretKey = world.draw().toString("base64url");
    const token = temporary ? world.draw().toString("base64url") : undefined;
    insertKey(world, { secretId, secretKey, token, uin, expiresAt });
    return { secretId, secretKey, token };
  });
}

/**
 * Disables an access key, or enables it again.
 *
 * @throws InputError if there is no such key.
 */
export async function setAccessKey(world: World, secretId: string, { disabled }: { disabled: boolean }): Promise<void> {
  return world.transaction(() => {
    const { changes } = world.prepare("UPDATE accessKeys SET disabled = ? WHERE id = ?").run(disabled ? 1 : 0, secretId);
    if (changes === 0) throw new InputError(`there is no access key ${secretId} in this world`);
  });
}

/**
 * The first enabled access key of an account. The first main account has one from the beginning.
 *
 * @throws InputError if it has none.
 */
export function accessKeyOf(world: World, uin = world.account): AccessKey {
  const found = world.prepare(`${keys} WHERE accessKeys.uin = ? AND disabled = 0 ORDER BY seq LIMIT 1`).get(uin);
  if (!found) throw new InputError(`account ${uin} has no access key in this world`);
  const { id, secret, token } = keyRow().parse(found);
  return { secretId: id, secretKey: secret, token: token ?? undefined };
}

/** An access key, with what a signature check needs. */
export interface KnownKey extends AccessKey {
  readonly caller: Caller;
  readonly disabled: boolean;
  readonly expired: boolean;
}

export function findAccessKey(world: World, secretId: string): KnownKey | undefined {
  const found = world.recall("accessKeys", secretId, () => {
    const row = world.prepare(`${keys} WHERE id = ?`).get(secretId);
    return row && keyRow().parse(row);
  });
  if (!found) return undefined;
  const { id, uin, main, secret, token, expires, disabled } = found;
  const expired = expires !== null && world.now() >= expires;
  return { secretId: id, secretKey: secret, token: token ?? undefined, caller: { account: main, uin }, disabled: disabled === 1, expired };
}

/** @throws InputError if there is no such account. */
export function callerOf(world: World, uin: string): Caller {
  return { account: accountNamed(world, uin).main, uin };
}

/**
 * Whether a main account has a sub-account. A world to which none was added cannot know which ones its user has elsewhere: there, every
 * number may be one.
 */
export function mayBeSubAccount(world: World, { uin, account }: Caller): boolean {
  const known = world.prepare("SELECT uin FROM accounts WHERE main = ? AND uin <> main").all(account);
  return known.length === 0 || known.some((row) => row["uin"] === uin);
}

/** Ids of all main accounts. */
export function mainAccounts(world: World): string[] {
  const rows = world.prepare("SELECT uin, main, policy FROM accounts WHERE uin = main ORDER BY uin").all();
  return rows.map((row) => accountRow.parse(row).uin);
}

/** The rows of a table in all accounts and regions. */
export function everyRow<Row extends { id: string }>(world: World, of: Table<Row>): { at: Context; row: Row }[] {
  const now = world.now();
  const places = mainAccounts(world).flatMap((account) => regions.map((region) => new Context(world, region, account, now)));
  return places.flatMap((at) => at.list(of).map((row) => ({ at, row })));
}

function accountNamed(world: World, uin: string): z.output<typeof accountRow> {
  const found = world.prepare("SELECT uin, main, policy FROM accounts WHERE uin = ?").get(uin);
  if (!found) throw new InputError(`there is no account ${uin} in this world`);
  return accountRow.parse(found);
}

function freeUin(world: World, uin: string): string {
  if (!/^\d{12}$/.test(uin)) throw new InputError(`${uin} is no uin; it takes 12 digits`);
  if (world.prepare("SELECT uin FROM accounts WHERE uin = ?").get(uin)) throw new InputError(`there is an account ${uin} already`);
  return uin;
}

function newUin(world: World): string {
  return String(Number(world.prepare("SELECT max(uin) AS latest FROM accounts").get()?.["latest"]) + 1);
}

function policyFrom({ allow = [], deny = [] }: Pick<NewSubAccount, "allow" | "deny">): Policy {
  return checkedPolicy({ allow: [...allow], deny: deny.map(({ permissions, tag }) => ({ permissions: [...permissions], tag })) });
}

/**
 * Refuses a call that a sub-account may not make (specification, Authentication 2 and Errors): `UnauthorizedOperation.AccessMgmtNoAuth`
 * if it lacks the permission, `AuthFailure.UnauthorizedOperation` for a write on a resource with a tag for which it is denied.
 */
export function refuseUnauthorized(call: Call, body: JsonObject): void {
  const { account, uin, operation } = call;
  if (uin === account || operation.product === "identity") return;
  const policy = policySchema().parse(JSON.parse(accountNamed(call.world, uin).policy));
  const needed = permissionFor(operation);
  if (!policy.allow.some((granted) => covers(granted, needed)))
    throw call.error(
      "UnauthorizedOperation.AccessMgmtNoAuth",
      `sub-account ${uin} lacks the permission ${needed}, which ${operation.action} needs`,
    );
  if (operation.effect === "write") for (const denial of policy.deny) refuseDenied(call, body, denial);
}

function refuseDenied(call: Call, body: JsonObject, { permissions, tag }: Policy["deny"][number]): void {
  const { operation, uin } = call;
  // A denial may name single operations, of the network too, where `allow` cannot.
  const named = [permissionFor(operation), `${operation.product}:${operation.action}`];
  if (!permissions.some((denied) => named.some((name) => covers(denied, name)))) return;
  for (const { id, tags } of resourcesMeant(call, body))
    if (tags.some(({ key, value }) => key === tag.key && (tag.value === undefined || tag.value === value)))
      throw call.error(
        "AuthFailure.UnauthorizedOperation",
        `sub-account ${uin} is denied ${operation.action} on ${id}, which has the tag ${tag.key}`,
      );
}
