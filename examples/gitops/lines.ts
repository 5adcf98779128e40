import type { Decision, Forge, Request } from "./calls.ts";
import { field, listed, markerOf, member, numberAt, type Report } from "./report.ts";

/** A line where a comment can stand. Lines count from 1; one that is new has no number before, and one that is gone none after. */
export interface Place {
  readonly file: Files;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

interface Files {
  readonly before: string;
  readonly after: string;
}

/** What a merge request changes in a file. */
export interface Difference {
  readonly file: Files;
  /** As git writes it, from its first `@@` on. */
  readonly text: string;
}

/** A comment that an earlier run has made. */
export interface OldLineNote {
  readonly id: string;
  readonly body: string;
  /** What `nameOf` says of its place. */
  readonly at: string;
}

export interface LineNote {
  readonly place: Place;
  readonly body: string;
}

/** A place as both forges tell it: what is gone by its number before, everything else by its number after. */
export function nameOf({ file, before, after }: Place): string {
  return after === undefined ? `${file.after}:-${before}` : `${file.after}:+${after}`;
}

/**
 * Keeps the comments at lines of the program as the review has them: what is said already stays, what reads otherwise is changed, and
 * what is said no longer is removed. A line that the merge request does not show has no comment: that for the stack says it.
 *
 * @param json what `container-platform-review --write comments=FILE` has written
 */
export async function keepLines(forge: Forge, request: Request, report: Report, json: string): Promise<Decision> {
  if (request.isQueued) return { code: 0, sentence: "Its merge request has the comments." };
  const marker = markerOf({ ...report, about: `${report.about} line` });
  const wanted = notesIn(json, await forge.differences(request));
  const kept = new Set<string>();
  for (const { id, at, body } of (await forge.lineNotes(request)).filter((note) => note.body.startsWith(marker))) {
    const now = kept.has(at) ? undefined : wanted.get(at);
    if (!now) await forge.removeLineNote(request, id);
    else if (now.body !== body) await forge.changeLineNote(request, id, now.body);
    if (now) kept.add(at);
  }
  const added = [...wanted].flatMap(([at, note]) => (kept.has(at) ? [] : [note]));
  if (added.length > 0) await forge.addLineNotes(request, added);
  return { code: 0, sentence: `Comments on lines: ${wanted.size}, ${added.length} of them new.` };
}

/** The review's comments on lines that the differences show, by place. */
function notesIn(json: string, differences: readonly Difference[]): ReadonlyMap<string, LineNote> {
  const places = new Map(differences.flatMap(placesIn));
  const parsed: unknown = JSON.parse(json);
  const notes = listed(member(parsed, "comments")).flatMap((one): [string, LineNote][] => {
    const place = places.get(`${field(one, "side")} ${field(one, "file")}:${numberAt(one, "line")}`);
    return place ? [[nameOf(place), { place, body: field(one, "text") }]] : [];
  });
  return new Map(notes);
}

/** The lines that a difference shows, as the review tells them: `after index.ts:3`. */
function placesIn({ file, text }: Difference): [string, Place][] {
  let [before, after] = [0, 0];
  return text.split("\n").flatMap((line): [string, Place][] => {
    const [, first, second] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    if (first !== undefined && second !== undefined) {
      [before, after] = [Number(first), Number(second)];
      return [];
    }
    const [sign] = line;
    if (sign !== "+" && sign !== "-" && sign !== " ") return [];
    const place: Place = { file, before: sign === "+" ? undefined : before++, after: sign === "-" ? undefined : after++ };
    return [
      ...(place.before === undefined ? [] : [[`before ${file.before}:${place.before}`, place] as [string, Place]]),
      ...(place.after === undefined ? [] : [[`after ${file.after}:${place.after}`, place] as [string, Place]]),
    ];
  });
}
