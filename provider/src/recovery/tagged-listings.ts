import type { Cloud, resourceKinds } from "@container-platform/sdk";
import { everyRegistry, namespacesOf } from "@container-platform/sdk/finders/registry";
import { everySecurityGroup, everySubnet, everyVpc } from "@container-platform/sdk/finders/vpc";

/** A resource, and its tags. */
export interface Tagged {
  readonly id: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[] | undefined;
}

/** A kind of resource, as the tag product names it. */
export type TaggedKind = keyof typeof resourceKinds;

/** How all of a kind in a region are listed with their tags, for an account that may not ask the tag product: by their own product. */
export const taggedListings: Readonly<Record<TaggedKind, (cloud: Cloud) => Promise<readonly Tagged[]>>> = {
  vpc: async (cloud) => (await everyVpc(cloud)).map(({ vpcId, tagSet }) => ({ id: vpcId, tags: tagSet })),
  subnet: async (cloud) => (await everySubnet(cloud)).map(({ subnetId, tagSet }) => ({ id: subnetId, tags: tagSet })),
  securityGroup: async (cloud) =>
    (await everySecurityGroup(cloud)).map(({ securityGroupId, tagSet }) => ({ id: securityGroupId, tags: tagSet })),
  registry: async (cloud) =>
    (await everyRegistry(cloud)).map(({ registryId, tagSpecification }) => ({ id: registryId, tags: tagSpecification.tags })),
  namespace: async (cloud) => {
    const inEach = (await everyRegistry(cloud)).map(async ({ registryId }) =>
      (await namespacesOf(cloud, registryId)).map(({ name, tagSpecification }) => ({
        id: `${registryId}/${name}`,
        tags: tagSpecification.tags,
      })),
    );
    return (await Promise.all(inEach)).flat();
  },
};
