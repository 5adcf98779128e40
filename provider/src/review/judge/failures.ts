import { definitions } from "../plan/definitions.ts";
import { effectOf } from "../plan/definition.ts";
import type { Graph } from "../plan/graph.ts";
import type { Diagnostic, Plan } from "../plan/plan.ts";
import type { Reason } from "../verdict.ts";
import { calledOf, type Subject } from "../plan/subject.ts";
import { type KindName, kinds } from "../../resources/reviews.ts";

/** Why a preview did not come to its end, each at the resource that it is about: not always the one that the engine names. */
export function failuresOf({ failures, subjects }: Plan, graph: Graph): Reason[] {
  // The engine ends with a sentence that says no more than that it failed.
  const told = failures.filter(({ message }) => !/^(?:update|preview|refresh) failed$/i.test(message));
  return (told.length > 0 ? told : failures).map((failure) => {
    const sentence = sentenceIn(failure.message);
    const { kind, urn, called } = aboutWhom(failure, sentence, subjects, graph);
    const property = propertyIn(sentence, kind);
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

interface About {
  readonly kind: KindName | undefined;
  readonly urn: string | undefined;
  readonly called: string | undefined;
}

/**
 * Whether a thing that stands on a replaced one can be replaced, too, is asked while the engine is at the one below, and an answer
 * of no is told there. The sentence itself names the thing that refuses, by its kind and id.
 */
function aboutWhom({ urn }: Diagnostic, sentence: string, subjects: readonly Subject[], graph: Graph): About {
  const [, type, id] = /\bmakes a new (\w+) in place of (\S+?),/.exec(sentence) ?? [];
  const kind = kinds.find((one) => one === type);
  if (kind !== undefined && id !== undefined) {
    const found = subjects.find((one) => one.kind === kind && one.id === id);
    if (found) return { kind, urn: found.urn, called: calledOf(found) };
    const told = urn === undefined ? undefined : graph.find(urn);
    if (told?.kind !== kind && !urn?.includes(`:${kind}::`)) return { kind, urn: undefined, called: `${kind} ${id}` };
  }
  if (urn === undefined) return { kind: undefined, urn: undefined, called: undefined };
  return { kind: kinds.find((one) => urn.includes(`container-platform:${one}::`)), urn, called: graph.called(urn) };
}

/** What the engine puts around our sentence says nothing to a reader. */
function sentenceIn(message: string): string {
  return message
    .replace(/^error:\s*/i, "")
    .replace(/^\S+ resource '[^']*' has a problem:\s*/, "")
    .replace(/^diffing \S+:\s*/, "")
    .replace(/^(?:\d+ errors? occurred:\s*)?\*?\s*/, "")
    .trim();
}

function propertyIn(sentence: string, kind: KindName | undefined): string | undefined {
  const [, changed] = /^a change of ([\w.]+)/.exec(sentence) ?? [];
  const [, named] = /^([\w.[\]]+): /.exec(sentence) ?? [];
  const found = changed ?? named;
  const input = /^\w+/.exec(found ?? "")?.[0];
  return kind !== undefined && input !== undefined && effectOf(definitions[kind], input) !== undefined ? found : undefined;
}
