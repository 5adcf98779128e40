/** Things answered page by page, and how many there are in all. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** As many as the platform answers at once. */
export const pageSize = 100;

/** All pages of a list, one after the other. */
export async function everyPage<Item>(page: (offset: number) => Promise<Page<Item>>): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const { items, total } = await page(all.length);
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all;
  }
}
