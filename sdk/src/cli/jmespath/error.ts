import { InputError } from "../../operation/errors.ts";

/** A text that is no expression. The message has a caret beneath the mistake. */
export class FilterError extends InputError {
  /** @param at the place in the expression, in UTF-16 units from its beginning */
  constructor(reason: string, expression: string, at: number) {
    super(located(reason, expression, at));
  }
}

/** An expression that cannot be applied to a value. This is found only after the call. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";

  /** @param at the place in the expression, in UTF-16 units from its beginning */
  constructor(reason: string, expression: string, at: number) {
    super(located(reason, expression, at));
  }
}

/** The reason, and the expression in quotes, with a caret beneath the mistake. */
function located(reason: string, expression: string, at: number): string {
  const before = `"${expression.slice(0, at)}`;
  const [rest = "", ...later] = `${expression.slice(at)}"`.split("\n");
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const caret = `${line.replace(/[^\t]/gu, " ")}^`;
  return [`Invalid jmespath expression: ${reason}:`, before + rest, caret, ...later].join("\n");
}
