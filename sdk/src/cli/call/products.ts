import type { Operation, Product } from "../../operation/operation.ts";

interface Described {
  readonly summary: string;
  /** A product is loaded when it is needed: a call is about one. */
  readonly load: () => Promise<object>;
}

/** The products and the modules of their operations. */
export const productTable: Readonly<Record<Product, Described>> = {
  cluster: { summary: "Managed Kubernetes clusters, their nodes and access.", load: () => import("../../catalogue/cluster.ts") },
  registry: { summary: "Registries of container images.", load: () => import("../../catalogue/registry.ts") },
  vpc: { summary: "Private networks, subnets and security groups.", load: () => import("../../catalogue/vpc.ts") },
  compute: { summary: "Zones, instances, instance types and key pairs.", load: () => import("../../catalogue/compute.ts") },
  disk: { summary: "Disk types.", load: () => import("../../catalogue/disk.ts") },
  audit: { summary: "The log of API calls.", load: () => import("../../catalogue/audit.ts") },
  tag: { summary: "Tags of resources.", load: () => import("../../catalogue/tag.ts") },
  identity: { summary: "The account and the user that call.", load: () => import("../../catalogue/identity.ts") },
};

export function isProduct(name: string): name is Product {
  return Object.hasOwn(productTable, name);
}

/** The operations of a product. */
export async function operationsOf(product: Product): Promise<readonly Operation[]> {
  const { operationsIn } = await import("../../operation/operation.ts");
  return operationsIn(await productTable[product].load());
}
