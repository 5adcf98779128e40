import type { Decision, Forge, Request } from "./calls.ts";
import { type Difference, type LineNote, nameOf, placesIn } from "./differences.ts";
import { field, listed, markerOf, member, numberAt, type Report } from "./report.ts";

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
