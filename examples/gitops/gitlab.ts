import { Api, type Approval, type Forge, type Note, type Person, type Request, variable } from "./calls.ts";
import { type Difference, type LineNote, type OldLineNote, nameOf, type Place } from "./differences.ts";
import { field, listed, member, numberAt, reviewedIn } from "./report.ts";

const label = "drift";
/** The role Developer. */
const developer = 30;

export class GitLab implements Forge {
  /** `GITLAB_TOKEN`: a project access token with the role Developer and the scope `api`. A job's own token cannot write notes. */
  readonly #api = new Api(variable("CI_API_V4_URL"), variable("GITLAB_TOKEN"));
  readonly #project = new Api(`${variable("CI_API_V4_URL")}/projects/${variable("CI_PROJECT_ID")}`, variable("GITLAB_TOKEN"));
  #self: string | undefined;

  async request(): Promise<Request | undefined> {
    const given = process.env["CI_MERGE_REQUEST_IID"];
    const number = given ? Number(given) : await this.#mergedAs(variable("CI_COMMIT_SHA"));
    if (number === undefined) return undefined;
    const found = await this.#project.get(`merge_requests/${number}`);
    const [opened, branch] = [field(member(found, "author"), "username"), field(found, "source_branch")];
    // Whoever merges a merge request may delete its branch.
    const pushes = (await this.#project.list("events?action=pushed")).filter((one) => {
      const push = member(one, "push_data");
      return member(push, "ref") === branch && member(push, "action") !== "removed";
    });
    const authors = [opened, ...pushes.map((one) => field(one, "author_username"))];
    return { number, head: field(found, "sha"), isQueued: false, authors };
  }

  async #mergedAs(commit: string): Promise<number | undefined> {
    const requests = await this.#project.list(`repository/commits/${commit}/merge_requests`);
    const merged = requests.filter((one) => member(one, "state") === "merged" && endsOf(one).includes(commit));
    return merged.length === 1 ? numberAt(merged[0], "iid") : undefined;
  }

  async changedFiles({ number }: Request): Promise<readonly string[] | undefined> {
    const [request, files] = [
      await this.#project.get(`merge_requests/${number}`),
      await this.#project.list(`merge_requests/${number}/diffs`),
    ];
    const isWhole = member(request, "changes_count") === String(files.length);
    return isWhole ? files.flatMap((file) => [field(file, "new_path"), field(file, "old_path")]) : undefined;
  }

  async setterOf({ number }: Request, name: string): Promise<Person | undefined> {
    if (!listed(member(await this.#project.get(`merge_requests/${number}`), "labels")).includes(name)) return undefined;
    const events = await this.#project.list(`merge_requests/${number}/resource_label_events`);
    const last = events.findLast((one) => member(one, "action") === "add" && member(member(one, "label"), "name") === name);
    const user = member(last, "user");
    const id = numberAt(user, "id");
    const isHuman = member(await this.#api.get(`users/${id}`), "bot") !== true;
    const role = await this.#project.list(`members/all?user_ids[]=${id}`);
    const mayWrite = role.some((one) => member(one, "id") === id && numberAt(one, "access_level") >= developer);
    return { login: field(user, "username"), isHuman, mayWrite };
  }

  /** GitLab's approvals name no commit: what was approved cannot be told from what was pushed a moment later. */
  approvals(): Promise<readonly Approval[]> {
    return Promise.resolve([]);
  }

  /** The job itself is what the merge waits for. */
  async conclude(): Promise<void> {
    return Promise.resolve();
  }

  async judged(request: Request, marker: string): Promise<string | undefined> {
    const own = (await this.comments(request)).find(({ body }) => body.startsWith(marker));
    return own === undefined ? undefined : reviewedIn(own.body);
  }

  async comments({ number }: Request): Promise<Note[]> {
    const all = await this.#own(await this.#project.list(`merge_requests/${number}/notes`));
    return all.map((one) => ({ id: numberAt(one, "id"), body: field(one, "body") }));
  }

  async addComment({ number }: Request, body: string): Promise<void> {
    await this.#project.send("POST", `merge_requests/${number}/notes`, { body });
  }

  async changeComment({ number }: Request, id: number, body: string): Promise<void> {
    await this.#project.send("PUT", `merge_requests/${number}/notes/${id}`, { body });
  }

  async differences({ number }: Request): Promise<Difference[]> {
    const files = await this.#project.list(`merge_requests/${number}/diffs`);
    return files.map((file) => ({ file: { before: field(file, "old_path"), after: field(file, "new_path") }, text: field(file, "diff") }));
  }

  async lineNotes({ number }: Request): Promise<OldLineNote[]> {
    const discussions = await this.#project.list(`merge_requests/${number}/discussions`);
    const notes = discussions.flatMap((one) => listed(member(one, "notes")).map((note) => ({ discussion: field(one, "id"), note })));
    const own = new Set(await this.#own(notes.map(({ note }) => note)));
    return notes
      .filter(({ note }) => own.has(note) && member(note, "position"))
      .map(({ discussion, note }) => {
        const id = `${discussion}/notes/${numberAt(note, "id")}`;
        return { id, body: field(note, "body"), at: nameOf(placeOf(member(note, "position"))) };
      });
  }

  async addLineNotes({ number }: Request, notes: readonly LineNote[]): Promise<void> {
    const commits = member(await this.#project.get(`merge_requests/${number}`), "diff_refs");
    const [base_sha, start_sha, head_sha] = ["base_sha", "start_sha", "head_sha"].map((name) => field(commits, name));
    for (const { place, body } of notes) {
      const { file, before: old_line, after: new_line } = place;
      const at = { position_type: "text", base_sha, start_sha, head_sha, old_path: file.before, new_path: file.after, old_line, new_line };
      await this.#project.send("POST", `merge_requests/${number}/discussions`, { body, position: at });
    }
  }

  async changeLineNote({ number }: Request, id: string, body: string): Promise<void> {
    await this.#project.send("PUT", `merge_requests/${number}/discussions/${id}`, { body });
  }

  async removeLineNote({ number }: Request, id: string): Promise<void> {
    await this.#project.send("DELETE", `merge_requests/${number}/discussions/${id}`);
  }

  async openIssues(): Promise<Note[]> {
    const all = await this.#own(await this.#project.list(`issues?state=opened&labels=${label}`));
    return all.map((one) => ({ id: numberAt(one, "iid"), body: field(one, "description") }));
  }

  async addIssue(title: string, description: string): Promise<void> {
    await this.#project.send("POST", "issues", { title, description, labels: label });
  }

  async changeIssue(id: number, description: string): Promise<void> {
    await this.#project.send("PUT", `issues/${id}`, { description });
  }

  async closeIssue(id: number): Promise<void> {
    await this.#project.send("PUT", `issues/${id}`, { state_event: "close" });
  }

  async #own(all: readonly unknown[]): Promise<unknown[]> {
    this.#self ??= field(await this.#api.get("user"), "username");
    return all.filter((one) => member(member(one, "author"), "username") === this.#self);
  }
}

/** The commits as which a merge request can have come into the target branch. */
function endsOf(request: unknown): unknown[] {
  return ["merge_commit_sha", "squash_commit_sha", "sha"].map((name) => member(request, name));
}

/** Where a note stands; null is a number that the line does not have. */
function placeOf(position: unknown): Place {
  const [before, after] = ["old_line", "new_line"].map((name) => (member(position, name) === null ? undefined : numberAt(position, name)));
  return { file: { before: field(position, "old_path"), after: field(position, "new_path") }, before, after };
}
