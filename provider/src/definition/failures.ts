import { setTimeout as sleep } from "node:timers/promises";
import { InputError, PlatformError } from "@container-platform/sdk";
import { ProviderError } from "./codes.ts";

/** Whether the platform says that it cannot just now. It may have done what was asked all the same. */
export function passes(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.kind === "transient";
}

/** Whether it is certain that nothing was done. */
export function isRefused(error: unknown): boolean {
  if (error instanceof InputError) return true;
  if (error instanceof ProviderError) return ["AlreadyExists", "CannotChange", "InvalidInput", "NotFound"].includes(error.code);
  return error instanceof PlatformError && !["unreachable", "transient", "failed"].includes(error.kind);
}

/** What failed, and what to do. */
export function withTodo(error: unknown, todo: string | undefined): string {
  return [reasonOf(error), todo].filter((part) => part !== undefined).join(". ");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PlatformError)) return error instanceof Error ? error.message : String(error);
  const source = [error.code, error.requestId && `request ${error.requestId}`].filter(Boolean).join(", ");
  return `${error.reason} (${error.origin.action}: ${source})`;
}

/** The failure of a creation of several calls, of which an earlier one has made the resource. */
export class AfterWriting extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** How many calls may fail because the resource has changed since it was read. */
const maxConflicts = 20;

const outdated: readonly string[] = ["UnsupportedOperation.VersionMismatch", "UnsupportedOperation.DuplicatePolicy"];

/** Repeats a read and the write that follows from it: another client may have changed the resource meanwhile, or the read may be late. */
export async function onNewestRead<T>(work: () => Promise<T>): Promise<T> {
  for (let conflicts = 0; ; conflicts++)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PlatformError && outdated.includes(error.code)) || conflicts === maxConflicts) throw error;
      await sleep(100 * conflicts);
    }
}

/** Whether a read failed for lack of permission or because the platform is busy: the error says nothing about the resource. */
export function isUnreadable(error: unknown): error is PlatformError {
  return error instanceof PlatformError && ["unauthorized", "throttled", "transient"].includes(error.kind);
}
