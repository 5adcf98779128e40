import type { Change, Report } from "../report.ts";
import { code, type Line, list, spoken, strong, visible } from "./blocks.ts";
import { createHash } from "node:crypto";
import { capital, verdictWords } from "./change.ts";
import { markdown, markerOf } from "./markdown.ts";

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
function placesOf({ reasons, changes, findings }: Report): Place[] {
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

const annotationLevels = { blocked: "error", "needs-approval": "warning", note: "notice" } as const;

/** Workflow commands, with which GitHub Actions shows each reason at its line of the program. */
export function annotations(report: Report): string {
  return placesOf(report).map(command).join("");
}

function command({ verdict, title, sentence, source }: Place): string {
  const place = source
    ? { file: source.file, line: String(source.line), ...(source.column === undefined ? {} : { col: String(source.column) }) }
    : {};
  const properties = Object.entries({ ...place, title }).map(([key, value]) => `${key}=${property(value)}`);
  return `::${annotationLevels[verdict]} ${properties.join(",")}::${data(sentence)}\n`;
}

function data(text: string): string {
  return visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const sarifLevels = { blocked: "error", "needs-approval": "warning", note: "note" } as const;

/** SARIF 2.1.0, for a forge's code scanning. */
export function sarif(report: Report): string {
  const places = placesOf(report);
  const ids = [...new Set(places.map(({ id }) => id))];
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "container-platform-review", rules: ids.map((id) => ruleOf(id, places)) } },
        automationDetails: { id: `container-platform-review/${report.project ?? "project"}/${report.stack ?? "stack"}/` },
        invocations: [{ executionSuccessful: report.failures.length === 0 }],
        results: places.map((place) => resultOf(place, ids.indexOf(place.id))),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const meanings: Readonly<Record<string, string>> = {
  "access-opened": "Access is opened",
  "access-narrowed": "Access is narrowed",
  "access-changed": "Who has access changes",
  deletes: "Something is deleted",
  replaces: "Something is replaced",
  interrupts: "Something is interrupted",
  irreversible: "It cannot be undone",
  "safeguard-weakened": "A safeguard is weakened",
  protected: "A protection forbids it",
  quota: "A quota is exceeded",
  failed: "The preview did not finish",
  collides: "It would fail in the middle: something is in the way",
  undecided: "It cannot be decided before apply",
  drift: "Something was changed outside of Pulumi",
};

function ruleOf(id: string, places: readonly Place[]) {
  const tags = [...new Set(places.filter((place) => place.id === id).flatMap(({ references }) => references))];
  return { id, shortDescription: { text: meanings[id] ?? id }, ...(tags.length > 0 ? { properties: { tags } } : {}) };
}

function resultOf({ id, verdict, title, sentence, urn, property, source }: Place, ruleIndex: number) {
  const print = createHash("sha256").update([id, urn, property].join(" ")).digest("hex");
  return {
    ruleId: id,
    ruleIndex,
    level: sarifLevels[verdict],
    message: { text: `${title}: ${sentence}` },
    locations: [
      {
        // Forges show only results with a file. A result without a line of the program is shown at the project.
        physicalLocation: {
          artifactLocation: { uri: encodeURI(source?.file ?? "Pulumi.yaml") },
          region: { startLine: source?.line ?? 1, ...(source?.column === undefined ? {} : { startColumn: source.column }) },
        },
        ...(urn === undefined || urn === "" ? {} : { logicalLocations: [{ fullyQualifiedName: urn, kind: "resource" }] }),
      },
    ],
    partialFingerprints: { "container-platform-review/v1": print },
  };
}

/** The most comments: more are noise, and forges limit them. */
const most = 50;
const ranks = ["blocked", "needs-approval", "note"] as const satisfies readonly Place["verdict"][];
const words = { ...verdictWords, note: "note" } as const;

/**
 * Comments on lines of the program, as JSON for a script that posts them: one comment a line, the worst first. `side`: whether
 * it is a line of the program as it was (of what is deleted), or as it is to be.
 */
export function comments(report: Report): string {
  const marker = markerOf({ ...report, about: `${report.about} line` });
  const operations = new Map(report.changes.map(({ urn, operation }) => [urn, operation]));
  const lines = Map.groupBy(
    placesOf(report).filter((place) => place.source !== undefined),
    ({ source, urn }) => JSON.stringify([source?.file, source?.line, sideOf(operations.get(urn ?? ""))]),
  );
  const all = [...lines.values()].flatMap((places) => commentOf(places, operations, marker));
  const sorted = all.toSorted((one, other) => ranks.indexOf(one.verdict) - ranks.indexOf(other.verdict));
  const told = { version: 1, marker, comments: sorted.slice(0, most), left: Math.max(0, sorted.length - most) };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function sideOf(operation: Change["operation"] | undefined): "before" | "after" {
  return operation === "delete" || operation === "detach" ? "before" : "after";
}

function commentOf(places: readonly Place[], operations: ReadonlyMap<string, Change["operation"]>, marker: string) {
  const [first] = places;
  const verdict = ranks.find((rank) => places.some((place) => place.verdict === rank));
  if (first?.source === undefined || verdict === undefined) return [];
  const items = ranks.flatMap((rank) => places.filter((place) => place.verdict === rank)).map(lineOf);
  const { file, line } = first.source;
  return [{ file, line, side: sideOf(operations.get(first.urn ?? "")), verdict, text: `${marker}\n${markdown(list(items))}` }];
}

function lineOf({ verdict, title, sentence }: Place): Line {
  return [strong(capital(words[verdict])), ", ", code(title), ": ", ...spoken(sentence)];
}
