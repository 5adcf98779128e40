import type { KindName } from "../../resources/reviews.ts";
import type { Fields, Value } from "./values.ts";

/** What a plan does with a resource. A replacement is one operation, although the engine needs several steps. `adopt`: an import. `unknown`: this reviewer does not know what the engine does there. */
export type Operation = "create" | "update" | "replace" | "delete" | "adopt" | "read" | "same" | "unknown";

export interface SourcePosition {
  /** Relative to the project's folder, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
}

/** A change of one property, or of a part of it. */
export interface Difference {
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

export interface Subject {
  readonly urn: string;
  /** Its kind; `undefined` for a resource of another provider. */
  readonly kind: KindName | undefined;
  readonly type: string;
  readonly name: string;
  readonly operation: Operation;
  /** The platform's id, if the resource exists. */
  readonly id: string | undefined;
  /** The desired inputs with defaults, without private state. Empty if the resource is deleted. */
  readonly inputs: Fields;
  /** The inputs as last deployed; `undefined` if the resource is new. */
  readonly before: Fields | undefined;
  /** The differences between these, one for each part that differs. Empty if the resource is deleted. */
  readonly differences: readonly Difference[];
  /** What the platform had for an input or an output when the state was written, also where the program leaves it to the platform. */
  readonly live: (name: string) => Value | undefined;
  /** The inputs that were changed outside of Pulumi, and that cannot be changed back in place: they stay as they are. */
  readonly drifted: readonly string[];
  readonly dependencies: readonly string[];
  /** The same by input. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean;
  /** Pulumi's options that keep a resource from being deleted, and that the program takes away. */
  readonly unguarded: readonly ("protect" | "retainOnDelete")[];
  /** What the engine calls its steps. */
  readonly ops: readonly string[];
  /** Pulumi's option `retainOnDelete`: taken out of the program, the resource stays on the platform. */
  readonly retained: boolean;
  /** The id of what exists, if the resource is to be taken over. */
  readonly adopted: string | undefined;
  /** What the import changes on the platform, according to the provider. */
  readonly importChanges: readonly string[];
  /** The URN of the resource of this plan that takes over what this one leaves: deleted here, it stays on the platform. */
  readonly takenOverBy: string | undefined;
  /** Pulumi's option `deletedWith`, a URN: the engine does not delete this one if that one is deleted. */
  readonly deletedWith: string | undefined;
  /** The same, if the engine does delete that one, so that it only forgets this one. */
  readonly leftWith: string | undefined;
  /** The URN of what it is inside of, with which the platform deletes it, whatever the engine does. */
  readonly goesWith: string | undefined;
  readonly source: SourcePosition | undefined;
  /** Whether a replacement deletes the old resource before it creates the new one; `undefined` if the plan does not say so. */
  readonly deletesFirst: boolean | undefined;
  /** The inputs that force a replacement, according to the engine. */
  readonly replaceKeys: readonly string[];
  /** The paths that differ, according to the engine: `native.scaling.maxReplicas`. */
  readonly paths: readonly string[];
  /** Its region, from the state or the configuration. */
  readonly region: string | undefined;
}

/** Whether a resource that is taken out of the program stays on the platform. */
export function isKept(subject: Subject): boolean {
  return isLeft(subject) && subject.goesWith === undefined;
}

/** Whether the engine only forgets a resource that is taken out of the program. The platform may delete it all the same. */
export function isLeft({ operation, retained, takenOverBy, leftWith }: Subject): boolean {
  return operation === "delete" && (retained || takenOverBy !== undefined || leftWith !== undefined);
}

/** Whether a text is as a pattern says, in which `*` stands for any text. */
export function fits(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s").test(text);
}
