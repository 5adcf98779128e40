import { listed } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import type { Node as NodeOf, World } from "../definition/invariants.ts";
import { placeOf } from "../schema/messages.ts";
import { nameOf } from "../schema/urn.ts";
import { textOf } from "./evaluate.ts";
import { notInUse } from "./invariants.ts";
import { called, withRemedies } from "./messages.ts";
import type { ProgramGraph } from "./program-graph.ts";

type Node = NodeOf<Kind>;

/**
 * Evaluates the rules at the end of a program that has changed nothing.
 *
 * @param removed the resources of the state that the program does not declare any more. One without a URN is known by its ID alone
 * @returns one warning a violation. Why not an error: Pulumi does not tell the provider about `--target`, which may exclude the deletion
 */
export async function warningsAtEnd(graph: ProgramGraph, removed: readonly Node[], world: World<Kind>): Promise<readonly string[]> {
  const own = graph.all.flatMap((node) => (node.kind.invariants?.end ?? []).map((rule) => rule(graph, node, world)));
  const [ended, used] = await Promise.all([
    Promise.all(own.map(async (found) => [(await found) ?? []].flat().map(textOf))),
    Promise.all(removed.map((node) => usesOfRemoved(graph, node, world))),
  ]);
  return [...ended, ...used].flat();
}

async function usesOfRemoved(graph: ProgramGraph, node: Node, world: World<Kind>): Promise<readonly string[]> {
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
