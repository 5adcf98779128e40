import { createHash } from "node:crypto";
import type { StatementSync } from "node:sqlite";
import { z } from "zod";
import { InputError } from "../../operation/errors.ts";
import { once, type Operation, type Product, products } from "../../operation/operation.ts";

/** What calls are signed with. */
export interface AccessKey {
  readonly secretId: string;
  readonly secretKey: string;
  /** Sent with each call; only temporary keys have one. */
  readonly token: string | undefined;
}

/** The parts of a world that adding rows needs. */
interface Writable {
  /** The id of its first main account. */
  readonly account: string;
  readonly prepare: (sql: string) => StatementSync;
}

/** Adds the first account of a new world, and its access key, which is the same for the same seed. */
export function putFirstAccount(world: Writable, seed: string): void {
  insertAccount(world, { uin: world.account, main: world.account, name: "root" }, { allow: ["*"], deny: [] });
  const bytes = createHash("sha512").update(`${seed}/access key`).digest();
  const secretId = `AKID${bytes.subarray(0, 16).toString("hex")}`;
  const secretKey = bytes.subarray(16, 48).toString("base64url");
  insertKey(world, { secretId, secretKey, token: undefined, uin: world.account, expiresAt: undefined });
}

export function insertAccount(world: Writable, { uin, main, name }: { uin: string; main: string; name: string }, policy: Policy): void {
  world.prepare("INSERT INTO accounts (uin, main, name, policy) VALUES (?, ?, ?, ?)").run(uin, main, name, JSON.stringify(policy));
}

export function insertKey(
  world: Writable,
  { secretId, secretKey, token, uin, expiresAt }: AccessKey & { uin: string; expiresAt: number | undefined },
): void {
  world
    .prepare("INSERT INTO accessKeys (id, uin, secret, token, expires, disabled) VALUES (?, ?, ?, ?, ?, 0)")
    .run(secretId, uin, secretKey, token ?? null, expiresAt === undefined ? null : Math.round(expiresAt));
}

/** What a sub-account may do. A permission is `<prefix>:<Action>`, `<prefix>:*`, or `*` for everything. */
export const policySchema = once(() =>
  z.object({
    allow: z.array(z.string()),
    /** Writes that are refused, even if allowed, on resources with a tag; with any value of its key unless one is given. */
    deny: z.array(z.object({ permissions: z.array(z.string()), tag: z.object({ key: z.string(), value: z.string().optional() }) })),
  }),
);
export type Policy = z.output<ReturnType<typeof policySchema>>;

/** Prefixes of permissions (specification, Conventions: `reg:` for those of the registry). */
const prefixes = products.map(prefixOf);

function prefixOf(product: Product): string {
  return product === "registry" ? "reg" : product;
}

/** The permission that a call of an operation needs. All network operations share one (specification, Authentication 2). */
export function permissionFor({ product, action }: Pick<Operation, "product" | "action">): string {
  return product === "vpc" ? networkPermission : `${prefixOf(product)}:${action}`;
}

const networkPermission = "vpc:*";

export function covers(granted: string, needed: string): boolean {
  return granted === "*" || granted === needed || (granted.endsWith(":*") && needed.startsWith(granted.slice(0, -1)));
}

/** @throws InputError for an invalid permission. */
export function checkedPolicy({ allow, deny }: Policy): Policy {
  for (const permission of [...allow, ...deny.flatMap(({ permissions }) => permissions)]) {
    const [prefix = "", action = "", ...more] = permission.split(":");
    const known = prefixes.includes(prefix) && /^(\*|[A-Z][A-Za-z0-9]*)$/.test(action) && more.length === 0;
    if (permission !== "*" && !known)
      throw new InputError(
        `${permission} is no permission: it is *, <prefix>:* or <prefix>:<Action>, with a prefix of ${prefixes.join(", ")}`,
      );
  }
  const single = allow.find((permission) => permission.startsWith("vpc:") && permission !== networkPermission);
  if (single !== undefined)
    throw new InputError(`${single} cannot be allowed alone: network operations have one permission for all of them, ${networkPermission}`);
  return { allow, deny };
}
