/**
 * The ids that were found in a region so far, by the name of the property: `clusterId` has those of all clusters. Kinds that are listed
 * inside others need them. `targetUin` has the sub-accounts whose permissions are listed: the platform cannot list the sub-accounts.
 */
export type Listed = Readonly<Partial<Record<string, readonly string[]>>>;

/** All that is inside several resources, by their ids. */
export async function below<Item>(ids: readonly string[] = [], list: (id: string) => Promise<readonly Item[]>): Promise<Item[]> {
  return (await Promise.all(ids.map(list))).flat();
}
