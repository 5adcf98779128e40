import type { Change, Report } from "../../report.ts";

/** A message at a line of the program. */
export interface Place {
  readonly id: string;
  readonly verdict: "blocked" | "needs-approval" | "note";
  readonly title: string;
  readonly sentence: string;
  readonly urn: string | undefined;
  readonly property: string | undefined;
  readonly source: Change["source"];
  readonly references: readonly string[];
}

/** The messages: first the reasons, then the findings of policies. */
export function placesOf({ reasons, changes, findings }: Report): Place[] {
  const sources = new Map(changes.flatMap(({ urn, source }) => (source ? [[urn, source] as const] : [])));
  const reasoned = reasons
    .filter(({ code }) => code !== "policy")
    .map(({ code, verdict, urn, called, property, sentence }): Place => ({
      id: code,
      verdict,
      title: [called ?? "The preview", property].filter((part) => part !== undefined).join(", "),
      sentence,
      urn,
      property,
      source: sources.get(urn ?? ""),
      references: [],
    }));
  const found = findings
    .filter(({ outcome, before }) => (outcome === "fail" && before !== true) || outcome === "undetermined")
    .map(({ rule, enforcement, outcome, urn, property, sentence, remedy, references = [] }): Place => ({
      id: rule,
      verdict: enforcement === "advise" ? "note" : enforcement === "block" && outcome === "fail" ? "blocked" : "needs-approval",
      title: rule,
      sentence: [outcome === "undetermined" ? `Cannot be decided before apply: ${sentence}` : sentence, remedy]
        .filter((part) => part !== undefined)
        .join(" "),
      urn,
      property,
      source: sources.get(urn),
      references,
    }));
  return [...reasoned, ...found];
}
