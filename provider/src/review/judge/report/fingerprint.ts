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
  const approved = changes.map(({ urn, operation, causes, properties }) => ({ urn, operation, causes: sorted(causes), properties }));
  const parts = [about, project, stack, verdict, sorted(reasons), sorted(approved)];
  const text = JSON.stringify(isKeyed ? inOrder(parts) : inOrder(JSON.parse(JSON.stringify(parts, withoutDigests))));
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A list in an order of its own: Pulumi plans resources that do not depend on each other in any order. */
function sorted(list: readonly unknown[]): readonly unknown[] {
  return list
    .map((one) => ({ one, text: JSON.stringify(inOrder(one)) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ one }) => one);
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
