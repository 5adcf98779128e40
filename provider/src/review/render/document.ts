import { durationOf } from "../judge/headline.ts";
import type { Change, Report } from "../report.ts";
import type { Reason } from "../verdict.ts";
import { type Block, code, type Extent, type Inline, type Line, ownWords, spoken, strong } from "./blocks.ts";
import { capital, meaningOf, operationWords, propertiesOf, summaryOf, verdictWords } from "./change.ts";
import { diagramOf } from "./diagram.ts";
import { ended, orderOf } from "./endings.ts";
import { displayNameOfUrn } from "../plan/subject.ts";

/** A report as a document. `whole`: where the whole report is. */
export function documentOf(report: Report, extent: Extent, whole: string): Block[] {
  if (report.verdict === "nothing") return [];
  const ends = report.changes.filter(isEnding);
  const others = report.changes.filter((change) => !isEnding(change));
  const detailed = others.slice(0, extent.detailed);
  const named = others.slice(detailed.length, detailed.length + extent.named);
  const left = others.length - detailed.length - named.length;
  return [
    ...summaryBlocks(report, extent),
    ...ended(report, ends, extent),
    ...(extent.endings === "explained" ? orderOf(report, extent.appendix ? Infinity : 0) : []),
    ...changedOf(detailed),
    ...shortly(named),
    ...(extent.appendix ? [...(extent.diagram ? diagramOf(report) : []), ...appendix(report)] : []),
    ...leftOut(report, extent, left, whole),
  ];
}

/** What is read first: the verdict and why, and how much changes. */
export function summaryBlocks(report: Report, extent: Extent): Block[] {
  return [
    { block: "heading", level: 2, line: titleOf(report) },
    ...verdictOf(report, extent.reasons),
    ...countsOf(report).map((line): Block => ({ block: "paragraph", line })),
    ...byKindOf(report),
    ...costOf(report),
  ];
}

export function isEnding({ operation }: Change): boolean {
  return operation === "delete" || operation === "replace" || operation === "refused";
}

function titleOf({ about, project, stack, verdict }: Report): Inline[] {
  const where = stack === undefined ? [] : [code(stack), ...(project === undefined ? [] : [" of ", code(project)]), ": "];
  return [...(about === "drift" ? ["Changed outside of Pulumi, "] : []), ...where, verdictWords[verdict]];
}

/** The verdict with what decides it; if that blocks, what would need approval comes after it. */
function verdictOf({ verdict, reasons, headline }: Report, most: number): Block[] {
  const tone = verdict === "nothing" ? "safe" : verdict;
  const deciding = reasons.filter((reason) => reason.verdict === verdict);
  const others = reasons.filter((reason) => reason.verdict !== verdict);
  const first: Line = [strong(capital(verdictWords[verdict])), ". ", headline, "."];
  return [
    { block: "alert", tone, lines: [first, ...reasonsOf(deciding, most)] },
    ...(others.length === 0
      ? []
      : [
          {
            block: "alert",
            tone: "needs-approval",
            lines: [[strong("Would also need approval"), ":"], ...reasonsOf(others, most - Math.min(deciding.length, most))],
          } satisfies Block,
        ]),
  ];
}

function reasonsOf(reasons: readonly Reason[], most: number): Line[] {
  const lines = reasons
    .slice(0, most)
    .map(({ called, property, sentence }): Line => [
      ...(called === undefined
        ? []
        : [code(called), ...(property === undefined ? [isPredicate(sentence) ? " " : ": "] : [", ", code(property), ": "])]),
      ...spoken(sentence),
    ]);
  const more = reasons.length - lines.length;
  return more > 0 ? [...lines, [`and ${more} more reason${more === 1 ? "" : "s"}`]] : lines;
}

/** Whether a sentence goes on from the name of the resource: `is replaced`. */
function isPredicate(sentence: string): boolean {
  return /^(?:is|has|gets|opens|closes|lets|loses|cannot be) /.test(sentence);
}

/** How many of which kind, where there are too many changes to see that. */
function byKindOf({ changes }: Report): Block[] {
  if (changes.length <= 30) return [];
  const kinds = [...Map.groupBy(changes, ({ type }) => type.slice(type.lastIndexOf(":") + 1))];
  const done = doings.filter((one) => changes.some(({ operation }) => operation === one));
  const rows = kinds.map(([kind, found]): Line[] => [
    [kind],
    ...done.map((one): Line => [String(found.filter(({ operation }) => operation === one).length || "")]),
  ]);
  return [{ block: "table", head: ["Kind", ...done.map((one) => capital(operationWords[one]))], rows }];
}

const doings = ["refused", "delete", "replace", "update", "create", "adopt", "detach"] as const;

/** How much changes, in a line; none if nothing is known of it. */
function countsOf({ counts, seconds, region, folded, about }: Report): Line[] {
  const parts = doings.flatMap((key) =>
    counts[key] === 0
      ? []
      : [[strong(String(counts[key])), ` ${about === "drift" && key === "delete" ? "deleted outside of Pulumi" : operationWords[key]}`]],
  );
  const same = counts.same + folded.length;
  if (parts.length === 0 && same === 0) return [];
  const line: Line = [
    ...parts.flatMap((part, index) => (index === 0 ? part : [", ", ...part])),
    ...(same > 0 ? [`${parts.length > 0 ? "; " : ""}${same} unchanged`] : []),
    ".",
    ...(seconds > 0 && about === "preview"
      ? [` It will probably take ${durationOf(seconds)}`, ...(region === undefined ? [] : [" in ", code(region)]), "."]
      : []),
  ];
  return [line];
}

/** Each change with its properties. */
function changedOf(changes: readonly Change[]): Block[] {
  if (changes.length === 0) return [];
  return [
    { block: "heading", level: 3, line: ["Changes"] },
    ...changes.map((change): Block => ({
      block: "details",
      does: change.operation,
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
        strong("Left out for lack of space"),
        `: ${parts.join("; ")}. All deletions and replacements are named above. The whole report: ${whole}`,
      ],
    },
  ];
}

/** What the change costs a month, if there are prices. */
export function costOf({ cost }: Report): Block[] {
  if (cost === undefined) return [];
  const { currency, difference, changes, missing, notCounted } = cost;
  const amount = (value: number) => `${value.toLocaleString("en-US", { maximumFractionDigits: 2 })} ${currency}`;
  const more = difference === 0 ? "the same" : `${amount(Math.abs(difference))} ${difference > 0 ? "more" : "less"}`;
  const gaps: Line[] = [
    ...(missing.length > 0 ? [[`Prices are missing for ${missing.join("; ")}. What they belong to is not in the sum`]] : []),
    ...(notCounted.length > 0 ? [["Not counted: ", ...notCounted.flatMap((one, index) => [...(index > 0 ? [", "] : []), code(one)])]] : []),
  ];
  return [
    { block: "paragraph", line: ["Cost a month: ", strong(more), missing.length > 0 ? ", as far as there are prices." : "."] },
    ...(gaps.length > 0 ? [{ block: "list", ordered: false, items: gaps } satisfies Block] : []),
    ...(changes.length > 0
      ? [
          {
            block: "details",
            open: false,
            summary: ["What costs more or less"],
            blocks: [
              {
                block: "table",
                head: ["Resource", "Before", "After"],
                rows: changes.map(({ called, before, after }) => [[code(called)], [amount(before)], [amount(after)]]),
              },
            ],
          } satisfies Block,
        ]
      : []),
  ];
}

/** The sections after the changes: policies, warnings, quotas, and what was not analysed. */
export function appendix(report: Report): Block[] {
  return [
    ...policies(report),
    ...section("Warnings", warnings(report)),
    ...section("Quotas", quotas(report)),
    ...section(
      "Not analysed",
      report.unanalysed.map((sentence) => [sentence]),
    ),
    ...folded(report),
  ];
}

function section(title: string, items: readonly Line[]): Block[] {
  if (items.length === 0) return [];
  return [
    { block: "heading", level: 3, line: [title] },
    { block: "list", ordered: false, items },
  ];
}

const outcomes = { fail: "fails", undetermined: "cannot be decided yet", excepted: "excepted", pass: "holds" } as const;

function policies({ findings }: Report): Block[] {
  const old = findings.filter(({ before }) => before === true);
  const now = findings.filter(({ before }) => before !== true);
  return [
    ...(now.length > 0 ? [{ block: "heading", level: 3, line: ["Policies"] } satisfies Block, tableOf(now)] : []),
    ...(old.length > 0
      ? [
          {
            block: "details",
            open: false,
            summary: [`${old.length} finding${old.length === 1 ? "" : "s"} of policies from before this change`],
            blocks: [tableOf(old)],
          } satisfies Block,
        ]
      : []),
  ];
}

function tableOf(findings: Report["findings"]): Block {
  return {
    block: "table",
    head: ["Rule", "Severity", "Resource", "Outcome", "Finding", "How to correct it"],
    rows: findings.map(({ rule, severity, urn, property, outcome, sentence, remedy = "" }) => [
      [code(rule)],
      [severity],
      urn === "" ? ["the stack"] : [code(displayNameOfUrn(urn)), ...(property === undefined ? [] : [" ", code(property)])],
      [outcomes[outcome]],
      spoken(sentence),
      ownWords(remedy),
    ]),
  };
}

function warnings({ warnings: found }: Report): Line[] {
  return found.map(({ called, sentence }) => [...(called === undefined ? [] : [code(called), ": "]), ...spoken(sentence)]);
}

function quotas({ quotas: found }: Report): Line[] {
  return found.map(({ what, limit, at, before, after, most }) => [
    `${what}, ${at}: this stack has ${before} and will have ${after}${most > Math.max(before, after) ? `, temporarily ${most}` : ""}, of ${limit}; those of other stacks also count`,
  ]);
}

function folded({ folded: urns }: Report): Block[] {
  if (urns.length === 0) return [];
  return [
    {
      block: "paragraph",
      line: [`${urns.length} resource${urns.length === 1 ? "" : "s"} changed only in how Pulumi manages them: nothing on the platform.`],
    },
  ];
}
