import type { Report } from "../report.ts";
import type { Block } from "./blocks.ts";
import { documentOf, everything, type Extent } from "./document.ts";
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
function markerOf({ project = "", stack = "", about }: Pick<Report, "project" | "stack" | "about">): string {
  const name = `${about} ${project}/${stack}`.replaceAll(/[^\w./ -]|--+/g, "_");
  return `<!-- container-platform-review: ${name} -->`;
}

/** As much of a report as fits. Deletions and replacements are always in it. */
function fitted(report: Report, limit: number, whole: string, render: (blocks: readonly Block[]) => string): string {
  const rendered = (extent: Extent) => render(documentOf(report, extent, whole));
  const full = rendered(everything);
  if (full.length <= limit) return full;
  const most = report.changes.length;
  const levels: ((amount: number) => Extent)[] = [
    (detailed) => ({ ...everything, detailed, reasons: 20 }),
    (detailed) => ({ detailed, named: most, endings: "explained", reasons: 20, appendix: false }),
    (named) => ({ detailed: 0, named, endings: "explained", reasons: 20, appendix: false }),
    (named) => ({ detailed: 0, named, endings: "named", reasons: 10, appendix: false }),
  ];
  for (const level of levels) {
    const found = greatest(most, (amount) => rendered(level(amount)).length <= limit);
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

/** The comment if not even the names of all deletions and replacements fit. It shows none, so that no part is mistaken for the whole. */
function tooLong({ verdict, counts }: Report, whole: string, render: (blocks: readonly Block[]) => string): string {
  return render([
    {
      block: "alert",
      tone: verdict === "nothing" ? "safe" : verdict,
      lines: [[`Too much to name here: ${counts.delete} deleted and ${counts.replace} replaced.`]],
    },
    { block: "paragraph", line: [`None of them is shown. The whole report: ${whole}`] },
  ]);
}
