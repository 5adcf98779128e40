import { InputError } from "../../operation/errors.ts";

/** A text that is no expression. A caret stands beneath the place that does not fit. */
export class FilterError extends InputError {
  /** @param at Where in the expression, in UTF-16 units from its beginning. */
  constructor(reason: string, expression: string, at: number) {
    super(located(reason, expression, at));
  }
}

/** An expression that does not suit the value it is given: found when the answer is there, after the call was made. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";

  /** @param at Where in the expression, in UTF-16 units from its beginning. */
  constructor(reason: string, expression: string, at: number) {
    super(located(reason, expression, at));
  }
}

/** The sentence, and the expression in quotes, with a caret in a line of its own beneath the line that is meant. */
function located(reason: string, expression: string, at: number): string {
  const before = `"${expression.slice(0, at)}`;
  const [rest = "", ...later] = `${expression.slice(at)}"`.split("\n");
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const caret = `${line.replace(/[^\t]/gu, " ")}^`;
  return [`Invalid jmespath expression: ${reason}:`, before + rest, caret, ...later].join("\n");
}
