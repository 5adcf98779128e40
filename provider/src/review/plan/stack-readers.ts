import { isObject } from "./states.ts";

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
