import { stripVTControlCharacters } from "node:util";

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe0f\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}\u{20000}-\u{3fffd}]/u;
const withoutWidth = /^[\p{M}\p{Cf}]*$/u;
/** Made for the first text that needs it, because that takes 20 ms. */
let letters: Intl.Segmenter | undefined;

/** Columns that a text takes on a terminal: wide letters, such as those of Chinese, and emoji take two. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  letters ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const parts = Array.from(letters.segment(stripVTControlCharacters(text)), ({ segment }) => segment);
  return parts.reduce((width, letter) => width + (withoutWidth.test(letter) ? 0 : wide.test(letter) ? 2 : 1), 0);
}
