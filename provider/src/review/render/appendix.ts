import type { Report } from "../report.ts";
import { displayNameOfUrn } from "../plan/subject.ts";
import { type Block, code, type Line, ownWords, spoken } from "./blocks.ts";

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
