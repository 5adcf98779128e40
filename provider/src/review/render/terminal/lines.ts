import { stripVTControlCharacters } from "node:util";

/** Columns that a text takes on a terminal: wide letters, such as those of Chinese, take two. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const letter of stripVTControlCharacters(text)) width += /\p{M}/u.test(letter) ? 0 : isWide(letter) ? 2 : 1;
  return width;
}

function isWide(letter: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
    letter,
  );
}

/** A text in lines of at most a width. A word that is longer is broken. */
export function wrapped(text: string, width: number | undefined): string[] {
  if (width === undefined || widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => broken(one, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function broken(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const letter of word) {
    if (widthOf(part) + widthOf(letter) > width) {
      parts.push(part);
      part = "";
    }
    part += letter;
  }
  return [...parts, part];
}

/** Columns between two cells. */
const gap = 2;
/** Columns of a cell, where nothing limits the width of a line. */
const most = 60;

/** A table in lines of at most a width: its longest cells are wrapped. */
export function columnsOf(head: readonly string[], rows: readonly (readonly string[])[], room: number | undefined): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => all.reduce((widest, cells) => Math.max(widest, widthOf(cells[column] ?? "")), 0));
  const total = room === undefined ? Infinity : room - gap * (head.length - 1);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - total; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 8) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const limited = room === undefined ? widths.map((one) => Math.min(one, most)) : widths;
  return all.flatMap((cells) => {
    const wrappedCells = cells.map((cell, column) => (room === undefined ? [cell] : wrapped(cell, limited[column] ?? most)));
    const height = Math.max(...wrappedCells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      wrappedCells
        .map((lines, column) => padded(lines[line] ?? "", limited[column] ?? 0))
        .join(" ".repeat(gap))
        .trimEnd(),
    );
  });
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
