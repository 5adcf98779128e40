import { type ErrorKind, PlatformError } from "@container-platform/sdk";

const kinds: readonly ErrorKind[] = ["unauthorized", "throttled", "transient"];

/** Whether a read failed for lack of permission or because the platform is busy: the error says nothing about the resource. */
export function isUnreadable(error: unknown): error is PlatformError {
  return error instanceof PlatformError && kinds.includes(error.kind);
}
