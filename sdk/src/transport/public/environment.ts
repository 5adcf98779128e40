import { ConfigurationError } from "../../operation/errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value of a variable that has several spellings; an empty one is absent.
 *
 * @throws ConfigurationError if two of them have different values: which one is meant cannot be known. The message shows neither.
 */
export function oneOf(environment: Environment, ...names: readonly string[]): string | undefined {
  const set = names.filter((name) => environment[name]);
  const values = new Set(set.map((name) => environment[name]));
  if (values.size > 1) throw new ConfigurationError(`${set.join(" and ")} differ, and mean the same: set one of them`);
  return [...values][0];
}
