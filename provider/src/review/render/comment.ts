import type { Report } from "../report.ts";
import { type Block, code, type Line, strong } from "./blocks.ts";
import { operationWords } from "./change.ts";
import { documentOf, isEnding, summaryBlocks } from "./document.ts";
import { everything, type Extent } from "./extent.ts";
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
      least > limit ? undefined : greatest(Math.min(most, Math.floor(limit / each)), (amount) => rendered(level(amount)).length <= limit);
    if (found !== undefined) return rendered(level(found));
  }
  return tooLong(report, whole, render);
}

/** The greatest amount that fits; `undefined` if not even 0 fits. */
function greatest(most: number, fits: (amount: number) => boolean): number | undefined {
  if (!fits(0)) return undefined;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

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
