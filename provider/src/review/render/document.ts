import { durationOf } from "../assess/headline.ts";
import type { Change, Report } from "../report.ts";
import type { Reason } from "../verdict.ts";
import {
  type Block,
  code,
  details,
  type Extent,
  heading,
  type Inline,
  joined,
  type Line,
  list,
  ownWords,
  paragraph,
  spoken,
  strong,
  table,
} from "./blocks.ts";
import { capital, meaningOf, operationWords, propertiesOf, summaryOf, verdictWords } from "./change.ts";
import { diagramOf } from "./diagram.ts";
import { ended, orderOf } from "./endings.ts";
import { displayNameOfUrn } from "../plan/names.ts";

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
    ...section("Also changed", named.map(summaryOf)),
    ...(extent.appendix ? [...(extent.diagram ? diagramOf(report) : []), ...appendix(report)] : []),
    ...leftOut(report, extent, left, whole),
  ];
}

/** What is read first: the verdict and why, and how much changes. */
export function summaryBlocks(report: Report, extent: Extent): Block[] {
  return [
    heading(2, ...titleOf(report)),
    ...verdictBlocks(report, extent.reasons),
    ...countsOf(report),
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
function verdictBlocks({ verdict, reasons, headline }: Report, most: number): Block[] {
  const tone = verdict === "nothing" ? "safe" : verdict;
  const deciding = reasons.filter((reason) => reason.verdict === verdict);
  const others = reasons.filter((reason) => reason.verdict !== verdict);
  const first: Line = [strong(capital(verdictWords[verdict])), ". ", headline, "."];
  const blocks: Block[] = [{ block: "alert", tone, lines: [first, ...reasonsOf(deciding, most)] }];
  const also: Line[] = [[strong("Would also need approval"), ":"], ...reasonsOf(others, most - Math.min(deciding.length, most))];
  return others.length === 0 ? blocks : [...blocks, { block: "alert", tone: "needs-approval", lines: also }];
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
  return [table(["Kind", ...done.map((one) => capital(operationWords[one]))], rows)];
}

const doings = ["refused", "delete", "replace", "update", "create", "adopt", "detach"] as const;

/** How much changes, in a line; none if nothing is known of it. */
function countsOf({ counts, seconds, region, folded, about }: Report): Block[] {
  const parts = doings.flatMap((key) =>
    counts[key] === 0
      ? []
      : [[strong(String(counts[key])), ` ${about === "drift" && key === "delete" ? "deleted outside of Pulumi" : operationWords[key]}`]],
  );
  const same = counts.same + folded.length;
  if (parts.length === 0 && same === 0) return [];
  return [
    paragraph(
      ...parts.flatMap((part, index) => (index === 0 ? part : [", ", ...part])),
      ...(same > 0 ? [`${parts.length > 0 ? "; " : ""}${same} unchanged`] : []),
      ".",
      ...(seconds > 0 && about === "preview"
        ? [` It will probably take ${durationOf(seconds)}`, ...(region === undefined ? [] : [" in ", code(region)]), "."]
        : []),
    ),
  ];
}

function changedOf(changes: readonly Change[]): Block[] {
  if (changes.length === 0) return [];
  return [
    heading(3, "Changes"),
    ...changes.map((change) =>
      details(summaryOf(change), [...meaningOf(change), ...propertiesOf(change)], change.verdict !== "safe", change.operation),
    ),
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
  const sentence = `: ${parts.join("; ")}. All deletions and replacements are named above. The whole report: ${whole}`;
  return [paragraph(strong("Left out for lack of space"), sentence)];
}

/** What the change costs a month, if there are prices. */
function costOf({ cost }: Report): Block[] {
  if (cost === undefined) return [];
  const { currency, difference, changes, missing, notCounted } = cost;
  const amount = (value: number) => `${value.toLocaleString("en-US", { maximumFractionDigits: 2 })} ${currency}`;
  const more = difference === 0 ? "the same" : `${amount(Math.abs(difference))} ${difference > 0 ? "more" : "less"}`;
  const gaps: Line[] = [
    ...(missing.length > 0 ? [[`Prices are missing for ${missing.join("; ")}. What they belong to is not in the sum`]] : []),
    ...(notCounted.length > 0 ? [["Not counted: ", ...joined(notCounted.map(code))]] : []),
  ];
  const rows = changes.map(({ called, before, after }) => [[code(called)], [amount(before)], [amount(after)]]);
  return [
    paragraph("Cost a month: ", strong(more), missing.length > 0 ? ", as far as there are prices." : "."),
    ...list(gaps),
    ...(rows.length > 0 ? [details(["What costs more or less"], [table(["Resource", "Before", "After"], rows)])] : []),
  ];
}

/** The sections after the changes: policies, warnings, quotas, and what was not analysed. */
function appendix(report: Report): Block[] {
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
  return items.length === 0 ? [] : [heading(3, title), ...list(items)];
}

const outcomes = { fail: "fails", undetermined: "cannot be decided yet", excepted: "excepted", pass: "holds" } as const;

function policies({ findings }: Report): Block[] {
  const old = findings.filter(({ before }) => before === true);
  const now = findings.filter(({ before }) => before !== true);
  const summary = `${old.length} finding${old.length === 1 ? "" : "s"} of policies from before this change`;
  return [
    ...(now.length > 0 ? [heading(3, "Policies"), tableOf(now)] : []),
    ...(old.length > 0 ? [details([summary], [tableOf(old)])] : []),
  ];
}

function tableOf(findings: Report["findings"]): Block {
  const rows = findings.map(({ rule, severity, urn, property, outcome, sentence, remedy = "" }) => [
    [code(rule)],
    [severity],
    urn === "" ? ["the stack"] : [code(displayNameOfUrn(urn)), ...(property === undefined ? [] : [" ", code(property)])],
    [outcomes[outcome]],
    spoken(sentence),
    ownWords(remedy),
  ]);
  return table(["Rule", "Severity", "Resource", "Outcome", "Finding", "How to correct it"], rows);
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
  const sentence = `${urns.length} resource${urns.length === 1 ? "" : "s"} changed only in how Pulumi manages them: nothing on the platform.`;
  return urns.length === 0 ? [] : [paragraph(sentence)];
}
