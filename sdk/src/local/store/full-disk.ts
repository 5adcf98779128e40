import { codeOf, codes } from "./sqlite.ts";

const fullDisk = ["ENOSPC", "EDQUOT"];

/** Whether something failed because there is no room: a write of a file, or one of the world. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && fullDisk.includes(error.code)) return true;
  return codeOf(error) === codes.full || isDiskFull(error.cause);
}
