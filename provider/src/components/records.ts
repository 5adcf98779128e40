import type { Input } from "@pulumi/pulumi";

/** What is made of each entry of a record, by the same keys, in their order. */
export function mapped<Value, Made>(
  of: Readonly<Record<string, Value>>,
  make: (key: string, value: Value) => Made,
): Readonly<Record<string, Made>> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, make(key, value)]));
}

/** Tags, by key. */
export type Tags = Readonly<Record<string, Input<string>>>;

/** The input of tags, if there are any: later ones win. */
export function tagged(...tags: readonly (Tags | undefined)[]): { readonly tags?: Tags } {
  const all = tags.reduce<Tags>((before, some) => ({ ...before, ...some }), {});
  return Object.keys(all).length > 0 ? { tags: all } : {};
}
