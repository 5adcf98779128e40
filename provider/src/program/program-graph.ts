import type { Kind } from "../definition/definition.ts";
import type { Node as NodeOf, World as WorldOf } from "../definition/invariants.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { idsIn, idsKept, schemaOf } from "../schema/parts.ts";
import { holdsUnknown, type Props } from "../schema/values.ts";
import { Graph } from "./graph.ts";

export type Node = NodeOf<Kind>;
export type World = WorldOf<Kind>;

interface Planned {
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

/** A resource that is deleted because others (`causes`, by ID) are deleted before their replacements. */
interface Cascaded {
  readonly urn: string;
  readonly causes: readonly string[];
}

/**
 * The resources of a program and their planned operations. Pulumi checks and compares them in no fixed order. Resources with another
 * provider are in another process, and missing here.
 */
export class ProgramGraph extends Graph<Kind> {
  readonly #cascaded = new Map<string, Cascaded>();
  readonly #onlyRead = new Map<string, string>();
  /** The URNs of the resources that this update has begun to create. */
  readonly creating = new Set<string>();
  readonly #created = new Set<string>();
  /** By type and ID: the old resources whose replacements this update has created. */
  readonly #superseded = new Set<string>();

  /** @param news with the private inputs that only `check` has */
  recordCheck(kind: Kind, olds: Props, news: Props, inputs: Props): Node {
    const { __urn: urn, __adopt: imported, ...state } = privateStateOf(news);
    const known = this.get(urn);
    const isNew = Object.keys(olds).length === 0;
    // Pulumi checks a kept resource a second time, as a new one, if an option or a flag replaces it.
    const isForced = isNew && known?.id !== undefined && known.operation === "keep";
    return this.add({
      stateUrn: urn,
      keptReferences: [],
      ...known,
      ...{ kind, urn, inputs, lastInputs: olds },
      sources: state.__of,
      names: state.__from,
      dependencies: state.__after,
      deleteBeforeReplace: state.__first,
      retainOnDelete: state.__kept ?? false,
      id: known?.id ?? (isNew ? imported : undefined),
      operation: known?.operation === "replace" || isForced ? "replace" : isNew ? (imported === undefined ? "create" : "import") : "keep",
      deletesOld: known?.deletesOld ?? (isForced ? "last" : undefined),
      references: Object.keys(kind.inputs.shape).flatMap((key) => idsIn(schemaOf(kind, key), inputs[key], [key])),
    });
  }

  /** @returns the node, which is not part of the graph if the resource is cascaded; `undefined` if no program has declared the resource */
  recordDiff(kind: Kind, id: string, olds: Props, news: Props, { replaces, deleteBeforeReplace = false }: Planned): Node | undefined {
    const { __urn: urn } = privateStateOf(news);
    const inputs = Object.keys(kind.inputs.shape);
    const known = this.get(urn);
    if (!known) {
      // Pulumi asks with unknown values which resources are deleted together with another one, before the program declares them.
      const unknown = inputs.filter((key) => holdsUnknown(news[key]));
      const causes = unknown.flatMap((key) => idsIn(schemaOf(kind, key), olds[key], [key]).map((one) => one.id));
      if (!replaces || unknown.length === 0) return undefined;
      this.#cascaded.set(keyOf(kind, id), { urn, causes });
      return { ...undeclared(kind, urn, id), operation: "replace", state: olds };
    }
    return this.add({
      ...known,
      ...{ id, state: olds, replaceReasons: replaces, stateUrn: privateStateOf(olds).__urn },
      operation: replaces ? "replace" : "keep",
      deletesOld: replaces && ((known.deleteBeforeReplace ?? deleteBeforeReplace) ? "first" : "last"),
      keptReferences: replaces ? [] : inputs.flatMap((key) => idsKept(schemaOf(kind, key), olds[key], news[key], [key])),
    });
  }

  recordRead(kind: Kind, id: string, urn: string): void {
    this.#onlyRead.set(keyOf(kind, id), urn);
  }

  recordCreated(urn: string, id: string): void {
    this.#created.add(id);
    const known = this.get(urn);
    if (known?.operation === "replace") this.#superseded.add(keyOf(known.kind, known.id ?? ""));
    if (known) this.add({ ...known, id, operation: "keep", deletesOld: undefined, lastInputs: known.inputs });
  }

  /** A resource that is not recreated is no longer part of the program. */
  recordDelete(kind: Kind, id: string): void {
    const known = this.withId(kind, id);
    if (known?.operation === "keep") this.remove(known.urn);
  }

  willBeCreated({ operation, deletesOld, urn }: Node): boolean {
    return !this.creating.has(urn) && (operation === "create" || deletesOld === "last");
  }

  isCreated(id: unknown): boolean {
    return typeof id === "string" && this.#created.has(id);
  }

  /** Whether a program runs: it has declared a resource, or Pulumi has asked for the resources that are deleted together. */
  get hasProgram(): boolean {
    return this.all.length > 0 || this.#cascaded.size > 0;
  }

  /** The URN of another resource that keeps an ID in this update, or only reads it. */
  otherOwner(kind: Kind, id: string, urn: string): string | undefined {
    const isCompared = (one: Node) => one.state !== undefined || this.isCreated(id);
    const keepsIt = (one: Node) => one.id === id && one.operation === "keep" && isCompared(one) && ![one.urn, one.stateUrn].includes(urn);
    return this.#onlyRead.get(keyOf(kind, id)) ?? this.claimants(kind, id).find(keepsIt)?.urn;
  }

  /** Whether a resource of the program has an ID, is to have it, or reads it. */
  isClaimed(kind: Kind, id: string): boolean {
    return this.#onlyRead.has(keyOf(kind, id)) || this.claimants(kind, id).length > 0;
  }

  cascaded(kind: Pick<Kind, "type">, id: string): Cascaded | undefined {
    return this.#cascaded.get(keyOf(kind, id));
  }

  isRecreated(kind: Kind, id: string): boolean {
    return this.#cascaded.has(keyOf(kind, id)) || this.withId(kind, id)?.deletesOld === "first";
  }

  isReplaced(kind: Kind, id: string): boolean {
    return this.isRecreated(kind, id) || this.#superseded.has(keyOf(kind, id)) || this.withId(kind, id)?.deletesOld === "last";
  }
}

/** A node for a resource of the state that the program does not declare, or not yet. */
export function undeclared(kind: Kind, urn: string, id: string): Node {
  return {
    ...{ kind, urn, stateUrn: urn, id, operation: "delete", inputs: {}, lastInputs: {}, sources: {}, dependencies: [] },
    ...{ deleteBeforeReplace: undefined, retainOnDelete: false, references: [], keptReferences: [] },
  };
}

const keyOf = ({ type }: Pick<Kind, "type">, id: string): string => `${type} ${id}`;
