import { listed } from "@container-platform/sdk";
import type { Coded } from "../definition/codes.ts";
import type { Kind } from "../definition/definition.ts";
import type { Invariant, Violation } from "../definition/invariants.ts";
import { placeOf } from "../schema/paths.ts";
import { nameOf } from "../schema/urn.ts";
import { notInUse, notProtected, offersAvailable, type ProgramRule, referencesExist, uniqueOnPlatform } from "./invariants.ts";
import { called, withRemedies } from "./messages.ts";
import type { Node, ProgramGraph, World } from "./program-graph.ts";
import { noLiteralIdOfReplaced, oneOwner, replaceable, uniqueInProgram } from "./rules.ts";

type Rule = ProgramRule | Invariant<Kind, string>;
type When = "check" | "diff" | "cascade" | "referrer" | "end";

/** The rules of a resource, in the order of their evaluation. */
function rulesOf({ invariants: { check = [], diff = [], end = [] } = {} }: Kind): Readonly<Record<When, readonly Rule[]>> {
  return {
    // The references come before the resource's own rules: those read the referenced resources.
    check: [oneOwner, offersAvailable, uniqueInProgram, referencesExist, ...check, uniqueOnPlatform, replaceable, notProtected, notInUse],
    diff: [oneOwner, replaceable, notProtected, uniqueOnPlatform, noLiteralIdOfReplaced, notInUse, ...diff],
    // The resource is deleted because another one is.
    cascade: [notProtected],
    // The resource refers to a compared one.
    referrer: [...check, noLiteralIdOfReplaced, notInUse],
    end,
  };
}

/**
 * Evaluates the rules of a resource after its check, or after its comparison with the state (`diff`, `cascade`), up to the first violated one.
 * After a `diff`, it also evaluates those of the resources that refer to it, because Pulumi may have checked these before.
 */
export async function evaluate(graph: ProgramGraph, node: Node, world: World, when: When): Promise<readonly Coded[]> {
  const own = await firstViolations(rulesOf(node.kind)[when], graph, node, world);
  if (own.length > 0) return own.map((one) => withPath(one));
  const mayUse = when !== "cascade" && (node.kind.holds !== undefined || node.keptReferences.length > 0);
  for (const other of [...(when === "diff" ? graph.referrers(node) : []), ...(mayUse ? graph.deleted : [])]) {
    const [violation] = await firstViolations(rulesOf(other.kind).referrer, graph, other, world);
    if (violation) return [withPath(violation, violation.by === undefined ? ` of "${nameOf(other.urn)}"` : "")];
  }
  return [];
}

async function firstViolations(rules: readonly Rule[], graph: ProgramGraph, node: Node, world: World): Promise<readonly Violation[]> {
  for (const rule of rules) {
    const found = await violationsOf(rule, graph, node, world);
    if (found.length > 0) return found;
  }
  return [];
}

const violationsOf = async (rule: Rule, graph: ProgramGraph, node: Node, world: World): Promise<readonly Violation[]> =>
  [(await rule(graph, node, world)) ?? []].flat();

/** The message as the user sees it, after the path. `of`: the resource that has the path, if that is another one. */
export function withPath({ path, message, ...rest }: Violation, of = ""): Coded {
  return path === undefined ? { ...rest, message } : { ...rest, path: of === "" ? path : undefined, message: `${path}${of}: ${message}` };
}

/**
 * Evaluates the rules at the end of a program that has changed nothing. A violation is a warning: Pulumi does not tell the provider about
 * `--target`, which may exclude the deletion.
 *
 * @param removed the resources of the state that the program does not declare any more. One without a URN is known by its ID alone
 */
export async function warningsAtEnd(graph: ProgramGraph, removed: readonly Node[], world: World): Promise<readonly Coded[]> {
  const own = graph.all.flatMap((node) =>
    rulesOf(node.kind).end.map(async (rule) => (await violationsOf(rule, graph, node, world)).map((one) => withPath(one))),
  );
  return (await Promise.all([...own, ...removed.map((node) => usesOfRemoved(graph, node, world))])).flat();
}

async function usesOfRemoved(graph: ProgramGraph, node: Node, world: World): Promise<readonly Coded[]> {
  const used = (await violationsOf(notInUse, graph, node, world)).map((one) => withPath(one));
  if (node.urn === "") return used;
  const removed = `${called(node)} (${node.id}) was removed from the program, but`;
  if (used.length > 0) return used.map((one) => ({ ...one, message: `${removed} ${one.message}` }));
  // A reference that is an output of the removed resource means that --target keeps Pulumi from checking the resource.
  const naming = graph.all.flatMap(({ urn, references, sources }) =>
    references.flatMap(({ id, path }) =>
      id === node.id && sources[path.join(".")] !== node.urn ? [`"${nameOf(urn)}" (${placeOf(path)})`] : [],
    ),
  );
  if (naming.length === 0) return [];
  const users = listed([...new Set(naming)]);
  const [still, stop] = naming.length === 1 ? ["uses", "stops"] : ["use", "stop"];
  const message = `${removed} ${users} still ${still} its ID. \`pulumi up\` deletes it last: the API may reject that, or ${users} ${stop} working`;
  const remedies = [`Keep ${called(node)} in the program`, `Or change or remove the references to ${node.id}`];
  return [{ code: "StaleReference", message: withRemedies(message, remedies) }];
}
