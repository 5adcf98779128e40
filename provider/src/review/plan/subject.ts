/** A resource of a plan as the reviewer sees it: what it was, what it is to be, and what is done about it. */

/** Our kinds of resources. Anything else in a plan is another provider's, or a component. */
export const kinds = [
  "Vpc",
  "Ipv6Block",
  "Subnet",
  "SecurityGroup",
  "Cluster",
  "NodePool",
  "ClusterEndpoint",
  "RegistryInstance",
  "Namespace",
  "Token",
  "UserPermission",
] as const;
export type KindName = (typeof kinds)[number];

/**
 * What is done about a resource. A replacement is one operation, in however many steps the engine does it. `adopt`: a thing that
 * exists is taken over.
 */
export type Operation = "create" | "update" | "replace" | "delete" | "adopt" | "read" | "same";

/** A value that is known only once what it comes from is there. */
export class Unknown {
  /** The URNs of what it comes from, as far as the plan tells. */
  readonly #from: readonly string[];

  constructor(from: readonly string[] = []) {
    this.#from = from;
  }

  get from(): readonly string[] {
    return this.#from;
  }
}

/** Why a value is taken for a secret: the engine's mark, our definition of the property, or the look of the value. */
export type SecretSign = "marked" | "defined" | "private key" | "kubeconfig" | "JWT" | "script" | "high entropy" | "credential";

/** A value that is not shown. Of one that was seen, a keyed hash is kept: two with the same hash are the same. */
export class Secret {
  readonly #sign: SecretSign;
  readonly #digest: string | undefined;

  constructor(sign: SecretSign, digest: string | undefined) {
    this.#sign = sign;
    this.#digest = digest;
  }

  get sign(): SecretSign {
    return this.#sign;
  }

  get digest(): string | undefined {
    return this.#digest;
  }
}

/** A value of an input: plain JSON, but for what is unknown or secret, at any depth. */
export type Value = string | number | boolean | null | Unknown | Secret | readonly Value[] | Fields;
export interface Fields {
  readonly [name: string]: Value;
}

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

export function isFields(value: Value | undefined): value is Fields {
  return typeof value === "object" && value !== null && !isList(value) && !(value instanceof Unknown) && !(value instanceof Secret);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether something in a value is not known yet. */
export function holdsUnknown(value: Value | undefined): boolean {
  if (value instanceof Unknown) return true;
  if (isList(value)) return value.some(holdsUnknown);
  return isFields(value) && Object.values(value).some(holdsUnknown);
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
