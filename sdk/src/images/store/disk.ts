import { codeOf, codes } from "../../local/store/sqlite.ts";

const fullDisk = ["ENOSPC", "EDQUOT"];

/** Whether a write failed because there is no room: that of a file, or that of the world. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && fullDisk.includes(error.code)) return true;
  return codeOf(error) === codes.full || isDiskFull(error.cause);
}
