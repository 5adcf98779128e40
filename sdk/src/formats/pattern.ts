/**
 * Whether a whole text is of a pattern, in which `*` stands for any characters but `/`, and `**` for any. Who writes a pattern may be somebody
 * whom nobody trusts: as a regular expression, one of many stars takes for ever.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  // Whether what was read of the pattern can end there, for each place of the text.
  let ends = Array.from({ length: text.length + 1 }, (_, at) => at === 0);
  for (const part of pattern.split(/(\*+)/)) ends = part.startsWith("*") ? afterStars(part, text, ends) : afterLiteral(part, text, ends);
  return ends.at(text.length) ?? false;
}

function afterStars(stars: string, text: string, ends: readonly boolean[]): boolean[] {
  let isWithin = false;
  return ends.map((isEnd, at) => {
    const isBarrier = stars === "*" && at > 0 && text[at - 1] === "/";
    isWithin = isEnd || (isWithin && !isBarrier);
    return isWithin;
  });
}

function afterLiteral(literal: string, text: string, ends: readonly boolean[]): boolean[] {
  return ends.map((_, at) => at >= literal.length && ends[at - literal.length] === true && text.startsWith(literal, at - literal.length));
}
