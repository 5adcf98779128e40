import { type About, parse } from "../../../definition/codes.ts";
import { definitions } from "../../plan/definitions.ts";
import { effectOf } from "../../plan/definition.ts";
import type { Graph } from "../../plan/graph.ts";
import { typeOf } from "../../plan/engine-output.ts";
import { type Diagnostic, kindOf, type Plan } from "../../plan/plan.ts";
import type { Reason } from "../../verdict.ts";
import { displayNameOf } from "../../plan/names.ts";
import type { Subject } from "../../plan/subject.ts";
import { type KindName, kinds } from "../../../resources/reviews.ts";

/** Why a preview failed. Each reason is about the resource that refuses, which is not always the one that the engine names. */
export function failuresOf({ failures, subjects }: Plan, graph: Graph): Reason[] {
  // The engine's last error only says that the preview failed.
  const specific = failures.filter(({ message }) => !/^(?:error:\s*)?(?:update|preview|refresh) failed$/i.test(message));
  return (specific.length > 0 ? specific : failures).map((failure) => {
    const { sentence, coded } = sentenceIn(failure.message);
    const { kind, urn, called } = refusingResource(failure, coded, subjects, graph);
    const property = propertyIn(coded, kind);
    return {
      code: "failed",
      verdict: "blocked",
      ...(urn === undefined ? {} : { urn }),
      ...(called === undefined ? {} : { called }),
      ...(property === undefined ? {} : { property }),
      sentence: property !== undefined && sentence.startsWith(`${property}: `) ? sentence.slice(property.length + 2) : sentence,
    };
  });
}

/**
 * The resource that a failure is about. When the engine plans to replace a resource, it asks whether its dependents can be replaced, and
 * reports a refusal at the first resource. The message tells which one refuses, unless it tells of a user: then it is that one.
 */
function refusingResource({ urn }: Diagnostic, { of, by }: About, subjects: readonly Subject[], graph: Graph) {
  const kind = kinds.find((one) => one === of?.type);
  if (kind !== undefined && of && by === undefined) {
    const found = subjects.find((one) => one.kind === kind && one.id === of.id);
    if (found) return { kind, urn: found.urn, called: displayNameOf(found) };
    const reported = urn === undefined ? undefined : graph.find(urn);
    if (reported?.kind !== kind && !urn?.includes(`:${kind}::`)) return { kind, urn: undefined, called: `${kind} ${of.id}` };
  }
  if (urn === undefined) return { kind: undefined, urn: undefined, called: undefined };
  return { kind: kindOf(typeOf(urn)), urn, called: graph.displayName(urn) };
}

/** The provider's sentence, without the text that the engine puts around it, and without stack traces. */
function sentenceIn(message: string): { readonly sentence: string; readonly coded: About } {
  const plain = message
    .replace(/^(?:update|preview) failed:\s*/i, "")
    .replace(/^\S+ resource '[^']*' has a problem:\s*/, "")
    .replace(/^diffing \S+:\s*/, "")
    .replace(/^(?:\d+ errors? occurred:\s*)?\*?\s*/, "")
    .trim();
  const thrown = /^Running program '[^\n]*' failed with an unhandled exception:\s*([\s\S]*)$/.exec(plain)?.[1];
  const said = shortened(thrown ?? plain) || "the engine does not say why";
  return { sentence: thrown === undefined ? said : `the program ended with an error: ${said}`, coded: parse(thrown ?? plain) ?? {} };
}

/** The most characters of a sentence. What is longer is a dump, and stands in the engine's output. */
const longest = 600;

/** The lines of a message before a stack trace or the text of a program that it quotes. */
function shortened(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  const end = lines.findIndex(
    (line) => /^at (?:.*:\d+|<anonymous>|new |async |Object\.|file:)/.test(line) || /^(?:goroutine \d+|Traceback )/.test(line),
  );
  const kept = (end < 0 ? lines : lines.slice(0, end)).filter(
    (line) => !/^(?:\^+|node:internal.*|Node\.js v\d.*|\{|\}|\[\w+\]: .*)$/.test(line) && line !== "",
  );
  const text = kept.join(" ");
  return text.length > longest ? `${text.slice(0, longest).trimEnd()}… (the rest is in the output of pulumi)` : text;
}

function propertyIn({ path }: About, kind: KindName | undefined): string | undefined {
  const [input = ""] = path?.split(/[.[]/, 1) ?? [];
  return kind !== undefined && effectOf(definitions[kind], input) !== undefined ? path : undefined;
}
