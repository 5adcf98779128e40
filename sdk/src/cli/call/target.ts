import type { Operation, Product } from "../../operation/operation.ts";
import { versionMeant } from "../../operation/versions.ts";
import { UsageError } from "../run/failures.ts";
import { isProduct, operationsOf, productTable } from "./products.ts";
import { nearest } from "../../formats/near-spellings.ts";

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
