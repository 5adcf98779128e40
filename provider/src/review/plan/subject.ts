import type { KindName } from "../../resources/reviews.ts";
import type { Fields } from "./values.ts";

/** A resource of a plan as the reviewer sees it: what it was, what it is to be, and what is done about it. */

/**
 * What is done about a resource. A replacement is one operation, in however many steps the engine does it. `adopt`: a thing that
 * exists is taken over.
 */
export type Operation = "create" | "update" | "replace" | "delete" | "adopt" | "read" | "same";

/** A place in a program. */
export interface SourcePosition {
  /** Relative to the project's folder, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
}

export interface Subject {
  readonly urn: string;
  /** Which of our kinds it is; `undefined`: something else, whose `type` tells what. */
  readonly kind: KindName | undefined;
  readonly type: string;
  readonly name: string;
  readonly operation: Operation;
  /** The platform's id, of what exists. */
  readonly id: string | undefined;
  /** The wish, defaults filled in, without hidden properties. Nothing in it where the resource is deleted. */
  readonly inputs: Fields;
  /** The inputs as last deployed; `undefined` where there was no such resource. */
  readonly before: Fields | undefined;
  /** The URNs of what it stands on. */
  readonly dependencies: readonly string[];
  /** The same by property. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** Pulumi's own option `protect`. */
  readonly protect: boolean;
  /** Taken out of the program, the thing stays on the platform: Pulumi's option `retainOnDelete`. */
  readonly retained: boolean;
  readonly source: SourcePosition | undefined;
  /** Whether a replacement deletes the old thing before it makes the new one; `undefined` where the plan does not tell. */
  readonly deletesFirst: boolean | undefined;
  /** The properties that force a replacement, as the engine tells them. */
  readonly replaceKeys: readonly string[];
  /** The paths that differ, as the engine tells them: `native.scaling.maxReplicas`. */
  readonly paths: readonly string[];
  /** Where it lives, from what the state remembers of it or the configuration. */
  readonly region: string | undefined;
}

/** A resource as people call it: `Cluster platform`. */
export function calledOf({ type, name }: Pick<Subject, "type" | "name">): string {
  return `${type.slice(type.lastIndexOf(":") + 1)} ${name}`;
}

/** The same, of a URN alone. */
export function calledByUrn(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  return calledOf({ type: types.split("$").at(-1) ?? "", name: name.join("::") });
}
