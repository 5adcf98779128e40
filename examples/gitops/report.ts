/** The part of a report of container-platform-review that the pipelines need. */
export interface Report {
  readonly about: string;
  readonly project: string;
  readonly stack: string;
  readonly verdict: string;
  /** The same for two reviews with the same content. */
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

/** A property of a record that is a text. */
export function field(record: unknown, name: string): string {
  const value = member(record, name);
  if (typeof value !== "string") throw new Error(`the JSON has no text ${name}`);
  return value;
}

/** The same, where it need not be there. */
export function textAt(record: unknown, name: string): string | undefined {
  const value = member(record, name);
  return typeof value === "string" ? value : undefined;
}

/** A property of a record that is a number. */
export function numberAt(record: unknown, name: string): number {
  const value = member(record, name);
  if (typeof value !== "number") throw new Error(`the JSON has no number ${name}`);
  return value;
}

/** The items of a list. */
export function listed(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("the JSON has no list");
  return value.map((item: unknown) => item);
}

export function member(record: unknown, name: string): unknown {
  return typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
}

/** The invisible first line of the comment for a stack. */
export function markerOf({ about, project, stack }: Report): string {
  return `<!-- container-platform-review: ${`${about} ${project}/${stack}`.replaceAll(/[^\w./ -]|--+/g, "_")} -->`;
}

/** Adds the fingerprint to a comment, and how to approve the change. */
export function withFingerprint(comment: string, { verdict, fingerprint }: Report): string {
  const how = `\nTo approve exactly this change, somebody who has not made it sets the label \`approved:${fingerprint}\`. It does not approve any other change.\n`;
  return `${comment.trimEnd()}\n${verdict === "needs-approval" ? how : ""}\n<!-- reviewed: ${fingerprint} -->\n`;
}

/** The fingerprint in a comment. */
export function reviewedIn(comment: string): string | undefined {
  return /^<!-- reviewed: ([0-9a-f]+) -->$/m.exec(comment)?.[1];
}

/** The fingerprint with which a sentence ends. */
export function fingerprintAtEnd(sentence: string): string | undefined {
  return / ([0-9a-f]+)$/.exec(sentence)?.[1];
}
