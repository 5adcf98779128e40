import { isProps } from "../../schema/values.ts";
import { jsonIn, stackOf } from "../plan/engine-output.ts";
import type { Plan } from "../plan/plan.ts";
import type { Reason } from "../verdict.ts";
import { listed } from "./reviewed.ts";

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
  const own = `/${project}/${stack}`;
  const isOwn = (reads: string) => own.endsWith(`/${reads.split("/").slice(-2).join("/")}`);
  return [...new Set(readers.filter(({ reads }) => isOwn(reads)).map((one) => one.stack))];
}

function documentsIn(text: string): unknown[] {
  const whole = jsonIn(text);
  return (isProps(whole) ? [whole] : text.split("\n").map(jsonIn)).filter(isProps);
}

function referencesIn(value: unknown): Reader[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isProps(value)) return [];
  const { type, urn, inputs } = value;
  if (type !== "pulumi:pulumi:StackReference") return Object.values(value).flatMap(referencesIn);
  const reads = isProps(inputs) ? inputs["name"] : undefined;
  const { stack, project } = stackOf(typeof urn === "string" ? urn : "");
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
  const called = (names: readonly string[]) => `${names.length === 1 ? "its output" : "the outputs"} ${listed(names)}`;
  const sentences = [
    ...(gone.length === 0 ? [] : [`loses ${called(gone)}${lost}`]),
    // Without a reader, a new value of an output disturbs nobody.
    ...(changed.length === 0 || readers === undefined ? [] : [`gets another value of ${called(changed)}${by}`]),
  ];
  return sentences.map((sentence) => ({ code: "interrupts", verdict: "needs-approval", called: "stack", sentence }));
}
