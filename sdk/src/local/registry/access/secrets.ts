import { createHash } from "node:crypto";
import type { World } from "../../store/world.ts";

/** A new secret for a log-in. */
export function newSecret(world: World): string {
  return Buffer.concat([world.draw(), world.draw()]).toString("base64url");
}

/** The stored hash of a secret: it can be compared, but the secret cannot be recovered from it. */
export function fingerprintOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
