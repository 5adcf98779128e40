import { createHash } from "node:crypto";
import type { World } from "../../store/world.ts";

/** A new secret with which one can log in. */
export function newSecret(world: World): string {
  return Buffer.concat([world.draw(), world.draw()]).toString("base64url");
}

/** What is kept of a secret: enough to know it again, too little to tell it. */
export function fingerprintOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
