import type { Rule } from "./rule.ts";

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
