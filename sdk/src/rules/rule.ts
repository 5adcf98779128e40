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

/** The most characters of texts (specification, Limits: names; otherwise the public API). */
export const longest = { name: 60, description: 100, tagKey: 127, tagValue: 255 } as const;

/** The most tags of a resource (public API). */
export const mostTags = 50;

/** How many characters a text has: those that people see as one by their code, whatever their encoding. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}

/** Texts that name something. */
export const textRules = {
  name: {
    takes: "a name that is not blank and has no control characters",
    allows: (text) => text.trim() !== "" && !/\p{Cc}/u.test(text),
  },
} as const satisfies Readonly<Record<string, Rule>>;
