/** What there is in a region that other things are listed below: ids. */
export interface Listed {
  readonly clusterIds: readonly string[];
  readonly registryIds: readonly string[];
  /** Sub-accounts that have permissions. Nothing lists those. */
  readonly targetUins: readonly string[];
}

/** What is below each of several things. */
export async function below<Item>(ids: readonly string[], list: (id: string) => Promise<readonly Item[]>): Promise<Item[]> {
  return (await Promise.all(ids.map(list))).flat();
}
