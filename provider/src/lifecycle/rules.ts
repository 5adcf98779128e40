import type { Kind } from "../definition/definition.ts";
import { holdsUnknown, type Props, unknown } from "../schema/values.ts";

/**
 * The rules that the inputs break, one sentence each. A rule that needs an unknown value is left out.
 *
 * @param before the inputs as last deployed, or as they are on the platform
 */
export function brokenRules(kind: Kind, inputs: Props, before: Props): string[] {
  return (kind.rules ?? []).map((rule) => unlessUnknown(() => rule(guarded(inputs), before))).filter(isSentence);
}

/** What is unwise about the inputs, one sentence each. A rule that needs an unknown value is left out. */
export function warningsAbout(kind: Kind, inputs: Props): string[] {
  return (kind.warnings ?? []).map((rule) => unlessUnknown(() => rule(guarded(inputs)))).filter(isSentence);
}

const isSentence = (answer: unknown): answer is string => typeof answer === "string" && answer !== "";

class StillUnknown extends Error {}

/** The inputs, which throw when a rule reads a value in them that is unknown: that rule cannot be decided yet. */
function guarded<Inputs extends object>(inputs: Inputs): Inputs {
  return new Proxy(inputs, {
    get: (target, key): unknown => {
      const value: unknown = Reflect.get(target, key);
      if (value === unknown) throw new StillUnknown();
      return typeof value === "object" && value !== null && holdsUnknown(value) ? guarded(value) : value;
    },
  });
}

function unlessUnknown<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof StillUnknown) return undefined;
    throw error;
  }
}
