import type { Kind } from "../definition/definition.ts";
import type { Invariant, Node as NodeOf, Violation, World as WorldOf } from "../definition/invariants.ts";
import { nameOf } from "../schema/urn.ts";
import { notInUse, notProtected, offersAvailable, type ProgramRule, referencesExist, uniqueOnPlatform } from "./invariants.ts";
import type { ProgramGraph } from "./program-graph.ts";
import { noLiteralIdOfReplaced, oneOwner, replaceable, uniqueInProgram } from "./rules.ts";

type Node = NodeOf<Kind>;
type World = WorldOf<Kind>;
type Rule = ProgramRule | Invariant<Kind, string>;

/**
 * The rules in the order of their evaluation, which ends with the first violation. `cascade`: for a resource that is deleted because another
 * one is. `referrer`: for one that refers to a compared one.
 */
function rulesOf({ invariants: own = {} }: Kind, when: "check" | "diff" | "cascade" | "referrer"): readonly Rule[] {
  switch (when) {
    case "check":
      // The references come before the resource's own rules: those read the referenced resources.
      return [
        oneOwner,
        offersAvailable,
        uniqueInProgram,
        referencesExist,
        ...(own.check ?? []),
        uniqueOnPlatform,
        replaceable,
        notProtected,
        notInUse,
      ];
    case "cascade":
      return [notProtected];
    case "diff":
      return [oneOwner, replaceable, notProtected, uniqueOnPlatform, noLiteralIdOfReplaced, notInUse, ...(own.diff ?? [])];
    case "referrer":
      return [...(own.check ?? []), noLiteralIdOfReplaced, notInUse];
  }
}

/**
 * Evaluates the rules of a resource after its check, or after its comparison with the state (`diff`, `cascade`). After a `diff`, it also
 * evaluates those of the resources that refer to it: Pulumi may have checked them before. So a rule holds in either order.
 *
 * @returns one message a violation
 */
export async function evaluate(
  graph: ProgramGraph,
  node: Node,
  world: World,
  when: "check" | "diff" | "cascade",
): Promise<readonly string[]> {
  const own = await firstViolation(rulesOf(node.kind, when), graph, node, world);
  if (own.length > 0) return own.map(textOf);
  const mayUse = when !== "cascade" && (node.kind.holds !== undefined || node.keptReferences.length > 0);
  for (const other of [...(when === "diff" ? graph.referrers(node) : []), ...(mayUse ? graph.deleted : [])]) {
    const [violation] = await firstViolation(rulesOf(other.kind, "referrer"), graph, other, world);
    if (violation) return [textOf({ ...violation, path: violation.path && `${violation.path} of "${nameOf(other.urn)}"` })];
  }
  return [];
}

async function firstViolation(rules: readonly Rule[], graph: ProgramGraph, node: Node, world: World): Promise<readonly Violation[]> {
  for (const rule of rules) {
    const found = [(await rule(graph, node, world)) ?? []].flat();
    if (found.length > 0) return found;
  }
  return [];
}

/** The property path, and the message. */
export const textOf = ({ path, message }: Violation): string => (path === undefined ? message : `${path}: ${message}`);
