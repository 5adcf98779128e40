import type { Kind } from "../definition/definition.ts";
import type { Invariant, Violation } from "../definition/invariants.ts";
import { nameOf } from "../schema/urn.ts";
import { notInUse, notProtected, offersAvailable, type ProgramRule, referencesExist, uniqueOnPlatform } from "./invariants.ts";
import type { Node, ProgramGraph, World } from "./program-graph.ts";
import { noLiteralIdOfReplaced, oneOwner, replaceable, uniqueInProgram } from "./rules.ts";
import { listed } from "@container-platform/sdk";
import { placeOf } from "../schema/paths.ts";
import { called, withRemedies } from "./messages.ts";

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

export const textOf = ({ path, message }: Violation): string => (path === undefined ? message : `${path}: ${message}`);

/**
 * Evaluates the rules at the end of a program that has changed nothing.
 *
 * @param removed the resources of the state that the program does not declare any more. One without a URN is known by its ID alone
 * @returns one warning a violation. Why not an error: Pulumi does not tell the provider about `--target`, which may exclude the deletion
 */
export async function warningsAtEnd(graph: ProgramGraph, removed: readonly Node[], world: World): Promise<readonly string[]> {
  const own = graph.all.flatMap((node) => (node.kind.invariants?.end ?? []).map((rule) => rule(graph, node, world)));
  const [ended, used] = await Promise.all([
    Promise.all(own.map(async (found) => [(await found) ?? []].flat().map(textOf))),
    Promise.all(removed.map((node) => usesOfRemoved(graph, node, world))),
  ]);
  return [...ended, ...used].flat();
}

async function usesOfRemoved(graph: ProgramGraph, node: Node, world: World): Promise<readonly string[]> {
  const used = [(await notInUse(graph, node, world)) ?? []].flat().map(({ message }) => message);
  if (node.urn === "") return used;
  const that = called(node);
  if (used.length > 0) return used.map((message) => `${that} (${node.id}) was removed from the program, but ${message}`);
  // A reference that is an output of the removed resource means that --target keeps Pulumi from checking the resource.
  const naming = graph.all.flatMap(({ urn, references, sources }) =>
    references.flatMap(({ id, path }) =>
      id === node.id && sources[path.join(".")] !== node.urn ? [`"${nameOf(urn)}" (${placeOf(path)})`] : [],
    ),
  );
  if (naming.length === 0) return [];
  const users = listed([...new Set(naming)]);
  const [still, stop] = naming.length === 1 ? ["uses", "stops"] : ["use", "stop"];
  const message = `${that} (${node.id}) was removed from the program, but ${users} still ${still} its ID. \`pulumi up\` deletes it last: the API may reject that, or ${users} ${stop} working`;
  return [withRemedies(message, [`Keep ${that} in the program`, `Or change or remove the references to ${node.id}`])];
}
