import type { Json } from "../../operation/codec.ts";
import { EvaluationError, FilterError } from "./error.ts";
import * as expressions from "./expressions.ts";
import { type Argument, ArgumentError, functions, type JmesFunction, Reference } from "./functions.ts";
import { type Token, tokensOf } from "./tokens.ts";

type Evaluate = expressions.Evaluate;

/**
 * How strongly an operator binds to the expression on its left. A token that is not in this table ends that expression. The
 * specification gives the order of some operators. The reference implementation (jmespath.py), with which existing filters were
 * tried, orders all of them.
 */
const powers: Readonly<Partial<Record<Token["kind"], number>>> = {
  "|": 1,
  "||": 2,
  "&&": 3,
  "==": 5,
  "!=": 5,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  "[]": 9,
  "[?": 21,
  ".": 40,
  "[": 55,
};

const star = 20;
const negation = 45;
/** Stronger operators apply to each item of a projection, others to the resulting list. */
const projectionStop = 10;

/**
 * Compiles an expression of JMESPath (jmespath.org, Specification). This is a top-down operator precedence parser.
 *
 * @throws FilterError for a text that is no expression. The compiled function throws an EvaluationError for wrong arguments.
 */
export function parse(expression: string): Evaluate {
  return new Parser(expression).whole();
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokensOf(source);
  }

  whole(): Evaluate {
    return this.#closed("end", this.#expression());
  }

  /** An expression up to the first operator that does not bind more strongly than `power`. */
  #expression(power = 0): Evaluate {
    let whole = this.#prefix(this.#take());
    for (let token = this.#peek(); powerOf(token) > power; token = this.#peek()) whole = this.#infix(whole, this.#take());
    return whole;
  }

  /** The rest of a projection, which applies to each item. */
  #projected(power: number): Evaluate {
    if (powerOf(this.#peek()) < projectionStop) return expressions.current;
    return this.#accepts(".") ? this.#member(power) : this.#expression(power);
  }

  /** The beginning of an expression. */
  #prefix(token: Token): Evaluate {
    switch (token.kind) {
      case "literal":
        return expressions.literal(token.value);
      case "identifier":
        return this.#accepts("(") ? this.#call(token, token.name) : expressions.field(token.name);
      case "quoted":
        return expressions.field(token.name);
      case "@":
        return expressions.current;
      case "!":
        return expressions.not(this.#expression(negation));
      case "(":
        return this.#closed(")", this.#expression());
      case "*":
        return expressions.valueProjection(expressions.current, this.#projected(star));
      case "{":
        return this.#multiSelectHash();
      case "[":
        return this.#startsIndex() ? this.#bracket(expressions.current) : this.#multiSelectList();
      case "[]":
      case "[?":
        return this.#infix(expressions.current, token);
      default:
        throw this.#unexpected(token);
    }
  }

  /** An operator after an expression, with its right side. */
  #infix(left: Evaluate, token: Token): Evaluate {
    const power = powerOf(token);
    switch (token.kind) {
      case ".":
        if (this.#accepts("*")) return expressions.valueProjection(left, this.#projected(power));
        return expressions.chain(left, this.#member(power));
      case "[":
        return this.#bracket(left);
      case "[]":
        return expressions.projection(expressions.flatten(left), this.#projected(power));
      case "[?": {
        const condition = this.#closed("]", this.#expression());
        return expressions.filterProjection(left, condition, this.#projected(power));
      }
      case "|":
        return expressions.chain(left, this.#expression(power));
      case "||":
        return expressions.or(left, this.#expression(power));
      case "&&":
        return expressions.and(left, this.#expression(power));
      case "==":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
        return expressions.comparison(token.kind, left, this.#expression(power));
      default:
        throw this.#unexpected(token);
    }
  }

  /** The right side of a point. */
  #member(power: number): Evaluate {
    const { kind } = this.#peek();
    if (kind === "identifier" || kind === "quoted" || kind === "*") return this.#expression(power);
    if (this.#accepts("[")) return this.#multiSelectList();
    if (this.#accepts("{")) return this.#multiSelectHash();
    throw this.#unexpected(this.#peek());
  }

  #multiSelectList(): Evaluate {
    return expressions.multiSelectList(this.#separated("]", () => this.#expression()));
  }

  #multiSelectHash(): Evaluate {
    return expressions.multiSelectHash(this.#separated("}", () => this.#pair()));
  }

  #startsIndex(): boolean {
    const [token, after] = this.#tokens.slice(this.#next, this.#next + 2);
    return token?.kind === "number" || token?.kind === ":" || (token?.kind === "*" && after?.kind === "]");
  }

  /** `[*]`, `[0]` or `[1:2]` */
  #bracket(left: Evaluate): Evaluate {
    if (this.#accepts("*")) return expressions.projection(this.#closed("]", left), this.#projected(star));
    const token = this.#peek();
    const start = this.#number();
    if (!this.#accepts(":")) {
      if (start === undefined) throw this.#unexpected(token);
      return expressions.chain(left, this.#closed("]", expressions.index(start)));
    }
    const stop = this.#number();
    const step = this.#accepts(":") ? this.#number() : undefined;
    const slice = this.#closed("]", expressions.slice({ start, stop, step: step ?? 1 }));
    if (step === 0) throw this.#error("The step of a slice cannot be 0", token);
    return expressions.projection(expressions.chain(left, slice), this.#projected(star));
  }

  #number(): number | undefined {
    const token = this.#peek();
    if (token.kind !== "number") return undefined;
    this.#take();
    return token.number;
  }

  #pair(): readonly [name: string, member: Evaluate] {
    const token = this.#take();
    if (token.kind !== "identifier" && token.kind !== "quoted") throw this.#unexpected(token);
    return [this.#closed(":", token.name), this.#expression()];
  }

  #call(token: Token, name: string): Evaluate {
    const called = functions.get(name);
    if (!called) throw this.#error(`There is no function ${name}(), but ${[...functions.keys()].join(", ")}`, token);
    const given = this.#accepts(")") ? [] : this.#separated(")", () => this.#argument());
    const wrong = given.length < called.fewest || given.length > called.most;
    if (wrong) throw this.#error(`${name}() takes ${arity(called)}, not ${given.length}`, token);
    return (value) => {
      try {
        return called.call(given.map((argument) => argument(value)));
      } catch (error) {
        throw error instanceof ArgumentError ? new EvaluationError(`${name}() ${error.message}`, this.#source, token.at) : error;
      }
    };
  }

  #argument(): (value: Json) => Argument {
    if (!this.#accepts("&")) return this.#expression();
    const reference = new Reference(this.#expression());
    return () => reference;
  }

  /** One or more members, separated by commas, up to `end`. */
  #separated<T>(end: Token["kind"], one: () => T): T[] {
    const all = [one()];
    while (this.#accepts(",")) all.push(one());
    return this.#closed(end, all);
  }

  /** Returns an expression after reading the token that closes it. */
  #closed<T>(end: Token["kind"], read: T): T {
    const token = this.#take();
    if (token.kind !== end) throw this.#unexpected(token);
    return read;
  }

  #accepts(kind: Token["kind"]): boolean {
    const found = this.#peek().kind === kind;
    if (found) this.#take();
    return found;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", at: this.#source.length };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #unexpected(token: Token): FilterError {
    return this.#error(token.kind === "end" ? "Incomplete expression" : `Unexpected token ${token.text}`, token);
  }

  #error(reason: string, { at }: Token): FilterError {
    return new FilterError(reason, this.#source, at);
  }
}

function powerOf({ kind }: Token): number {
  return powers[kind] ?? 0;
}

function arity({ fewest, most }: JmesFunction): string {
  return `${most > fewest ? "at least " : ""}${fewest} ${fewest === 1 ? "argument" : "arguments"}`;
}
