import { stripVTControlCharacters } from "node:util";

const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3001-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const withoutWidth = /[\p{M}\p{Cf}]/u;

/** Columns that a text takes on a terminal: wide letters, such as those of Chinese, take two. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  const letters = Array.from(stripVTControlCharacters(text));
  return letters.reduce((width, letter) => width + (withoutWidth.test(letter) ? 0 : wide.test(letter) ? 2 : 1), 0);
}
