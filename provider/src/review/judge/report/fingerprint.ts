import { createHash } from "node:crypto";
import type { Report } from "../../report.ts";

/**
 * A hash of what is approved. Lines of the program are left out, and so are the hashes of secrets if each run has a key of its own: they
 * may differ between runs that would do the same.
 */
export function fingerprintOf(
  { about, project, stack, verdict, reasons, changes }: Omit<Report, "fingerprint" | "headline">,
  isKeyed: boolean,
): string {
  const textOf = (value: unknown): string => JSON.stringify(inOrder(isKeyed ? value : JSON.parse(JSON.stringify(value, withoutDigests))));
  // Pulumi plans resources that do not depend on each other in any order.
  const unordered = (list: readonly unknown[]): readonly string[] => list.map(textOf).toSorted();
  const approved = changes.map(({ urn, operation, causes, properties }) => ({ urn, operation, causes: unordered(causes), properties }));
  const text = JSON.stringify([about, project, stack, verdict, unordered(reasons), unordered(approved)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function withoutDigests(key: string, value: unknown): unknown {
  if (key === "digest") return undefined;
  return typeof value === "string" ? value.replaceAll(/\[secret [0-9a-f]+\]/g, "[secret]") : value;
}

/** A value with its keys in order, which a report that was saved and read again may not have as they were. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, inner]) => [key, inOrder(inner)]);
}
