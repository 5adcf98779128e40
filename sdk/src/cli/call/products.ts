import { nearest } from "../../formats/texts.ts";
import type { Operation, Product } from "../../operation/operation.ts";
import { versionMeant } from "../../operation/versions.ts";
import { UsageError } from "../run/failures.ts";

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

/**
 * @param others other names that are valid there, for the suggestion
 * @throws UsageError for an unknown product.
 */
export function productNamed(name: string, others: Iterable<string> = []): Product {
  if (isProduct(name)) return name;
  throw invalidChoice(name, [...Object.keys(productTable), ...others], "`cpcli help` lists products and commands.");
}

/** @throws UsageError for an unknown action or version. */
export async function operationNamed(product: Product, action: string, version: string | undefined): Promise<Operation> {
  const operations = await operationsOf(product);
  const named = operations.filter((operation) => operation.action === action);
  if (named.length === 0) {
    const actions = [...new Set(operations.map((operation) => operation.action))];
    throw invalidChoice(action, actions, `\`cpcli ${product} help\` lists the actions.`);
  }
  const versions = named.map((operation) => operation.version);
  const meant = versionMeant(versions, version);
  const found = named.find((operation) => operation.version === meant);
  if (!found) throw new UsageError(`${action} has no version ${version ?? ""}; there is ${versions.join(", ")}`);
  return found;
}

function invalidChoice(name: string, known: readonly string[], more: string): UsageError {
  const guess = nearest(name, known);
  return new UsageError(`Invalid choice: '${name}'${guess.length === 0 ? "" : `, maybe you meant: ${guess.join(", ")}`}`, more);
}
