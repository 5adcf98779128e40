/** A statement about inputs. `holds` is `undefined` if it cannot be decided, because a value is unknown or secret. */
export interface Truth {
  readonly holds: boolean | undefined;
  /** Path of the input that decides, or that would have to be known. */
  readonly at: string;
}

export function truth(holds: boolean | undefined, at: string): Truth {
  return { holds, at };
}

/** Whether all hold. One that does not hold decides, even if others are undecided. The last one is what the finding is about. */
export function all(first: Truth, ...others: readonly Truth[]): Truth {
  const each = [first, ...others];
  return each.find(({ holds }) => holds === false) ?? each.find(({ holds }) => holds === undefined) ?? each.at(-1) ?? first;
}

/** Whether at least one holds. */
export function any(first: Truth, ...others: readonly Truth[]): Truth {
  const each = [first, ...others];
  return each.find(({ holds }) => holds === true) ?? each.find(({ holds }) => holds === undefined) ?? first;
}

export function not({ holds, at }: Truth): Truth {
  return { holds: holds === undefined ? undefined : !holds, at };
}
