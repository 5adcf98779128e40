import type { Fields } from "../../plan/values.ts";

/** Examples of one rule of the policy pack: inputs that obey it, that break it, and that leave it open. */
export interface Case {
  /** Inputs that obey the rule. */
  readonly passes: Fields;
  /** Inputs that break it. */
  readonly fails: Fields;
  /** The input that the report names for `fails`. */
  readonly at: string;
  /** Inputs with an unknown value: whether they obey the rule cannot be said before the deployment. */
  readonly open: Fields;
  /** The unknown input that the report names for `open`. */
  readonly lacks: string;
  /** The parameters of the rule; unless given, its defaults. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}
