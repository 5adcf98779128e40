import type { Change, Report } from "../report.ts";
import { type Block, code, type Inline, type Line, strong } from "./blocks.ts";
import { capital, meaningOf, operationWords, propertiesOf, summaryOf, verdictWords } from "./change.ts";
import { diagramOf } from "./diagram.ts";
import { appendix } from "./appendix.ts";
import { ended, orderOf } from "./endings.ts";

/** How much of a report a document contains. Deletions and replacements are always in it. */
export interface Extent {
  /** How many changes are shown with their properties, the worst first. */
  readonly detailed: number;
  /** How many further changes are named, deletions and replacements not counted. */
  readonly named: number;
  /** Whether deletions and replacements are explained, or only named. */
  readonly endings: "explained" | "named";
  /** How many reasons are shown at the top. */
  readonly reasons: number;
  readonly appendix: boolean;
}

export const everything: Extent = { detailed: Infinity, named: Infinity, endings: "explained", reasons: Infinity, appendix: true };

/** A report as a document. `whole`: where the whole report is. */
export function documentOf(report: Report, extent: Extent, whole: string): Block[] {
  if (report.verdict === "nothing") return [];
  const ends = report.changes.filter(isEnding);
  const others = report.changes.filter((change) => !isEnding(change));
  const detailed = others.slice(0, extent.detailed);
  const named = others.slice(detailed.length, detailed.length + extent.named);
  const left = others.length - detailed.length - named.length;
  return [
    { block: "heading", level: 2, line: titleOf(report) },
    verdictOf(report, extent.reasons),
    { block: "paragraph", line: countsOf(report) },
    ...ended(ends, extent.endings, extent.detailed),
    ...(extent.endings === "explained" ? orderOf(report, extent.appendix ? Infinity : 0) : []),
    ...changedOf(detailed),
    ...shortly(named),
    ...(extent.appendix ? [...diagramOf(report), ...appendix(report)] : []),
    ...leftOut(report, extent, left, whole),
  ];
}

function isEnding({ operation }: Change): boolean {
  return operation === "delete" || operation === "replace" || operation === "refused";
}

function titleOf({ about, project, stack, verdict }: Report): Inline[] {
  const where = stack === undefined ? [] : [code(stack), ...(project === undefined ? [] : [" of ", code(project)]), ": "];
  return [...(about === "drift" ? ["Changed outside of Pulumi, "] : []), ...where, verdictWords[verdict]];
}

function verdictOf({ verdict, reasons }: Report, most: number): Block {
  const shown = reasons.slice(0, most);
  const more = reasons.length - shown.length;
  const lines = shown.map(({ called, property, sentence }): Line => [
    ...(called === undefined
      ? []
      : [code(called), property === undefined ? " " : ", ", ...(property === undefined ? [] : [code(property), ": "])]),
    sentence,
  ]);
  return {
    block: "alert",
    tone: verdict === "nothing" ? "safe" : verdict,
    lines: [
      [strong(capital(verdictWords[verdict])), reasons.length === 0 ? ": nothing is lost, interrupted or opened." : ":"],
      ...lines,
      ...(more > 0 ? [[`and ${more} more reason${more === 1 ? "" : "s"}`]] : []),
    ],
  };
}

function countsOf({ counts, seconds, region, folded, about }: Report): Inline[] {
  const parts = (["refused", "delete", "replace", "update", "create", "adopt"] as const).flatMap((key) =>
    counts[key] === 0
      ? []
      : [[strong(String(counts[key])), ` ${about === "drift" && key === "delete" ? "deleted outside of Pulumi" : operationWords[key]}`]],
  );
  const same = counts.same + folded.length;
  return [
    ...parts.flatMap((part, index) => (index === 0 ? part : [", ", ...part])),
    ...(same > 0 ? [`${parts.length > 0 ? "; " : ""}${same} unchanged`] : []),
    ". ",
    ...(seconds > 0 && about === "preview"
      ? [`It will probably take ${durationOf(seconds)}`, ...(region === undefined ? [] : [" in ", code(region)]), "."]
      : []),
  ];
}

function durationOf(seconds: number): string {
  if (seconds < 50) return "less than a minute";
  const minutes = Math.max(1, Math.round(seconds / 60));
  return `about ${minutes} minute${minutes === 1 ? "" : "s"}`;
}

/** Each change with its properties. */
function changedOf(changes: readonly Change[]): Block[] {
  if (changes.length === 0) return [];
  return [
    { block: "heading", level: 3, line: ["Changes"] },
    ...changes.map((change): Block => ({
      block: "details",
      open: change.verdict !== "safe",
      summary: summaryOf(change),
      blocks: [...meaningOf(change), ...propertiesOf(change)],
    })),
  ];
}

function shortly(changes: readonly Change[]): Block[] {
  if (changes.length === 0) return [];
  return [
    { block: "heading", level: 3, line: ["Also changed"] },
    { block: "list", ordered: false, items: changes.map(summaryOf) },
  ];
}

function leftOut({ changes, reasons }: Report, extent: Extent, left: number, whole: string): Block[] {
  const others = changes.filter((change) => !isEnding(change)).length;
  const parts = [
    left > 0 && `${left} other change${left === 1 ? "" : "s"}`,
    extent.detailed < others && "the properties of changes that are only named",
    extent.endings === "named" && "the explanation of each deletion and replacement",
    reasons.length > extent.reasons && `${reasons.length - extent.reasons} reasons`,
    !extent.appendix && "the order, the diagram and the last sections",
  ].filter((part): part is string => typeof part === "string");
  if (parts.length === 0) return [];
  return [
    {
      block: "paragraph",
      line: [
        strong("Left out for lack of space: "),
        `${parts.join("; ")}. All deletions and replacements are named above. The whole report: ${whole}`,
      ],
    },
  ];
}
