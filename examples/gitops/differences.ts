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

/** The lines that a difference shows, as the review tells them: `after index.ts:3`. */
export function placesIn({ file, text }: Difference): [string, Place][] {
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
