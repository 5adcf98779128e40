import { nearest } from "../../formats/near-spellings.ts";
import { UsageError } from "../run/failures.ts";

/** A sentence with the known names that are spelt like a given one; empty if there are none. */
export function guess(name: string, known: readonly string[]): string {
  return meant(nearest(name, known));
}

/**
 * The error for unknown options, in the words of the specification (Errors, client-local).
 *
 * @param more sentences that say what to do
 */
export function unknownOptions(names: readonly string[], known: readonly string[], more: readonly (string | false)[]): UsageError {
  const likely = names.flatMap((name) => nearest(name, known).slice(0, 1));
  const advice = [meant(likely.map((name) => `--${name}`)), ...more];
  return new UsageError(`Unknown options: ${names.map((name) => `--${name}`).join(", ")}`, advice.filter(Boolean).join(" "));
}

function meant(names: readonly string[]): string {
  return names.length === 0 ? "" : `Maybe you meant ${names.join(", ")}.`;
}
