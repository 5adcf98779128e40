import type { Node as NodeOf, NodeKind, Violation, Violations } from "../definition/invariants.ts";
import { canCoexist, type Conflict, conflictWith, idFromInputs, isKeyed, reversed } from "../definition/unique.ts";
import { placeOf } from "../schema/paths.ts";
import { holdsUnknown, same } from "../schema/values.ts";
import { type Graph, hasNewUniqueValue, isNew, referenceIn } from "./graph.ts";
import { cannotCoexist, conflictInProgram, literalId, sharedId } from "./messages.ts";

/** Rules that need the program alone. The reviewer evaluates them on a plan. */

type Node = NodeOf<NodeKind>;
type Rule = <K extends NodeKind>(graph: Graph<K>, node: NodeOf<K>) => Violations;

/** Only one resource manages an ID. */
export const oneOwner: Rule = (graph, node) => {
  const ids = [...new Set([node.id, idFromInputs(node.kind, node.inputs)])].filter((id) => id !== undefined);
  return ids.flatMap((id) => {
    const own = claimOn(node, id);
    return graph.claimants(node.kind, id).flatMap((other) => {
      const theirs = other.urn === node.urn ? undefined : claimOn(other, id);
      if (!own || !theirs || canFollow(own, theirs) || canFollow(theirs, own)) return [];
      return [{ message: sharedId([node, other], id), other }];
    });
  });
};

type Claim = "has" | "leaves" | "creates";

function claimOn({ operation, id: own, inputs, kind }: Node, id: string): Claim | undefined {
  if (own === id) return operation === "replace" ? "leaves" : "has";
  return idFromInputs(kind, inputs) === id ? "creates" : undefined;
}

/** A resource can be created with an ID that a replaced one leaves. */
const canFollow = (one: Claim, other: Claim): boolean => one === "leaves" && other === "creates";

/** Two resources of the program do not share a unique value, or an ID that consists of inputs. */
export const uniqueInProgram: Rule = (graph, node) => {
  // An imported resource exists already: the rule about existing resources compares it.
  if (node.operation === "import") return undefined;
  return graph.conflictCandidates(node).flatMap((other) => {
    if (other.operation === "import" || !(hasNewUniqueValue(other) || hasNewUniqueValue(node))) return [];
    if (shareUnknownId(node, other)) return [{ message: conflictInProgram(node, other, undefined), other }];
    const conflict = conflictBetween(node, other);
    return conflict ? [{ message: conflictInProgram(node, other, conflict), other, conflict }] : [];
  });
};

function isShared(input: string, one: Node, other: Node): boolean {
  const reference = referenceIn(one, input);
  if (reference !== undefined) return reference === referenceIn(other, input);
  return same(one.inputs[input], other.inputs[input]) && !holdsUnknown(one.inputs[input]);
}

/** Whether two IDs that consist of inputs are equal although a part of them is unknown. */
function shareUnknownId(one: Node, other: Node): boolean {
  if (!isKeyed(one.kind) || idFromInputs(one.kind, one.inputs) !== undefined) return false;
  return one.kind.id.names.every((name) => isShared(name, one, other));
}

/** The later resource conflicts with the earlier one. An unchanged resource and a dependency are earlier; otherwise both orders count. */
function conflictBetween(one: Node, other: Node): Conflict | undefined {
  const { unique } = one.kind;
  const isIn = (input: string) => isShared(input, one, other);
  const ifLater = () => conflictWith(unique, one.inputs, other.inputs, isIn);
  const ifEarlier = () => reversed(conflictWith(unique, other.inputs, one.inputs, isIn));
  if (!hasNewUniqueValue(other) || namesDependency(one, other)) return ifLater();
  return !hasNewUniqueValue(one) || namesDependency(other, one) ? ifEarlier() : (ifLater() ?? ifEarlier());
}

/** Whether a resource names another one as its dependency, or may do so. */
const namesDependency = ({ dependencies }: Pick<Node, "dependencies">, { urn }: Pick<Node, "urn">): boolean =>
  dependencies.includes(urn) || dependencies.includes("");

/** A replacement that cannot coexist with the old resource deletes it first, and deletes it at all. */
export const replaceable: Rule = (_, node) => {
  const { kind, id, state, inputs, replaceReasons, retainOnDelete, deleteBeforeReplace } = node;
  if (node.operation !== "replace" || id === undefined || !state || canCoexist(kind, id, inputs, state, replaceReasons)) return undefined;
  return retainOnDelete || (deleteBeforeReplace === false && isNew(node)) ? { message: cannotCoexist(id, retainOnDelete) } : undefined;
};

/** A resource that is replaced is not named by its literal ID, which changes. */
export const noLiteralIdOfReplaced: Rule = (graph, node) =>
  node.references.flatMap(({ path, id }): Violation[] => {
    const other = graph.byId(id);
    return other?.deletesOld && other.urn !== node.urn ? [{ path: placeOf(path), message: literalId(id, other.urn, node.urn), other }] : [];
  });
