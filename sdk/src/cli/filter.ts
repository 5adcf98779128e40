import { InputError } from "../errors.ts";
import type { Json } from "../wire.ts";
import { parse } from "./jmespath/parser.ts";

/**
 * Compiles a filter: an expression of JMESPath, or one of its older ones, whose literals may be bare (`app` is "app").
 *
 * @returns What the expression makes of a value; `null` where there is nothing.
 * @throws FilterError for what is no expression, and, when a value is filtered, for arguments that a function does not
 * take. It is an `InputError`: the command ends with 255, as the reference client does.
 */
export function compileFilter(expression: string): (value: Json) => Json {
  const evaluate = guarded(() => parse(expression));
  return (value) => guarded(() => evaluate(value));
}

/** Nothing limits how deep an expression nests, but the stack does. */
function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof RangeError ? new InputError("Invalid jmespath expression: it nests too deeply") : error;
  }
}
