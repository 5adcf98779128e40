import { z } from "zod";
import { type Asked, gone, type Route } from "./routes.ts";

/** A comment at a line. What is gone has its number before, and everything else its number after; `undefined` if no number fits any more. */
interface LineNote {
  readonly id: number;
  readonly author: string;
  readonly file: string;
  readonly side: "before" | "after";
  line: number | undefined;
  body: string;
}

const review = z.object({
  commit_id: z.string(),
  event: z.literal("COMMENT"),
  comments: z.array(z.object({ path: z.string(), line: z.int(), side: z.enum(["LEFT", "RIGHT"]), body: z.string() })),
});
const discussion = z.object({
  body: z.string(),
  position: z.object({
    position_type: z.literal("text"),
    base_sha: z.literal("base"),
    start_sha: z.literal("start"),
    head_sha: z.string(),
    old_path: z.string(),
    new_path: z.string(),
    old_line: z.int().optional(),
    new_line: z.int().optional(),
  }),
});

/** The comments at lines of a merge request, as both forges have them. A line that the difference does not show is refused. */
export class LineNotes {
  readonly all: LineNote[] = [];
  /** How often somebody was sent a message. */
  messages = 0;
  readonly #pull: { readonly head: string; readonly patches: Readonly<Record<string, string>> };

  constructor(pull: LineNotes["pull"]) {
    this.#pull = pull;
  }

  get pull() {
    return this.#pull;
  }

  add(author: string, note: Omit<LineNote, "id" | "author">): void {
    this.all.push({ ...note, author, id: Math.max(0, ...this.all.map(({ id }) => id)) + 1 });
  }

  readonly routes: readonly Route[] = [
    ["GET", /\/pulls\/7\/comments$/, () => this.all.map(githubShape)],
    ["POST", /\/pulls\/7\/reviews$/, (asked) => this.#reviewed(asked)],
    ["PATCH", /\/pulls\/comments\/(\d+)$/, (asked) => this.#changed(asked)],
    ["DELETE", /\/pulls\/comments\/(\d+)$/, (asked) => this.#removed(asked)],
    ["GET", /\/merge_requests\/7\/discussions$/, () => this.all.map(gitlabShape)],
    ["POST", /\/merge_requests\/7\/discussions$/, (asked) => this.#discussed(asked)],
    ["PUT", /\/discussions\/d\d+\/notes\/(\d+)$/, (asked) => this.#changed(asked)],
    ["DELETE", /\/discussions\/d\d+\/notes\/(\d+)$/, (asked) => this.#removed(asked)],
  ];

  /** All or none. */
  #reviewed({ caller, body }: Asked) {
    const { commit_id, comments } = review.parse(body);
    const notes = comments.map(({ path, line, side, body: text }) => {
      return { file: path, line, side: side === "LEFT" ? ("before" as const) : ("after" as const), body: text };
    });
    if (commit_id !== this.#pull.head || !notes.every(({ file, side, line }) => this.#shows(file, side, line))) return undefined;
    for (const note of notes) this.add(caller, note);
    this.messages++;
    return {};
  }

  #discussed({ caller, body }: Asked) {
    const { body: text, position } = discussion.parse(body);
    const { new_path: file, old_line, new_line, head_sha } = position;
    const isThere =
      head_sha === this.#pull.head &&
      (old_line === undefined || this.#shows(file, "before", old_line)) &&
      (new_line === undefined || this.#shows(file, "after", new_line));
    const line = new_line ?? old_line;
    if (!isThere || line === undefined) return undefined;
    this.add(caller, { file, line, side: new_line === undefined ? "before" : "after", body: text });
    this.messages++;
    return {};
  }

  #changed({ caller, parts: [id], body: { body = "" } }: Asked) {
    const note = this.all.find((one) => String(one.id) === id && one.author === caller);
    if (note) note.body = body;
    return note && {};
  }

  #removed({ caller, parts: [id] }: Asked) {
    const at = this.all.findIndex((one) => String(one.id) === id && one.author === caller);
    if (at < 0) return undefined;
    this.all.splice(at, 1);
    return gone;
  }

  #shows(file: string, side: LineNote["side"], line: number): boolean {
    const hunks = (this.#pull.patches[file] ?? "").matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm);
    return [...hunks].some(([, before, removed = "1", after, added = "1"]) => {
      const [first, count] = side === "before" ? [Number(before), Number(removed)] : [Number(after), Number(added)];
      return line >= first && line < first + count;
    });
  }
}

function githubShape({ id, author, file, side, line, body }: LineNote) {
  return { id, user: { login: author }, path: file, side: side === "before" ? "LEFT" : "RIGHT", line: line ?? null, body };
}

function gitlabShape({ id, author, file, side, line, body }: LineNote) {
  const [old_line, new_line] = side === "before" ? [line, null] : [null, line];
  const note = { id, author: { username: author }, body, position: { old_path: file, new_path: file, old_line, new_line } };
  return { id: `d${id}`, notes: [note] };
}
