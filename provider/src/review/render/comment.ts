import type { Report } from "../report.ts";
import type { Block } from "./blocks.ts";
import { documentOf, everything, type Extent } from "./document.ts";
import { markdown } from "./markdown.ts";

/** What a comment may have, in characters (UTF-16 units are never fewer), with room for what a forge adds. */
export const limits = { github: 65_000, gitlab: 990_000 } as const;

/** The comment of a stack: the marker, by which the next one finds it, and as much of the report as the forge takes. */
export function comment(report: Report, limit: number, whole: string): string {
  const marker = markerOf(report);
  const body = fitted(report, limit - marker.length - 1, whole, markdown);
  return body === "" ? "" : `${marker}\n${body}\n`;
}

/** Cannot be seen in a comment, and ends nothing in it. */
function markerOf({ project = "", stack = "", about }: Pick<Report, "project" | "stack" | "about">): string {
  const name = `${about} ${project}/${stack}`.replaceAll(/[^\w./ -]|--+/g, "_");
  return `<!-- container-platform-review: ${name} -->`;
}

/** The most of a report that fits, what ends something always among it. */
function fitted(report: Report, limit: number, whole: string, render: (blocks: readonly Block[]) => string): string {
  const told = (extent: Extent) => render(documentOf(report, extent, whole));
  const full = told(everything);
  if (full.length <= limit) return full;
  const most = report.changes.length;
  const levels: ((amount: number) => Extent)[] = [
    (detailed) => ({ ...everything, detailed, reasons: 20 }),
    (detailed) => ({ detailed, named: most, endings: "told", reasons: 20, appendix: false }),
    (named) => ({ detailed: 0, named, endings: "told", reasons: 20, appendix: false }),
    (named) => ({ detailed: 0, named, endings: "named", reasons: 10, appendix: false }),
  ];
  for (const level of levels) {
    const found = greatest(most, (amount) => told(level(amount)).length <= limit);
    if (found !== undefined) return told(level(found));
  }
  return overfull(report, whole, render);
}

/** The greatest amount that fits, if none fits at all `undefined`. */
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

/** Not even the names of all that ends: that is said first, and no name could be mistaken for the whole. */
function overfull({ verdict, counts }: Report, whole: string, render: (blocks: readonly Block[]) => string): string {
  return render([
    {
      block: "alert",
      tone: verdict === "nothing" ? "safe" : verdict,
      lines: [[`Too much to name here: ${counts.delete} deleted and ${counts.replace} replaced.`]],
    },
    { block: "paragraph", line: [`Nothing of it is shown. The whole: ${whole}`] },
  ]);
}
