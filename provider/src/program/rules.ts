import type { Node as NodeOf, NodeKind, Violation, Violations } from "../definition/invariants.ts";
import { canCoexist, type Conflict, conflictWith, idFromInputs, isKeyed, reversed } from "../definition/invariants.ts";
import { placeOf } from "../schema/paths.ts";
import { holdsUnknown, same } from "../schema/values.ts";
import { type Graph, hasNewUniqueValue, isNew, referenceIn } from "./graph.ts";
import { cannotCoexist, conflictInProgram, literalIdOfReplaced, sharedId } from "./messages.ts";

type Node = NodeOf<NodeKind>;
/** A rule that needs the program alone. The reviewer evaluates it on a plan. */
type Rule = <K extends NodeKind>(graph: Graph<K>, node: NodeOf<K>) => Violations;

/** Only one resource manages an ID. */
export const oneOwner: Rule = (graph, node) => {
  const ids = [...new Set([node.id, idFromInputs(node.kind, node.inputs)])].filter((id) => id !== undefined);
  return ids.flatMap((id) => {
    const others = graph.claimants(node.kind, id).filter((other) => other.urn !== node.urn && !canFollow(node, other, id));
    return others.map((other) => ({ code: "Conflict", message: sharedId([node, other], id), other }));
  });
};

/** Whether one of two resources is created with an ID that the other one leaves, because it is replaced. */
function canFollow(one: Node, other: Node, id: string): boolean {
  const [oneLeaves, otherLeaves] = [one, other].map((each) => each.id === id && each.operation === "replace");
  return (oneLeaves === true && other.id !== id) || (otherLeaves === true && one.id !== id);
}

/** Two resources of the program do not share a unique value, or an ID that consists of inputs. */
export const uniqueInProgram: Rule = (graph, node) => {
  // An imported resource exists already: the rule about existing resources compares it.
  if (node.operation === "import") return undefined;
  return graph.conflictCandidates(node).flatMap((other) => {
    if (other.operation === "import" || !(hasNewUniqueValue(other) || hasNewUniqueValue(node))) return [];
    if (shareUnknownId(node, other)) return [{ code: "Conflict", message: conflictInProgram(node, other, undefined), other }];
    const conflict = conflictBetween(node, other);
    return conflict ? [{ code: "Conflict", path: conflict.by, message: conflictInProgram(node, other, conflict), other, conflict }] : [];
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

/**
 * The later resource conflicts with the earlier one. An unchanged resource is earlier than a new one. Of two new ones, the dependency is earlier;
 * without a dependency, both orders count.
 */
function conflictBetween(one: Node, other: Node): Conflict | undefined {
  const { unique } = one.kind;
  const isIn = (input: string) => isShared(input, one, other);
  const ifLater = () => conflictWith(unique, one.inputs, other.inputs, isIn);
  const ifEarlier = () => reversed(conflictWith(unique, other.inputs, one.inputs, isIn));
  if (!hasNewUniqueValue(other)) return ifLater();
  if (!hasNewUniqueValue(one)) return ifEarlier();
  if (namesDependency(one, other)) return ifLater();
  return namesDependency(other, one) ? ifEarlier() : (ifLater() ?? ifEarlier());
}

const namesDependency = ({ dependencies }: Node, { urn }: Node): boolean => dependencies.includes(urn) || dependencies.includes("");

/** A replacement that cannot coexist with the old resource deletes that first. */
export const replaceable: Rule = (_, node) => {
  const { kind, id, state, inputs, replaceReasons, retainOnDelete, deleteBeforeReplace } = node;
  if (node.operation !== "replace" || id === undefined || !state || canCoexist(kind, id, inputs, state, replaceReasons)) return undefined;
  return retainOnDelete || (deleteBeforeReplace === false && isNew(node))
    ? { code: "CannotChange", message: cannotCoexist(id, retainOnDelete) }
    : undefined;
};

/** A resource that is replaced is not named by its literal ID, which changes. */
export const noLiteralIdOfReplaced: Rule = (graph, node) =>
  node.references.flatMap(({ path, id }): Violation[] => {
    const other = graph.byId(id);
    return other?.deletesOld && other.urn !== node.urn
      ? [{ code: "StaleReference", path: placeOf(path), message: literalIdOfReplaced(id, other.urn, node.urn), other }]
      : [];
  });
