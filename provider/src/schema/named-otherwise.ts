/** The paths of inputs, and what the program that gives them calls them: `native.scaling.minReplicas` is `nodePools.apps.min`. */
export type OtherNames = Readonly<Record<string, string>>;

/**
 * A sentence about an input, such as `native.scaling: minReplicas 5 is above maxReplicas 2`, with the names that the program has for it and
 * its parts: `nodePools.apps: min 5 is above max 2`.
 */
export function namedOtherwise(names: OtherNames, sentence: string): string {
  const paths = Object.keys(names).toSorted((one, other) => other.length - one.length);
  const path = paths.find((one) => sentence.startsWith(one) && /^[.[:]/.test(sentence.slice(one.length)));
  if (path === undefined) return sentence;
  const parts = paths.filter((one) => one.startsWith(`${path}.`));
  const rest = parts.reduce(
    (text, part) => text.replaceAll(new RegExp(`\\b${lastIn(part)}\\b`, "g"), lastIn(names[part] ?? part)),
    sentence.slice(path.length),
  );
  return `${names[path] ?? path}${rest}`;
}

const lastIn = (path: string): string => path.split(".").at(-1) ?? path;
