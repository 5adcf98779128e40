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

/** Whether a text may be an id of a kind, as far as its form tells: with as many parts, and the platform's ids where it has some. */
export function isLike({ looks, parts }: Pick<IdForm<unknown>, "looks" | "parts">, id: string): boolean {
  if (parts(id) === undefined) return false;
  const words = id.split("/");
  return looks.split(" or ").some((example) =>
    example.split("/").every((word, index) => {
      const [, prefix] = /^([a-z]+-)3f8a0c1e$/.exec(word) ?? [];
      return prefix === undefined || words[index]?.startsWith(prefix) === true;
    }),
  );
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
