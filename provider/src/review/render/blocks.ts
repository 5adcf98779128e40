/** A document as data. What it says is plain text: each rendering escapes it in its own way. */

export type Inline = string | { readonly code: string } | { readonly strong: string };
export type Line = readonly Inline[];

export type Tone = "blocked" | "needs-approval" | "safe";

export type Block =
  | { readonly block: "heading"; readonly level: 2 | 3; readonly line: Line }
  | { readonly block: "alert"; readonly tone: Tone; readonly lines: readonly Line[] }
  | { readonly block: "paragraph"; readonly line: Line }
  | { readonly block: "list"; readonly ordered: boolean; readonly items: readonly Line[] }
  | { readonly block: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  | { readonly block: "details"; readonly summary: Line; readonly open: boolean; readonly blocks: readonly Block[] }
  | { readonly block: "diagram"; readonly diagram: Diagram };

/** Boxes, and arrows from what stands on something to that. */
export interface Diagram {
  readonly boxes: readonly { readonly id: string; readonly text: string; readonly tone: Tone; readonly says: string }[];
  readonly arrows: readonly { readonly from: string; readonly to: string }[];
}

export const code = (text: string): Inline => ({ code: text });
export const strong = (text: string): Inline => ({ strong: text });

/** Between the items of a line. */
export function joined(items: readonly Inline[], by = ", "): Inline[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [by, item]));
}

/** What cannot be seen, or turns the reading direction, in a form that can be seen. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, (letter) =>
    letter === "\n" || letter === "\t" ? " " : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
