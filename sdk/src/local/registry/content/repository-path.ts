/** The registry, namespace and name of a repository. */
export interface RepositoryPath {
  readonly registryId: string;
  readonly namespace: string;
  readonly repository: string;
}

export function repositoryIdOf({ registryId, namespace, repository }: RepositoryPath): string {
  return `${registryId}/${namespace}/${repository}`;
}
