import type { Cidr } from "@container-platform/sdk";
import { idFromInputs, isKeyed, type Node, type NodeKind, rangeIn, textsIn } from "../definition/invariants.ts";
import { valueAt } from "../schema/paths.ts";
import { holdsUnknown, same } from "../schema/values.ts";

/** Resources, indexed by type, ID, parent, references and unique values. */
export class Graph<K extends NodeKind> {
  readonly #nodes = new Map<string, Node<K>>();
  /** URNs by index key, such as `type Vpc`, `id vpc-1`, `reference urn:…` and `in cls-1`. */
  readonly #index = new Map<string, Set<string>>();

  add(node: Node<K>): Node<K> {
    this.remove(node.urn);
    this.#nodes.set(node.urn, node);
    for (const key of indexKeys(node)) this.#index.set(key, (this.#index.get(key) ?? new Set()).add(node.urn));
    return node;
  }

  remove(urn: string): void {
    const known = this.#nodes.get(urn);
    for (const key of known ? indexKeys(known) : []) this.#index.get(key)?.delete(urn);
    this.#nodes.delete(urn);
  }

  get(urn: string | undefined): Node<K> | undefined {
    return urn === undefined ? undefined : this.#nodes.get(urn);
  }

  get all(): readonly Node<K>[] {
    return [...this.#nodes.values()];
  }

  ofType(type: string): readonly Node<K>[] {
    return this.#found(`type ${type}`);
  }

  withId({ type }: Pick<NodeKind, "type">, id: string): Node<K> | undefined {
    return this.#found(`id ${id}`).find((one) => one.kind.type === type && hasId(one, id));
  }

  byId(id: string): Node<K> | undefined {
    return this.#found(`id ${id}`).find((one) => !isKeyed(one.kind) && hasId(one, id));
  }

  /** All resources of a kind that have an ID, or are to have it. */
  claimants({ type }: Pick<NodeKind, "type">, id: string): readonly Node<K>[] {
    return this.#found(`id ${id}`).filter((one) => one.kind.type === type);
  }

  conflictCandidates(node: Node<K>): readonly Node<K>[] {
    const found = new Set(uniqueKeys(node).flatMap((key) => this.#found(key)));
    return [...found].filter(({ urn }) => urn !== node.urn);
  }

  referrers({ urn, id }: Pick<Node<NodeKind>, "urn" | "id">): readonly Node<K>[] {
    const all = [...this.#found(`reference ${urn}`), ...(id === undefined ? [] : this.#found(`reference ${id}`))];
    return [...new Set(all)].filter((one) => one.urn !== urn);
  }

  get deleted(): readonly (Node<K> & { readonly id: string })[] {
    return this.#found("deleted").filter(isDeleted);
  }

  contained(id: string): readonly Node<K>[] {
    return this.#found(`in ${id}`);
  }

  source(node: Node<K>, path: string): Node<K> | undefined {
    const value = valueAt(node.inputs, path);
    return (typeof value === "string" ? this.byId(value) : undefined) ?? this.get(node.sources[path]);
  }

  /** Whether a resource depends on another one. A resource of another package on the way counts as a dependency. */
  dependsOn({ urn }: Pick<Node<NodeKind>, "urn">, other: string): boolean {
    const reached = reachable(urn, (each) => {
      const { sources = {}, dependencies = [] } = this.get(each) ?? {};
      return [...Object.values(sources), ...dependencies];
    });
    return reached.has(other) || [...reached].some((each) => !this.get(each));
  }

  #found(key: string): readonly Node<K>[] {
    return [...(this.#index.get(key) ?? [])].flatMap((urn) => this.#nodes.get(urn) ?? []);
  }
}

/** The URNs that a resource depends on, with its own. */
export function reachable(urn: string, dependenciesOf: (urn: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set([urn]);
  // The loop also visits the URNs that it adds.
  for (const each of reached) for (const one of dependenciesOf(each)) reached.add(one);
  return reached;
}

const hasId = ({ id: own, operation }: Node<NodeKind>, id: string): boolean => own === id && operation !== "import";

function indexKeys(node: Node<NodeKind>): readonly string[] {
  const { kind, id, sources, references } = node;
  const parent = kind.within && node.inputs[kind.within.by];
  return [
    `type ${kind.type}`,
    ...[id, idFromInputs(kind, node.inputs)].flatMap((one) => (one === undefined ? [] : [`id ${one}`])),
    ...Object.values(sources).map((urn) => `reference ${urn}`),
    ...references.map((one) => `reference ${one.id}`),
    ...(typeof parent === "string" ? [`in ${parent}`] : []),
    ...(isDeleted(node) ? ["deleted"] : []),
    ...uniqueKeys(node),
  ];
}

/** Two resources with a common key may conflict: a parent with a part of its addresses or a name in it, or an ID that consists of inputs. */
function uniqueKeys(node: Node<NodeKind>): readonly string[] {
  const { kind, inputs } = node;
  const keyOf = (keys: readonly string[], part = ""): readonly string[] => {
    const values = keys.map((one) => referenceIn(node, one) ?? (holdsUnknown(inputs[one]) ? undefined : inputs[one]));
    return values.includes(undefined) ? [] : [JSON.stringify([kind.type, keys, values, part])];
  };
  const unique = (kind.unique ?? []).flatMap(({ as, by, in: parent }) => {
    const parents = parent === undefined ? [] : [parent];
    if (Array.isArray(inputs[by])) return textsIn(inputs, by).flatMap((name) => keyOf(parents, name));
    return as === "name" ? keyOf([...parents, by]) : blocksIn(rangeIn(inputs, by)).flatMap((block) => keyOf(parents, block));
  });
  return [...new Set([...unique, ...(isKeyed(kind) ? keyOf(kind.id.names) : [])])];
}

/** The IPv4 /16 blocks that a CIDR block has addresses of, usually one; `IPv6` for all IPv6 blocks. */
function blocksIn(range: Cidr | undefined): readonly string[] {
  if (range?.family !== 4) return range ? ["IPv6"] : [];
  return Array.from({ length: 2 ** Math.max(0, 16 - range.prefix) }, (_, index) => String((range.first >> 16n) + BigInt(index)));
}

/** The ID at a path of the inputs. While it is unknown, the URN of the resource that it comes from. */
export function referenceIn({ inputs, sources }: Pick<Node<NodeKind>, "inputs" | "sources">, path: string): string | undefined {
  const value = valueAt(inputs, path);
  if (holdsUnknown(value)) return sources[path];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether the old resource is deleted, and may still contain others. */
export function isDeleted<K extends NodeKind>(node: Node<K>): node is Node<K> & { readonly id: string } {
  const { operation, id, retainOnDelete, kind } = node;
  return (operation === "replace" || operation === "delete") && id !== undefined && !retainOnDelete && !isKeyed(kind);
}

export const isNew = ({ lastInputs }: Pick<Node<NodeKind>, "lastInputs">): boolean => Object.keys(lastInputs).length === 0;

/** Whether one of some inputs differs from the last applied one. */
export function isChanged({ inputs, lastInputs }: Pick<Node<NodeKind>, "inputs" | "lastInputs">, ...paths: readonly string[]): boolean {
  return paths.some((path) => !same(valueAt(inputs, path), valueAt(lastInputs, path)));
}

// A cache: a resource is compared with many.
const withNewValues = new WeakMap<Node<NodeKind>, boolean>();

/** Whether a resource is new, or has a new unique value or a new parent. */
export function hasNewUniqueValue(node: Node<NodeKind>): boolean {
  const { unique = [], id } = node.kind;
  const keys = () => [...unique.flatMap(({ by, in: parent = by }) => [by, parent]), ...(isKeyed(node.kind) ? id.names : [])];
  const isIt = withNewValues.get(node) ?? isChanged(node, ...keys());
  withNewValues.set(node, isIt);
  return isIt;
}
