import * as z from "@container-platform/sdk/zod";
import type { KindName } from "../../resources/reviews.ts";
import type { Part } from "./part.ts";
import type { Truth } from "./truth.ts";

/** How bad it is when a rule does not hold. */
export type Severity = "low" | "medium" | "high" | "critical";

/** What follows when a rule does not hold: nothing, a word about it, a change that somebody has to approve, or none at all. */
export const enforcements = ["off", "advise", "require-approval", "block"] as const;
export type Enforcement = (typeof enforcements)[number];

export interface Described {
  /** Such as `CP-NET-002`. It stays the same for ever; one that is given up is not given again. */
  readonly id: string;
  /** What it is about; `any` of ours. */
  readonly kinds: readonly KindName[] | "any";
  /** What has to hold, without a full stop. */
  readonly title: string;
  readonly severity: Severity;
  /** Unless the settings say otherwise. */
  readonly enforcement: Enforcement;
  /** What is found where it does not hold, as the end of a sentence that begins with the input. */
  readonly found: string;
  /** Why it has to hold. */
  readonly why: string;
  /** How to mend it. */
  readonly remedy: string;
  /** The same in benchmarks of the CIS: which one, and the number. */
  readonly cis?: readonly string[];
  /** The same among Checkov's checks. */
  readonly checkov?: readonly string[];
  /** A wider rule: where that one fails at the same input, this one is not told besides. */
  readonly within?: string;
}

/** A rule for resources, as the interpreter sees it. */
export interface Rule extends Described {
  /** What the settings can give it, each with a default and a description. */
  readonly parameters: z.ZodObject;
  /** Whether it is broken. */
  readonly fails: (inputs: Part, given: unknown) => Truth;
}

export function rule(definition: Described & { readonly fails: (inputs: Part) => Truth }): Rule {
  return { ...definition, parameters: z.strictObject({}) };
}

/** A rule that the settings can make wider or narrower. */
export function adjustable<Shape extends z.ZodRawShape>(
  shape: Shape,
  { fails, ...described }: Described & { readonly fails: (inputs: Part, given: z.output<z.ZodObject<Shape, z.core.$strict>>) => Truth },
): Rule {
  const parameters = z.strictObject(shape);
  return { ...described, parameters, fails: (inputs, given) => fails(inputs, parameters.parse(given)) };
}
