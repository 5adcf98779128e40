import { InputError } from "../../errors.ts";

/** A filter that cannot be read, or that does not suit the value it is given; a caret stands beneath the place that it is about. */
export class FilterError extends InputError {
  /** @param at Where in the expression, in UTF-16 units from its beginning. */
  constructor(reason: string, expression: string, at: number) {
    super(`Invalid jmespath expression: ${reason}:\n${marked(expression, at)}`);
  }
}

/** The expression in quotes, with a caret in a line of its own beneath the line that is meant. */
function marked(expression: string, at: number): string {
  const before = `"${expression.slice(0, at)}`;
  const [rest = "", ...later] = `${expression.slice(at)}"`.split("\n");
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const caret = `${line.replace(/[^\t]/gu, " ")}^`;
  return [before + rest, caret, ...later].join("\n");
}
