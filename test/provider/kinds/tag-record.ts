/** Tags as the platform lists them, by their keys. */
export function tagRecord(tags: readonly { readonly key: string; readonly value: string }[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(tags.map(({ key, value }) => [key, value]));
}
