import { InputError } from "../../operation/errors.ts";
import type { Json } from "../../operation/codec.ts";
import { parse } from "../jmespath/parser.ts";

const tooDeep = "Invalid jmespath expression: it nests too deeply";

/**
 * Compiles a filter: an expression of JMESPath, or one of its older ones, whose literals may be bare (`app` is "app").
 *
 * @returns What the expression makes of a value; `null` where there is nothing. It throws an EvaluationError where a
 * function does not take what the value has.
 * @throws FilterError for what is no expression, with a caret beneath the place that does not fit.
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

/** Nothing limits how deep an expression nests, but the stack does. */
function withinStack<T>(run: () => T, failure: () => Error): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof RangeError ? failure() : error;
  }
}
