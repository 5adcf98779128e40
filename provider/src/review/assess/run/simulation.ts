import type { Node, NodeKind } from "../../../definition/invariants.ts";
import { Graph } from "../../../program/graph.ts";
import { type Props, unknown } from "../../../schema/values.ts";
import type { Definition } from "../../plan/definition.ts";
import { definitions } from "../../plan/definitions.ts";
import { displayNameOf } from "../../plan/names.ts";
import type { Subject } from "../../plan/subject.ts";
import { type Fields, isFields, isList, isText, Unknown, type Value } from "../../plan/values.ts";
import { oneOwner, uniqueInProgram } from "../../../program/rules.ts";
import type { Plan } from "../../plan/plan.ts";
import type { Reason } from "../../verdict.ts";
import { aliasLine } from "../whole-plan.ts";

/**
 * Adds a resource of a plan to a graph, as the provider adds one of a program. All texts in its inputs count as references.
 *
 * @param version `old `: the resource before its change. It has a separate URN, because it may exist beside the new one
 */
function addToGraph(graph: Graph<NodeKind>, subject: Subject, fields: Fields, version: "" | "old " = ""): Node<NodeKind> {
  const { kind, urn, region, id } = subject;
  const definition: Definition = kind ? definitions[kind] : { changes: {} };
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

/** The texts in a value, at any depth. */
export function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  return (isList(value) ? value : isFields(value) ? Object.values(value) : []).flatMap(textsIn);
}

/**
 * The steps of a plan, carried out one after the other on what the state has: what one of them makes must keep the provider's rules
 * beside what is still there then. Values that are known only after apply are left out.
 */
export function failingSteps({ subjects, steps }: Plan, renames: ReadonlyMap<string, Subject>): readonly Reason[] {
  // The order decides, and without its steps a replacement has none.
  if (subjects.some(({ operation, deletesFirst }) => operation === "replace" && deletesFirst === undefined)) return [];
  const byUrn = new Map(subjects.map((subject) => [subject.urn, subject]));
  const existing = new Graph<NodeKind>();
  for (const one of subjects) if (one.before) addToGraph(existing, one, one.before, "old ");
  return steps.flatMap(({ urn, does }, index): readonly Reason[] => {
    const subject = byUrn.get(urn);
    if (!subject?.kind) return [];
    // What is retained, or left to another's deletion, leaves the state only.
    if (does === "update" || (does === "delete" && !subject.retained && subject.leftWith === undefined)) existing.remove(`old ${urn}`);
    if (does === "delete") return [];
    const node = addToGraph(existing, subject, subject.inputs);
    const [broken] =
      does === "adopt"
        ? []
        : [oneOwner, uniqueInProgram].flatMap((rule) => rule(existing, { ...node, operation: "create", lastInputs: {} }) ?? []);
    if (!broken?.other) return [];
    const isOld = broken.other.urn.startsWith("old ");
    const other = byUrn.get(isOld ? broken.other.urn.slice(4) : broken.other.urn);
    const gone = isOld ? steps.findIndex((step, at) => at > index && step.does === "delete" && step.urn === other?.urn) : -1;
    const { as, by = node.kind.id.names.at(-1) ?? "", value, otherBy, otherValue } = broken.conflict ?? {};
    const same = as === undefined ? `${node.kind.id.names.join(" and ")} are the same` : `${by} of both is ${value}`;
    const meets = as === "range" ? `${by} ${value} overlaps ${otherBy} ${otherValue}` : same;
    const beside = other === subject ? "the old one" : other ? displayNameOf(other) : "another one";
    const later = gone < 0 ? "" : `, which is deleted only in step ${gone + 1}`;
    const sentence = `step ${index + 1} fails: it cannot be made beside ${beside}${later}: ${meets}${remedy(subject, other, renames.get(urn), gone)}`;
    return [{ code: "collides", verdict: "blocked", urn, called: displayNameOf(subject), property: by, sentence }];
  });
}

function remedy(subject: Subject, other: Subject | undefined, renamed: Subject | undefined, gone: number): string {
  if (other === subject) return ". Add deleteBeforeReplace: true to its options";
  if (renamed && renamed === other) return `. If it is that one under another name, add ${aliasLine(renamed)} to its options`;
  return gone < 0 ? "" : ". Take the old one out in a run of its own first";
}
