/** A statement about inputs: it holds, it does not, or (`undefined`) cannot be told, because of a value that is not known or not shown. */
export interface Truth {
  readonly holds: boolean | undefined;
  /** Path of the input that decides, or that lacks. */
  readonly at: string;
}

export function truth(holds: boolean | undefined, at: string): Truth {
  return { holds, at };
}

/** Whether all hold, conditions first, and last what is wrong then. One that does not hold decides, whatever cannot be told of the others. */
export function all(first: Truth, ...others: readonly Truth[]): Truth {
  const each = [first, ...others];
  return each.find(({ holds }) => holds === false) ?? each.find(({ holds }) => holds === undefined) ?? each.at(-1) ?? first;
}

/** Whether one holds at least. */
export function any(first: Truth, ...others: readonly Truth[]): Truth {
  const each = [first, ...others];
  return each.find(({ holds }) => holds === true) ?? each.find(({ holds }) => holds === undefined) ?? first;
}

export function not({ holds, at }: Truth): Truth {
  return { holds: holds === undefined ? undefined : !holds, at };
}

/** What follows from a condition. Of a condition that cannot be told, what follows either way. */
export function choose(condition: Truth, then: Truth, otherwise: Truth): Truth {
  if (condition.holds !== undefined) return condition.holds ? then : otherwise;
  return then.holds === otherwise.holds ? then : { ...condition, holds: undefined };
}
