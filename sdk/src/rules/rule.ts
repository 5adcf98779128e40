/**
 * The values that the platform accepts. The preview and the emulator reject all others.
 *
 * @typeParam Value what is looked at: a text unless given
 */
export interface Rule<Value = string> {
  /** What is taken, as the end of a sentence: `a /12 to /28 inside 10.0.0.0/8`. */
  readonly takes: string;
  readonly allows: (value: Value) => boolean;
}

/** The texts that a regular expression matches. */
export function matching(expression: RegExp, takes: string): Rule {
  return { takes, allows: (text) => expression.test(text) };
}
