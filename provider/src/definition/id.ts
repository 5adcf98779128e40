/** How the id of a kind is composed of properties. */
export interface IdForm<Parts> {
  /** An example, for error messages. */
  readonly looks: string;
  /** The properties that the id is composed of. */
  readonly names: readonly (keyof Parts & string)[];
  readonly of: (parts: Parts) => string;
  /** The properties in an id; `undefined` if it is no id of this kind. */
  readonly parts: (id: string) => Parts | undefined;
}

/** An id that is one property, or several joined by `/`. */
export function joined<const Key extends string>(looks: string, ...keys: readonly Key[]): IdForm<Record<Key, string>> {
  return {
    looks,
    names: keys,
    of: (parts) => keys.map((key) => parts[key]).join("/"),
    parts: (id) => {
      const words = id.split("/");
      if (words.length !== keys.length || words.includes("")) return undefined;
      return Object.fromEntries(keys.map((key, index) => [key, words[index]])) as Record<Key, string>;
    },
  };
}
