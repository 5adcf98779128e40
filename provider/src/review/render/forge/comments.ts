import type { Change, Report } from "../../report.ts";
import { type Block, code, type Line, spoken, strong } from "../blocks.ts";
import { capital, verdictWords } from "../change.ts";
import { markerOf } from "./comment.ts";
import { markdown } from "./markdown.ts";
import { type Place, placesOf } from "./places.ts";

/** Comments on lines of the program, as data for what posts them: a review of a pull request, or discussions of a merge request. */
interface Comments {
  readonly version: 1;
  /** The first line of every text. The next run finds the comments of this one by it. */
  readonly marker: string;
  /** The worst first. */
  readonly comments: readonly Comment[];
  /** How many more lines have something to say. */
  readonly left: number;
}

interface Comment {
  readonly file: string;
  readonly line: number;
  /** Whether it is a line of the program as it was (of what is deleted), or as it is to be. */
  readonly side: "before" | "after";
  readonly verdict: Place["verdict"];
  /** Markdown. */
  readonly text: string;
}

/** The most comments: more are noise, and forges limit them. */
const most = 50;
const ranks = ["blocked", "needs-approval", "note"] as const satisfies readonly Place["verdict"][];
const words = { ...verdictWords, note: "note" } as const;

/** What the review says at lines of the program, in JSON: one comment a line. */
export function comments(report: Report): string {
  const marker = markerOf({ ...report, about: `${report.about} line` });
  const operations = new Map(report.changes.map(({ urn, operation }) => [urn, operation]));
  const lines = Map.groupBy(
    placesOf(report).filter((place) => place.source !== undefined),
    ({ source, urn }) => JSON.stringify([source?.file, source?.line, sideOf(operations.get(urn ?? ""))]),
  );
  const all = [...lines.values()].flatMap((places) => commentOf(places, operations, marker));
  const sorted = all.toSorted((one, other) => ranks.indexOf(one.verdict) - ranks.indexOf(other.verdict));
  const told: Comments = { version: 1, marker, comments: sorted.slice(0, most), left: Math.max(0, sorted.length - most) };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function sideOf(operation: Change["operation"] | undefined): Comment["side"] {
  return operation === "delete" || operation === "detach" ? "before" : "after";
}

function commentOf(places: readonly Place[], operations: ReadonlyMap<string, Change["operation"]>, marker: string): Comment[] {
  const [first] = places;
  const verdict = ranks.find((rank) => places.some((place) => place.verdict === rank));
  if (first?.source === undefined || verdict === undefined) return [];
  const items = ranks.flatMap((rank) => places.filter((place) => place.verdict === rank)).map(lineOf);
  const block: Block = { block: "list", ordered: false, items };
  const { file, line } = first.source;
  return [{ file, line, side: sideOf(operations.get(first.urn ?? "")), verdict, text: `${marker}\n${markdown([block])}` }];
}

function lineOf({ verdict, title, sentence }: Place): Line {
  return [strong(capital(words[verdict])), ", ", code(title), ": ", ...spoken(sentence)];
}
