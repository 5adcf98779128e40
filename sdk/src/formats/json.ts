/**
 * The value of a JSON text; `undefined` if the text is not JSON. The parser's message is dropped: it quotes the text, which may be secret.
 */
export function jsonIn(content: string): unknown {
  try {
    // Some editors put a byte order mark at the beginning.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
