import type { Report } from "../report.ts";
import { calledByUrn } from "../plan/subject.ts";
import { type Block, code, type Line } from "./blocks.ts";

/** What is said besides the changes: policies, warnings, quotas, and what was not looked at. */
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
  const [old, now] = [findings.filter(({ before }) => before === true), findings.filter(({ before }) => before !== true)];
  return [
    ...(now.length > 0 ? [{ block: "heading", level: 3, line: ["Policies"] } satisfies Block, tableOf(now)] : []),
    ...(old.length > 0
      ? [
          {
            block: "details",
            open: false,
            summary: [`${old.length} finding${old.length === 1 ? "" : "s"} of policies that were so before`],
            blocks: [tableOf(old)],
          } satisfies Block,
        ]
      : []),
  ];
}

function tableOf(findings: Report["findings"]): Block {
  return {
    block: "table",
    head: ["Rule", "Severity", "Resource", "Outcome", "Finding", "How to mend it"],
    rows: findings.map(({ rule, severity, urn, property, outcome, sentence, remedy = "" }) => [
      [code(rule)],
      [severity],
      urn === "" ? ["the stack"] : [code(calledByUrn(urn)), ...(property === undefined ? [] : [" ", code(property)])],
      [outcomes[outcome]],
      [sentence],
      [remedy],
    ]),
  };
}

function warnings({ warnings: told }: Report): Line[] {
  return told.map(({ called, sentence }) => [...(called === undefined ? [] : [code(called), ": "]), sentence]);
}

function quotas({ quotas: told }: Report): Line[] {
  return told.map(({ what, limit, at, before, after, most }) => [
    `${what}, ${at}: this stack has ${before} and will have ${after}${most > Math.max(before, after) ? `, ${most} meanwhile` : ""}, of ${limit}; those of others count, too`,
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
