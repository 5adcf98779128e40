import type { Report } from "../../report.ts";
import { type Block, code, type Line, strong } from "../blocks.ts";
import { operationWords } from "../change.ts";
import { documentOf, isEnding, summaryBlocks } from "../document.ts";
import { everything, type Extent } from "../extent.ts";
import { markdown } from "./markdown.ts";

/** The longest comments, in characters (of which there are never more than UTF-16 units), with room for what a forge adds. */
export const limits = { github: 65_000, gitlab: 990_000 } as const;

/** The comment for a stack: a marker by which the next run finds it, and as much of the report as fits. */
export function comment(report: Report, limit: number, whole: string): string {
  const marker = markerOf(report);
  const body = fitted(report, limit - marker.length - 1, whole, markdown);
  return body === "" ? "" : `${marker}\n${body}\n`;
}

/** The marker. It is invisible, and contains nothing that could end the HTML comment. */
export function markerOf({ project = "", stack = "", about }: Pick<Report, "project" | "stack"> & { readonly about: string }): string {
  const name = `${about} ${project}/${stack}`.replaceAll(/[^\w./ -]|--+/g, "_");
  return `<!-- container-platform-review: ${name} -->`;
}

/** Characters that a change takes at least: a line such as "- `Vpc a` changed", and a name such as "`a`, ". */
const leastLine = 15;
/** With what it means, in a part that folds. */
const leastExplained = 70;
const leastName = 5;

/** As much of a report as fits. Deletions and replacements are always in it. */
function fitted(report: Report, limit: number, whole: string, render: (blocks: readonly Block[]) => string): string {
  const rendered = (extent: Extent) => render(documentOf(report, extent, whole));
  // Each change takes a line with its name, and each deletion its name at least: of very many, nothing has to be rendered to know.
  const most = report.changes.length;
  const ends = report.changes.filter(isEnding).length;
  if (most * leastExplained <= limit) {
    const full = rendered(everything);
    if (full.length <= limit) return full;
  }
  const levels: (readonly [least: number, each: number, extent: (amount: number) => Extent])[] = [
    [most * leastLine, leastExplained, (detailed) => ({ ...everything, detailed, reasons: 20 })],
    [most * leastLine, leastExplained, (detailed) => ({ ...everything, detailed, cascades: "named", reasons: 20, appendix: false })],
    [ends * leastLine, leastLine, (named) => ({ ...everything, detailed: 0, named, cascades: "named", reasons: 20, appendix: false })],
    [
      ends * leastName,
      leastLine,
      (named) => ({ ...everything, detailed: 0, named, endings: "named", cascades: "named", reasons: 10, appendix: false }),
    ],
  ];
  for (const [least, each, level] of levels) {
    const found =
      least > limit ? undefined : mostThatFits(Math.min(most, Math.floor(limit / each)), limit, (amount) => rendered(level(amount)));
    if (found !== undefined) return found;
  }
  return tooLong(report, whole, render);
}

/** What of a draft may be left free: each draft is rendered anew. */
const free = 0.02;

/**
 * The longest draft that fits, or one that is hardly shorter; `undefined` if not even the one of 0 fits. With the amount, drafts grow about
 * evenly: so the next amount to try follows from the lengths of those before.
 */
function mostThatFits(most: number, limit: number, draft: (amount: number) => string): string | undefined {
  let low = { amount: 0, text: draft(0) };
  if (low.text.length > limit) return undefined;
  let high = most + 1;
  for (let [next, tries] = [Math.min(most, first), 1]; next > low.amount && next < high; tries++) {
    const text = draft(next);
    const each = Math.max(1, (text.length - low.text.length) / (next - low.amount));
    if (text.length <= limit) low = { amount: next, text };
    else high = next;
    if (limit - low.text.length < limit * free) break;
    const reached = tries > evenTries ? Math.ceil((low.amount + high) / 2) : low.amount + Math.floor((limit - low.text.length) / each);
    next = Math.min(Math.max(reached, low.amount + 1), high - 1);
  }
  return low.text;
}

/** The amount of the first draft, from which it follows how long others are. */
const first = 16;
/** After so many, drafts are taken to grow unevenly, and the middle is tried. */
const evenTries = 4;

/** The comment if not even the names of all deletions and replacements fit: how many of which kind, and the worst of them. */
function tooLong(report: Report, whole: string, render: (blocks: readonly Block[]) => string): string {
  const ends = report.changes.filter(isEnding);
  const worst = report.changes
    .slice(0, mostNamed)
    .map(({ called, operation }): Line => [
      code(called.length > 200 ? `${called.slice(0, 200)}…` : called),
      ` ${operationWords[operation]}`,
    ]);
  const none: Extent = { ...everything, reasons: 0, detailed: 0, named: 0, appendix: false };
  return render([
    ...summaryBlocks(report, none),
    { block: "heading", level: 3, line: ["The worst of them"] },
    { block: "list", ordered: false, items: worst },
    {
      block: "paragraph",
      line: [
        strong("Left out for lack of space"),
        `: ${ends.length - Math.min(ends.length, mostNamed)} more deletions and replacements are not named, and nothing is explained. The whole report: ${whole}`,
      ],
    },
  ]);
}

const mostNamed = 20;
