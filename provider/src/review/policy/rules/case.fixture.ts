import type { Coded } from "../../../definition/codes.ts";
import { type Fields, Unknown, type Value } from "../../plan/values.ts";

/** Examples of one rule of the policy pack: inputs that obey it, that break it, and that leave it open. */
export interface Case {
  readonly passes: Fields;
  readonly fails: Fields;
  /** The input that the report names for `fails`. */
  readonly at: string;
  /** The provider's warnings about `fails`. */
  readonly warned?: readonly Coded[];
  /** Inputs with an unknown value: whether they obey the rule cannot be said before the deployment. None if a warning decides. */
  readonly open?: Fields;
  /** The unknown input that the report names for `open`. */
  readonly lacks?: string;
  /** The parameters of the rule; unless given, its defaults. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** What is not as `about` has it by itself, and the inputs given beside the one that the rule is about, in the same object. */
interface Otherwise extends Partial<Pick<Case, "open" | "lacks" | "parameters">> {
  readonly beside?: Fields;
}

export const unknown = new Unknown();

/**
 * The case of a rule about one input: a value that obeys it, one that breaks it, and one that is not known.
 *
 * @param at the input's path, such as `publicAccess.whitelist[0].cidrBlock`
 * @param passes the value that obeys; `undefined` leaves the input out
 * @param fails the value that breaks it, alike
 */
export function about(at: string, passes?: Value, fails?: Value, { beside = {}, ...otherwise }: Otherwise = {}): Case {
  const inputs = (value: Value | undefined) => inputsWith(at, value, beside);
  return { passes: inputs(passes), fails: inputs(fails), at, open: inputs(unknown), lacks: at, ...otherwise };
}

function inputsWith(path: string, value: Value | undefined, beside: Fields): Fields {
  const [last = "", ...outer] = path.split(".").toReversed();
  const innermost = value === undefined ? beside : { ...beside, ...holding(last, value) };
  return outer.reduce<Fields>((inner, key) => holding(key, inner), innermost);
}

function holding(key: string, value: Value): Fields {
  return key.endsWith("[0]") ? { [key.slice(0, -3)]: [value] } : { [key]: value };
}
