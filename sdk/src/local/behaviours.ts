import type { Product } from "../operation/operation.ts";
import type { Behaviour } from "./behaviour.ts";

/** The behaviours of each product. A product is loaded at its first call, as most programs use only a few. */
const behaviours: Readonly<Record<Product, () => Promise<readonly Behaviour[]>>> = {
  vpc: () => import("./vpc/behaviours.ts").then(({ networkBehaviours }) => networkBehaviours),
  compute: () => import("./compute/behaviours.ts").then(({ computeBehaviours }) => computeBehaviours),
  disk: () => import("./compute/disks.ts").then(({ diskBehaviours }) => diskBehaviours),
  audit: () => import("./audit/lookup.ts").then(({ auditBehaviours }) => auditBehaviours),
  tag: () => import("./tag/tags.ts").then(({ tagBehaviours }) => tagBehaviours),
  identity: () => import("./accounts/identity.ts").then(({ identityBehaviours }) => identityBehaviours),
  cluster: () => import("./cluster/behaviours.ts").then(({ clusterServiceBehaviours }) => clusterServiceBehaviours),
  registry: () => import("./registry/behaviours.ts").then(({ registryBehaviours }) => registryBehaviours),
};

const loaded = new Map<Product, readonly Behaviour[]>();

/** The behaviours of a product that has been called before. */
export function behavioursLoaded(product: Product): readonly Behaviour[] | undefined {
  return loaded.get(product);
}

export async function behavioursOf(product: Product): Promise<readonly Behaviour[]> {
  const known = loaded.get(product) ?? (await behaviours[product]());
  loaded.set(product, known);
  return known;
}
