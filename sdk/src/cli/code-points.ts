/** Orders texts by their code points, as JMESPath and the output formats do; `<` orders UTF-16 units. */
export function byCodePoint(one: string, other: string): number {
  // The order of UTF-8 bytes is that of code points.
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
