import { createHash } from "node:crypto";
import type { StatementSync } from "node:sqlite";
import type { Policy } from "./policy.ts";

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
