/** Where an image is: registry, namespace and repository. */
export interface Shelf {
  readonly registryId: string;
  readonly namespace: string;
  readonly repository: string;
}

export function shelfId({ registryId, namespace, repository }: Shelf): string {
  return `${registryId}/${namespace}/${repository}`;
}
