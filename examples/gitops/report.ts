/** What the pipelines read of a report of container-platform-review. */
export interface Report {
  readonly about: string;
  readonly project: string;
  readonly stack: string;
  readonly verdict: string;
  /** The same for two reviews that say the same. */
  readonly fingerprint: string;
}

export function reportIn(json: string): Report {
  const parsed: unknown = JSON.parse(json);
  return {
    about: field(parsed, "about"),
    project: field(parsed, "project"),
    stack: field(parsed, "stack"),
    verdict: field(parsed, "verdict"),
    fingerprint: field(parsed, "fingerprint"),
  };
}

/** A text of a record. */
export function field(record: unknown, name: string): string {
  const value = member(record, name);
  if (typeof value !== "string") throw new Error(`what was read has no text ${name}`);
  return value;
}

/** A number of a record. */
export function numberAt(record: unknown, name: string): number {
  const value = member(record, name);
  if (typeof value !== "number") throw new Error(`what was read has no number ${name}`);
  return value;
}

export function member(record: unknown, name: string): unknown {
  return typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
}

/** What the comment on a stack begins with; nobody sees it. */
export function markerOf({ about, project, stack }: Report): string {
  return `<!-- container-platform-review: ${`${about} ${project}/${stack}`.replaceAll(/[^\w./ -]|--+/g, "_")} -->`;
}

/** A comment that says what it is a review of, and how that is approved. */
export function withFingerprint(comment: string, { verdict, fingerprint }: Report): string {
  const how = `\nTo approve just this, set the label \`approved:${fingerprint}\`. It does not count once something else would happen.\n`;
  return `${comment.trimEnd()}\n${verdict === "needs-approval" ? how : ""}\n<!-- reviewed: ${fingerprint} -->\n`;
}

/** The fingerprint of what a comment is a review of. */
export function reviewedIn(comment: string): string | undefined {
  return /^<!-- reviewed: ([0-9a-f]+) -->$/m.exec(comment)?.[1];
}
