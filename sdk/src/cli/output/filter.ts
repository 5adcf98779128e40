import { InputError } from "../../operation/errors.ts";
import type { Json } from "../../operation/codec.ts";
import { parse } from "../jmespath/parser.ts";

const tooDeep = "Invalid jmespath expression: it nests too deeply";

/**
 * Compiles a filter: an expression of JMESPath. As in its older version, literals may have no quotes (`app` is "app").
 *
 * @returns A function from a value to the expression's result; `null` if there is none. It throws an EvaluationError if a function
 * of the expression does not take its argument.
 * @throws FilterError for a text that is no expression, with a caret beneath the mistake.
 */
export function compileFilter(expression: string): (value: Json) => Json {
  const evaluate = withinStack(
    () => parse(expression),
    () => new InputError(tooDeep),
  );
  return (value) =>
    withinStack(
      () => evaluate(value),
      () => new Error(tooDeep),
    );
}

/** Reports an expression that nests too deeply for the stack. */
function withinStack<T>(run: () => T, failure: () => Error): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof RangeError ? failure() : error;
  }
}
