import { isObject } from "../plan/states.ts";
import type { Plan } from "../plan/plan.ts";
import type { Reason } from "../verdict.ts";
import { listed } from "./reviewed.ts";

const referenceType = "pulumi:pulumi:StackReference";

/** A stack that reads the outputs of another one. */
export interface Reader {
  /** `project/stack`. */
  readonly stack: string;
  /** The stack that it reads, as its program names it: `organization/project/stack`, or an end of that. */
  readonly reads: string;
}

/**
 * The `StackReference`s in a text that Pulumi has written: a state (`pulumi stack export`), a preview as JSON, or an event log.
 *
 * @throws Error if the text is none of them
 */
export function readersIn(text: string): readonly Reader[] {
  const documents = documentsIn(text);
  if (documents.length === 0) throw new Error("it is neither a state that `pulumi stack export` wrote nor a preview");
  const found = documents.flatMap(referencesIn);
  return [...new Map(found.map((one) => [`${one.stack} ${one.reads}`, one])).values()];
}

/** Those that read a stack. A name without an organization or a project may be any. */
export function readersOf(readers: readonly Reader[], project: string, stack: string): readonly string[] {
  const own = [stack, project];
  const isOwn = (reads: string) =>
    reads
      .split("/")
      .toReversed()
      .slice(0, 2)
      .every((part, index) => part === own[index]);
  return [...new Set(readers.filter(({ reads }) => isOwn(reads)).map((one) => one.stack))];
}

function documentsIn(text: string): unknown[] {
  const whole = parsed(text);
  return whole === undefined ? text.split("\n").flatMap((line) => parsed(line) ?? []) : [whole];
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function referencesIn(value: unknown): Reader[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  if (Reflect.get(value, "type") !== referenceType) return Object.values(value).flatMap(referencesIn);
  const urn: unknown = Reflect.get(value, "urn");
  const inputs: unknown = Reflect.get(value, "inputs");
  const reads: unknown = isObject(inputs) ? Reflect.get(inputs, "name") : undefined;
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(typeof urn === "string" ? urn : "") ?? [];
  return typeof reads === "string" && stack !== undefined && project !== undefined ? [{ stack: `${project}/${stack}`, reads }] : [];
}

/**
 * The reasons because of outputs of the stack that are gone afterwards, or are known only then, although others may read them.
 *
 * @param readers the stacks that read this one, by their states; `undefined` if no states were given
 */
export function outputsLost({ outputs }: Plan, readers: readonly string[] | undefined): Reason[] {
  if (!outputs || readers?.length === 0) return [];
  const { gone, changed } = outputs;
  const by = readers === undefined ? "" : `, which ${listed(readers)} read${readers.length === 1 ? "s" : ""}`;
  const lost = readers === undefined ? ". A stack that reads one fails from then on: give the states of the others with --stack-state" : by;
  return [
    ...(gone.length === 0 ? [] : [reason(`loses ${gone.length === 1 ? "its output" : "the outputs"} ${listed(gone)}${lost}`)]),
    // Without a reader, a new value of an output disturbs nobody.
    ...(changed.length === 0 || readers === undefined
      ? []
      : [reason(`gets another value of ${changed.length === 1 ? "its output" : "the outputs"} ${listed(changed)}${by}`)]),
  ];
}

function reason(sentence: string): Reason {
  return { code: "interrupts", verdict: "needs-approval", called: "stack", sentence };
}
