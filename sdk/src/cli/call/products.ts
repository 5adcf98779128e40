import { nearest } from "../../formats/texts.ts";
import type { Operation, Product } from "../../operation/operation.ts";
import { operationsIn, versionMeant } from "../../operation/versions.ts";
import { type Options, sharedOptions } from "../command.ts";
import { UsageError } from "../run.ts";

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

export async function operationsOf(product: Product): Promise<readonly Operation[]> {
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

/** The options of every call. Parameters of actions begin with a capital letter; these do not. */
export const callOptions = {
  ...sharedOptions,
  version: { value: "DATE", summary: "Version of the action. Default: 2018-05-25, or else the newest version of the action." },
  "cli-unfold-argument": { summary: "Takes parameters in parts: --Parent.Child, --Labels.0.Name." },
  "cli-input-json": { value: "FILE", summary: "Takes parameters from a file: file://<path>, or file://- for the standard input." },
  "generate-cli-skeleton": { summary: "Prints a template for --cli-input-json, and calls nothing." },
  waiter: { value: "OBJECT", summary: `Repeats the call until --waiter '{"expr": "<filter>", "to": "<value>"}' is true of the response.` },
  all: { summary: "Requests all pages of a list, and prints them as one response." },
  detail: { summary: "With help: prints types, values, limits and errors." },
  help: { summary: "Prints the help, as the word help does." },
} as const satisfies Options;
