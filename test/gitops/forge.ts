import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { LineNotes } from "./line-notes.ts";
import { type Asked, given, gone, type Route } from "./routes.ts";

export interface Note {
  readonly id: number;
  readonly author: string;
  body: string;
  title?: string;
  open: boolean;
}

interface Status {
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly creator: string;
  readonly time: string;
}

/** Who calls, by token: the gate's app, and any workflow, a pull request's own among them. */
export const callers = { app: "acme-gate[bot]", workflow: "github-actions[bot]" } as const;

/** The number of the only merge request. */
export const request = 7;

/** The values of a workflow's expressions in the gate of the pull request, for the stack dev. */
export function gateExpressions({ pull }: Forge): Readonly<Record<string, string>> {
  return {
    "github.event.workflow_run.event": "pull_request",
    "github.event.workflow_run.head_branch": pull.branch,
    "github.event.workflow_run.head_sha": pull.head,
    "github.event.workflow_run.id": "41",
    "github.event.repository.default_branch": "main",
    "github.server_url": "https://forge.example",
    "github.repository": "acme/shop",
    "github.run_id": "42",
    "github.token": "workflow",
    "matrix.stack": "dev",
    "vars.GATE_APP": callers.app.replace("[bot]", ""),
    "steps.app.outputs.token": "app",
  };
}

interface PullRequest {
  author: string;
  branch: string;
  base: string;
  head: string;
  merged: string;
  files: readonly string[];
  /** What git says that each file changes, from its first `@@` on. */
  patches: Readonly<Record<string, string>>;
  readonly pushers: string[];
}

/** A review of a pull request, as somebody submitted it. */
interface Review {
  readonly by: string;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  readonly commit: string;
  readonly time: string;
}

/** A forge with as much of GitHub's and GitLab's interfaces as the pipelines use. */
export class Forge implements AsyncDisposable {
  readonly comments: Note[] = [];
  readonly issues: Note[] = [];
  /** Newest first. */
  readonly statuses: Status[] = [];
  /** Who may push, or not. Bots are not listed. */
  readonly people: Record<string, "write" | "read"> = { alice: "write", bob: "write", carol: "read", dave: "write" };
  /** Oldest first. */
  readonly reviews: Review[] = [];
  /** The files named CODEOWNERS, by branch or commit and path. */
  readonly owners: Record<string, string> = {};
  /** The merge request, by `alice` unless a test says otherwise. */
  readonly pull: PullRequest = {
    ...{ author: "alice", branch: "change", base: "main", head: "", merged: "", pushers: ["alice"] },
    ...{ files: ["index.ts"], patches: {} },
  };
  readonly lines = new LineNotes(this.pull);
  readonly #labels: { readonly name: string; readonly by: string; on: boolean }[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((asked, answer) => void this.#answer(asked, answer));
  }

  static async open(): Promise<Forge> {
    const forge = new Forge();
    await once(forge.#server.listen(0, "127.0.0.1"), "listening");
    return forge;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  }

  /** Adds a comment of somebody, as it may exist before a pipeline runs. */
  wrote(author: string, body: string): void {
    this.comments.push(noteOf(this.comments, author, body));
  }

  label(by: string, name: string): void {
    this.#labels.push({ name, by, on: true });
  }

  unlabel(): void {
    for (const label of this.#labels) label.on = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(asked.url ?? "", this.url);
    const chunks = await asked.toArray();
    const body = given.parse(JSON.parse(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString() || "{}"));
    const caller = Object.entries(callers).find(([token]) => asked.headers.authorization === `Bearer ${token}`)?.[1];
    const [, path, told] = [...this.lines.routes, ...this.#routes].find((one) => one[0] === asked.method && one[1].test(pathname)) ?? [];
    const parts = path?.exec(pathname)?.slice(1) ?? [];
    const found = caller === undefined ? undefined : told?.({ caller, body, parts, query });
    if (found === gone) {
      answer.writeHead(204).end();
      return;
    }
    const [size, page] = [Number(query.get("per_page") ?? 20), Number(query.get("page") ?? 1)];
    const shown: unknown = Array.isArray(found) ? found.slice((page - 1) * size, page * size) : found;
    answer.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(shown ?? {}));
  }

  /** The first that fits answers. */
  readonly #routes: readonly Route[] = [
    ["GET", /\/(?:issues\/7\/comments|notes)$/, () => this.comments.map(shapeOf)],
    ["POST", /\/(?:issues\/7\/comments|notes)$/, (asked) => this.#added(this.comments, asked)],
    ["PATCH", /\/issues\/comments\/(\d+)$/, (asked) => changed(this.comments, asked)],
    ["PUT", /\/notes\/(\d+)$/, (asked) => changed(this.comments, asked)],
    ["GET", /\/issues$/, () => this.issues.filter(({ open }) => open).map(shapeOf)],
    ["POST", /\/issues$/, (asked) => this.#added(this.issues, asked)],
    ["PATCH", /\/issues\/(\d+)$/, (asked) => changed(this.issues, asked)],
    ["PUT", /\/issues\/(\d+)$/, (asked) => changed(this.issues, asked)],
    ["GET", /\/issues\/7\/labels$/, () => this.#set().map((name) => ({ name }))],
    ["GET", /\/issues\/7\/events$/, () => this.#labels.map(labelEvent)],
    ["GET", /\/resource_label_events$/, () => this.#labels.map(labelEvent)],
    ["GET", /\/pulls\/7\/files$/, () => this.pull.files.map((filename) => ({ filename, patch: this.pull.patches[filename] }))],
    ["GET", /\/pulls\/7\/reviews$/, () => this.reviews.map(reviewShape)],
    ["GET", /\/contents\/(.+)$/, ({ parts: [file], query }) => this.#contents(`${query.get("ref")} ${file}`)],
    ["GET", /\/merge_requests\/7\/diffs$/, () => this.#diffs()],
    ["GET", /\/(?:pulls|merge_requests)\/7$/, () => this.#pull()],
    ["GET", /\/commits\/(\w+)\/(?:pulls|merge_requests)$/, ({ parts: [sha] }) => this.#pullsOf(sha)],
    ["GET", /\/activity$/, ({ query }) => this.#pushes(query.get("ref") ?? "")],
    ["GET", /\/events$/, () => this.#pushes(`refs/heads/${this.pull.branch}`)],
    ["GET", /\/collaborators\/([^/]+)\/permission$/, ({ parts: [login = ""] }) => ({ permission: this.people[login] ?? "none" })],
    ["GET", /\/members\/all$/, ({ query }) => this.#members(Number(query.get("user_ids[]")))],
    ["GET", /\/users\/(\d+)$/, ({ parts: [id] }) => ({ bot: !(this.#nameOf(Number(id)) in this.people) })],
    ["GET", /\/user$/, ({ caller }) => ({ username: caller })],
    ["POST", /\/statuses\/(\w+)$/, (asked) => this.#concluded(asked)],
    ["GET", /\/commits\/(\w+)\/statuses$/, ({ parts: [sha] }) => this.statuses.filter((one) => one.sha === sha).map(statusShape)],
  ];

  #set(): string[] {
    return [...new Set(this.#labels.filter(({ on }) => on).map(({ name }) => name))];
  }

  #pull() {
    const { author, branch, base, head, merged, files } = this.pull;
    const [state, when] = merged === "" ? ["open", null] : ["closed", "2026-06-30"];
    return {
      number: request,
      user: { login: author },
      state,
      merged_at: when,
      merge_commit_sha: merged,
      head: { ref: branch, sha: head },
      base: { ref: base },
      author: { username: author },
      source_branch: branch,
      sha: head,
      diff_refs: { base_sha: "base", start_sha: "start", head_sha: head },
      labels: this.#set(),
      changes_count: String(files.length),
    };
  }

  #diffs() {
    return this.pull.files.map((file) => ({ new_path: file, old_path: file, diff: this.pull.patches[file] ?? "" }));
  }

  #contents(name: string) {
    const text = this.owners[name];
    return text === undefined ? undefined : { encoding: "base64", content: Buffer.from(text).toString("base64") };
  }

  #pullsOf(sha: string | undefined) {
    const { head, merged } = this.pull;
    if (sha !== head && sha !== merged) return [];
    const found = this.#pull();
    return [{ ...found, iid: request, state: merged === "" ? "open" : "merged" }];
  }

  #pushes(ref: string) {
    if (ref !== `refs/heads/${this.pull.branch}`) return [];
    const pushes = this.pull.pushers.map((login) => ({
      activity_type: "push",
      actor: { login },
      author_username: login,
      push_data: { ref: this.pull.branch, action: "pushed" },
    }));
    // Whoever merges may delete the branch, which makes nobody an author of the change.
    const deletion = { activity_type: "branch_deletion", actor: { login: "bob" }, author_username: "bob" };
    return [{ ...deletion, push_data: { ref: this.pull.branch, action: "removed" } }, ...pushes];
  }

  #members(id: number) {
    return [{ id, access_level: this.people[this.#nameOf(id)] === "write" ? 30 : 20 }];
  }

  #nameOf(id: number): string {
    return this.#labels[id - 1]?.by ?? "";
  }

  #added(list: Note[], { caller, body: { body = "", description = body, title = "" } }: Asked) {
    const made = { ...noteOf(list, caller, description), title };
    list.push(made);
    return shapeOf(made);
  }

  #concluded({ caller, body: { state = "", description = "", context = "" }, parts: [sha = ""] }: Asked) {
    if (description.length > 140) return undefined;
    this.statuses.unshift({ sha, context, state, description, creator: caller, time: new Date().toISOString() });
    return {};
  }
}

function changed(list: readonly Note[], { parts: [id], body: { body = "", description = body, state, state_event } }: Asked) {
  const note = list.find((one) => String(one.id) === id);
  if (!note) return undefined;
  if (description) note.body = description;
  if (state === "closed" || state_event === "close") note.open = false;
  return shapeOf(note);
}

function noteOf(list: readonly Note[], author: string, body: string): Note {
  return { id: list.length + 1, author, body, open: true };
}

function shapeOf({ id, author, body }: Note) {
  return { id, iid: id, number: id, body, description: body, user: { login: author }, author: { username: author } };
}

/** A label that is set, as both forges tell it. The user's id is the place in the list. */
function labelEvent({ name, by }: { readonly name: string; readonly by: string }, index: number) {
  return { event: "labeled", action: "add", label: { name }, actor: userOf(by), user: { id: index + 1, username: by } };
}

function statusShape({ creator, time, ...status }: Status) {
  return { ...status, created_at: time, creator: { login: creator } };
}

function reviewShape({ by, state, commit, time }: Review, index: number) {
  return { id: index + 1, user: userOf(by), state, commit_id: commit, submitted_at: time };
}

function userOf(login: string) {
  return { login, type: login.endsWith("[bot]") ? "Bot" : "User" };
}
