import type { Fields } from "../../plan/values.ts";

/** Inputs with which a rule holds, is broken, and cannot be decided. The rule does not depend on other inputs. */
export interface Case {
  readonly passes: Fields;
  readonly fails: Fields;
  /** The input that breaks it. */
  readonly at: string;
  readonly open: Fields;
  /** The input that has to be known. */
  readonly lacks: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}
