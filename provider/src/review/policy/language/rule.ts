import * as z from "@container-platform/sdk/zod";
import type { KnownKind } from "../../plan/definition.ts";
import type { Part } from "./part.ts";
import type { Truth } from "./truth.ts";

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
  /** The reason for the rule. */
  readonly why: string;
  /** How to correct it. */
  readonly remedy: string;
  /** The same rule in benchmarks of the CIS: the benchmark and the number. */
  readonly cis?: readonly string[];
  /** The same rule in Checkov. */
  readonly checkov?: readonly string[];
  /** A wider rule. If that one is broken, this one is not reported as well. */
  readonly within?: string;
}

/** A rule with its check. */
export interface Rule extends Described {
  /** The parameters that settings can change, each with a default and a description. */
  readonly parameters: z.ZodObject;
  /** Whether resources with these inputs break it. `given`: the parameters of the settings. */
  readonly fails: (inputs: Part, given: unknown) => Truth;
}

export function rule(definition: Described & { readonly fails: (inputs: Part) => Truth }): Rule {
  return { ...definition, parameters: z.strictObject({}) };
}

/** A rule with parameters. */
export function adjustable<Shape extends z.ZodRawShape>(
  shape: Shape,
  { fails, ...described }: Described & { readonly fails: (inputs: Part, given: z.output<z.ZodObject<Shape, z.core.$strict>>) => Truth },
): Rule {
  const parameters = z.strictObject(shape);
  return { ...described, parameters, fails: (inputs, given) => fails(inputs, parameters.parse(given)) };
}
