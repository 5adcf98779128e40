import * as z from "@container-platform/sdk/zod";
import type { Code, Coded } from "../../../definition/codes.ts";
import type { KnownKind } from "../../plan/definition.ts";
import { isFields, isList, Secret, type SecretSign, Unknown, type Value } from "../../plan/values.ts";

/** How bad it is when a rule does not hold. */
export type Severity = "low" | "medium" | "high" | "critical";

/** What happens when a rule is broken: nothing, a note in the report, an approval is required, or the change is blocked. */
export const enforcements = ["off", "advise", "require-approval", "block"] as const;
export type Enforcement = (typeof enforcements)[number];

export interface Described {
  /** Such as `CP-NET-002`. It never changes, and the id of a removed rule is not used again. */
  readonly id: string;
  /** The kinds of resources that it checks; `any`: all kinds of this package. */
  readonly kinds: readonly KnownKind[] | "any";
  /** The rule as a sentence, without a full stop. */
  readonly title: string;
  readonly severity: Severity;
  /** The enforcement, unless the settings change it. */
  readonly enforcement: Enforcement;
  /** The finding if it is broken: the end of a sentence that begins with the input. */
  readonly found: string;
  readonly why: string;
  readonly remedy: string;
  /** The same rule in benchmarks of the CIS: the benchmark and the number. */
  readonly cis?: readonly string[];
  /** The same rule in Checkov. */
  readonly checkov?: readonly string[];
  /** A wider rule. If that one is broken, this one is not reported as well. */
  readonly within?: string;
}

/** A rule with its check. @internal */
export interface Rule extends Described {
  /** The parameters that settings can change, each with a default and a description. */
  readonly parameters: z.ZodObject;
  /** Whether resources with these inputs break it. `given`: the parameters of the settings. */
  readonly fails: (inputs: Part, given: unknown) => Truth;
}

/** What happens when a rule is broken that names no enforcement. @internal */
export const usualEnforcement = { low: "advise", medium: "advise", high: "block", critical: "block" } as const satisfies Record<
  Severity,
  Enforcement
>;

/** A rule in a list: without what the list, or its severity, says of it. @internal */
type Listed = Omit<Rule, Implied> & Partial<Pick<Rule, Implied>>;
type Implied = "kinds" | "parameters" | "enforcement";

/** Rules for one kind of resource, but for those that name others. @internal */
export function rulesFor(kind: KnownKind | "any", rules: readonly Listed[]): readonly Rule[] {
  const kinds = kind === "any" ? kind : [kind];
  return rules.map((rule) => ({ kinds, parameters: z.strictObject({}), enforcement: usualEnforcement[rule.severity], ...rule }));
}

/** @internal */
export function adjustable<Shape extends z.ZodRawShape>({
  parameters: shape,
  fails,
  ...rule
}: Omit<Listed, "parameters" | "fails"> & {
  readonly parameters: Shape;
  readonly fails: (inputs: Part, given: z.output<z.ZodObject<Shape, z.core.$strict>>) => Truth;
}): Listed {
  const parameters = z.strictObject(shape);
  return { ...rule, parameters, fails: (inputs, given) => fails(inputs, parameters.parse(given)) };
}

/** An input of a resource, or a part of one, that rules check. If the value is unknown or secret, the result is undecided. */
export class Part {
  readonly path: string;
  readonly #value: Value | undefined;
  readonly #warned: readonly Coded[];
  readonly #parts = new Map<string, Part>();
  #items: readonly Part[] | undefined;

  /** @param warned the provider's warnings about the resource in the preview */
  constructor(value: Value | undefined, path = "", warned: readonly Coded[] = []) {
    this.#value = value;
    this.#warned = warned;
    this.path = path;
  }

  /** Whether the provider, which sees the platform, has warned of the resource with a code. */
  warned(code: Code): Truth {
    const found = this.#warned.find((one) => one.code === code);
    return truth(found !== undefined, found?.path ?? "");
  }

  /** A property of it. A property of a missing value is missing, too. */
  at(name: string): Part {
    const known = this.#parts.get(name);
    if (known) return known;
    const value = isFields(this.#value) && Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
    const part = new Part(this.#isHidden ? this.#value : value, this.path ? `${this.path}.${name}` : name);
    this.#parts.set(name, part);
    return part;
  }

  /** The items of a list, or the values of a record. */
  get items(): readonly Part[] {
    return (this.#items ??= this.#listed());
  }

  #listed(): readonly Part[] {
    if (isList(this.#value)) return this.#value.map((item, index) => new Part(item, `${this.path}[${index}]`));
    return isFields(this.#value) ? Object.keys(this.#value).map((name) => this.at(name)) : [];
  }

  get shown(): { readonly value: Value | undefined } | undefined {
    return this.#isHidden ? undefined : { value: this.#value };
  }

  get missing(): Truth {
    if (this.#value instanceof Unknown) return this.#undecided;
    return truth(this.#value === undefined || this.#value === null, this.path);
  }

  get given(): Truth {
    return not(this.missing);
  }

  /** Whether it is missing, or a text of nothing but spaces. */
  get blank(): Truth {
    return any(
      this.missing,
      this.text((text) => text.trim() === ""),
    );
  }

  /** Whether it is missing, or a list without items. */
  get empty(): Truth {
    return any(
      this.missing,
      this.count((count) => count === 0),
    );
  }

  /** Whether it is one of these values. A missing value is none of them. */
  is(...values: readonly (string | number | boolean)[]): Truth {
    return this.#decided((value) => values.some((one) => one === value));
  }

  text(holds: (text: string) => boolean): Truth {
    return this.#decided((value) => typeof value === "string" && holds(value));
  }

  textWith(other: Part, holds: (text: string, other: string) => boolean): Truth {
    return other.#isHidden ? other.#undecided : this.text((text) => typeof other.#value === "string" && holds(text, other.#value));
  }

  number(holds: (number: number) => boolean): Truth {
    return this.#decided((value) => typeof value === "number" && holds(value));
  }

  /** Whether `holds` returns true for the number of its items. A missing value has none. */
  count(holds: (count: number) => boolean): Truth {
    return this.#decided(() => holds(this.items.length));
  }

  some(holds: (item: Part) => Truth): Truth {
    return this.anyOf(this.items.map(holds));
  }

  /** Whether one of these statements about its items holds. If it is hidden itself, that is undecided. */
  anyOf(statements: readonly Truth[]): Truth {
    return any(
      this.#decided(() => false),
      ...statements,
    );
  }

  every(holds: (item: Part) => Truth): Truth {
    const [first, ...others] = this.items.map(holds);
    return first ? all(first, ...others) : this.#decided(() => true);
  }

  /** Whether it is a secret that was recognised by one of these signs. Other secrets are undecided, because their values are not known. */
  looks(...signs: readonly SecretSign[]): Truth {
    if (!(this.#value instanceof Secret)) return this.#decided(() => false);
    const unseen = this.#value.sign === "marked" || this.#value.sign === "defined";
    return unseen ? this.#undecided : truth(signs.includes(this.#value.sign), this.path);
  }

  /** All values in it, at any depth, that are neither lists nor records. */
  get leaves(): readonly Part[] {
    return isList(this.#value) || isFields(this.#value) ? this.items.flatMap(({ leaves }) => leaves) : [this];
  }

  get #isHidden(): boolean {
    return this.#value instanceof Unknown || this.#value instanceof Secret;
  }

  get #undecided(): Truth {
    return truth(undefined, this.path);
  }

  #decided(holds: (value: Value | undefined) => boolean): Truth {
    return this.#isHidden ? this.#undecided : truth(holds(this.#value), this.path);
  }
}

/** A statement about inputs. `holds` is `undefined` if it cannot be decided, because a value is unknown or secret. */
export interface Truth {
  readonly holds: boolean | undefined;
  /** Path of the input that decides, or that would have to be known. */
  readonly at: string;
}

export function truth(holds: boolean | undefined, at: string): Truth {
  return { holds, at };
}

/** Whether all hold. One that does not hold decides, even if others are undecided. The last one is what the finding is about. */
export function all(first: Truth, ...others: readonly Truth[]): Truth {
  const each = [first, ...others];
  return each.find(({ holds }) => holds === false) ?? each.find(({ holds }) => holds === undefined) ?? each.at(-1) ?? first;
}

export function any(first: Truth, ...others: readonly Truth[]): Truth {
  const each = [first, ...others];
  return each.find(({ holds }) => holds === true) ?? each.find(({ holds }) => holds === undefined) ?? first;
}

export function not({ holds, at }: Truth): Truth {
  return { holds: holds === undefined ? undefined : !holds, at };
}

/** Parameters of a rule: how wide ranges may be. @internal */
export function widths(ipv4: number, ipv6: number) {
  return {
    ipv4: z.int().min(0).max(32).default(ipv4).describe("Shortest prefix of an IPv4 range"),
    ipv6: z.int().min(0).max(128).default(ipv6).describe("Shortest prefix of an IPv6 range"),
  };
}
