import { nearest } from "../../formats/near-spellings.ts";
import { UsageError } from "../run/failures.ts";

/** Says which names one may have meant; nothing where none is near. */
export function guess(name: string, known: readonly string[]): string {
  return meant(nearest(name, known));
}

/**
 * An option that there is not, in the words of the specification (Errors, client-local).
 *
 * @param more what to do now, in sentences
 */
export function unknownOptions(names: readonly string[], known: readonly string[], more: readonly (string | false)[]): UsageError {
  const likely = names.flatMap((name) => nearest(name, known).slice(0, 1));
  const advice = [meant(likely.map((name) => `--${name}`)), ...more];
  return new UsageError(`Unknown options: ${names.map((name) => `--${name}`).join(", ")}`, advice.filter(Boolean).join(" "));
}

function meant(names: readonly string[]): string {
  return names.length === 0 ? "" : `Maybe you meant ${names.join(", ")}.`;
}
