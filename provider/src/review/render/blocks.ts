import type { Change } from "../report.ts";

/** A document as data. Its texts are plain: each rendering escapes them. */

export type Inline = string | { readonly code: string } | { readonly strong: string };
export type Line = readonly Inline[];

export type Tone = "blocked" | "needs-approval" | "safe";

/** What is done with a resource, by which it is coloured. */
export type Done = Change["operation"];

/** A resource that changes, and below it those that change because of it. */
export interface Branch {
  readonly does: Done;
  readonly line: Line;
  readonly branches: readonly Branch[];
}

export type Block =
  | { readonly block: "heading"; readonly level: 2 | 3; readonly line: Line }
  | { readonly block: "alert"; readonly tone: Tone; readonly lines: readonly Line[] }
  | { readonly block: "paragraph"; readonly line: Line }
  | { readonly block: "list"; readonly ordered: boolean; readonly items: readonly Line[] }
  | { readonly block: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  | { readonly block: "details"; readonly summary: Line; readonly does?: Done; readonly open: boolean; readonly blocks: readonly Block[] }
  | { readonly block: "tree"; readonly branches: readonly Branch[] }
  | { readonly block: "diagram"; readonly diagram: Diagram };

/** Boxes for resources, and arrows from each to its dependencies. */
export interface Diagram {
  readonly boxes: readonly { readonly id: string; readonly text: string; readonly does: Done; readonly says: string }[];
  readonly arrows: readonly { readonly from: string; readonly to: string }[];
}

export const code = (text: string): Inline => ({ code: text });
export const strong = (text: string): Inline => ({ strong: text });
export const heading = (level: 2 | 3, ...line: Line): Block => ({ block: "heading", level, line });
export const paragraph = (...line: Line): Block => ({ block: "paragraph", line });
export const table = (head: readonly string[], rows: readonly (readonly Line[])[]): Block => ({ block: "table", head, rows });

/** A list without an order, unless it is empty. */
export function list(items: readonly Line[]): Block[] {
  return items.length === 0 ? [] : [{ block: "list", ordered: false, items }];
}

export function details(summary: Line, blocks: readonly Block[], open = false, does?: Done): Block {
  return { block: "details", summary, blocks, open, ...(does === undefined ? {} : { does }) };
}

/** The first items with commas between them, and how many more there are. */
export function firstOf(items: readonly Inline[], most: number): Inline[] {
  return [...joined(items.slice(0, most)), ...(items.length > most ? [` and ${items.length - most} more`] : [])];
}

/** Commands between backticks, as our own messages have them. */
const command = /`((?:pulumi|cpcli|npm|npx|container-platform-\w+) [^`\n]*)`/;
const anything = /`([^`\n]+)`/;

/** A sentence, in which a command between backticks is code. Other backticks may come from a name, and stay as they are. */
export function spoken(sentence: string, isCode = command): Inline[] {
  return sentence
    .split(isCode)
    .map((part, index) => (index % 2 === 1 ? code(part) : part))
    .filter((part) => part !== "");
}

/** The same of a sentence that holds no name of a program: whatever stands between backticks is code. */
export function ownWords(sentence: string): Inline[] {
  return spoken(sentence, anything);
}

/** Items with separators between them. */
export function joined(items: readonly Inline[], by = ", "): Inline[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [by, item]));
}

/** A text in which invisible characters, and those that change the reading direction, are written as escapes. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, (letter) =>
    letter === "\n" || letter === "\t" ? " " : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** How much of a report a document contains. Deletions and replacements are always in it. */
export interface Extent {
  /** How many changes are shown with their properties, the worst first. */
  readonly detailed: number;
  /** How many further changes are named, deletions and replacements not counted. */
  readonly named: number;
  /** Whether deletions and replacements are explained, or only named. */
  readonly endings: "explained" | "named";
  /** Whether those that happen because of another are explained, too, or only in its tree. */
  readonly cascades: "explained" | "named";
  /** How many reasons are shown at the top. */
  readonly reasons: number;
  readonly appendix: boolean;
  /** Whether the dependencies are shown. */
  readonly diagram: boolean;
}

export const everything: Extent = {
  detailed: Infinity,
  named: Infinity,
  endings: "explained",
  cascades: "explained",
  reasons: Infinity,
  appendix: true,
  diagram: true,
};
