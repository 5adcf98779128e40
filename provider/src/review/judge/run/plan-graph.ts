import type { Node, NodeKind } from "../../../definition/invariants.ts";
import type { Graph } from "../../../program/graph.ts";
import { type Props, unknown } from "../../../schema/values.ts";
import type { Definition } from "../../plan/definition.ts";
import { definitions } from "../../plan/definitions.ts";
import type { Subject } from "../../plan/subject.ts";
import { type Fields, isFields, isList, isText, Unknown, type Value } from "../../plan/values.ts";

/**
 * Adds a resource of a plan to a graph, as the provider adds one of a program. All texts in its inputs count as references.
 *
 * @param version `old `: the resource before its change. It has a separate URN, because it may exist beside the new one
 */
export function addToGraph(graph: Graph<NodeKind>, subject: Subject, fields: Fields, version: "" | "old " = ""): Node<NodeKind> {
  const { kind, urn, region, id } = subject;
  const definition: Definition = kind ? definitions[kind] : { changes: {}, secrets: [] };
  const names = definition.idInputs ?? ["given by the platform"];
  const shape = Object.fromEntries(Object.values(definition.changes).flatMap((keys) => keys.map((key) => [key, true] as const)));
  const plain = (value: Value) => (isText(value) || typeof value === "boolean" ? value : unknown);
  const inputs: Props = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)]));
  const sources = Object.entries(fields).filter(([, value]) => value instanceof Unknown && value.from.length > 0);
  return graph.add({
    kind: {
      type: `${kind ?? "another"} in ${region ?? "?"}`,
      unique: definition.unique,
      id: { names, of: (parts) => names.map((name) => String(parts[name])).join("/") },
      inputs: { shape },
    },
    urn: `${version}${urn}`,
    stateUrn: urn,
    // The new resource of a replacement gets another ID.
    id: version === "" || definition.idInputs ? undefined : id,
    operation: "keep",
    inputs,
    lastInputs: inputs,
    sources: Object.fromEntries(sources.map(([key, value]) => [key, value instanceof Unknown ? value.from.join(" ") : ""])),
    dependencies: [],
    deleteBeforeReplace: undefined,
    retainOnDelete: false,
    references: [...new Set(textsIn(fields))].map((text) => ({ id: text, path: [], prefix: "ins" })),
    keptReferences: [],
  });
}

function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  return (isList(value) ? value : isFields(value) ? Object.values(value) : []).flatMap(textsIn);
}
