/**
 * What was found in a region so far, for kinds that are listed below others: the values of each part of their ids, such as those of
 * `clusterId`. `targetUin` has the sub-accounts that are looked at: nothing lists those.
 */
export type Listed = Readonly<Partial<Record<string, readonly string[]>>>;

/** What is below each of several resources. */
export async function below<Item>(ids: readonly string[] = [], list: (id: string) => Promise<readonly Item[]>): Promise<Item[]> {
  return (await Promise.all(ids.map(list))).flat();
}
