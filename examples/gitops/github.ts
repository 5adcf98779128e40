import {
  Api,
  type Approval,
  type Decision,
  type Forge,
  isSame,
  Missing,
  type Note,
  pageSize,
  type Person,
  type Request,
  variable,
} from "./calls.ts";
import { ownersOf } from "./code-owners.ts";
import { type Difference, type LineNote, type OldLineNote } from "./differences.ts";
import { field, fingerprintAtEnd, listed, member, numberAt, type Report, textAt } from "./report.ts";

const label = "drift";
/** GitHub lists no more files of a pull request. */
const mostFiles = 3000;

export class GitHub implements Forge {
  readonly #api = new Api(`${variable("GITHUB_API_URL")}/repos/${variable("GITHUB_REPOSITORY")}`, variable("GITHUB_TOKEN"));
  /** The user that GitHub shows for the token of the gate. */
  readonly #self = process.env["FORGE_LOGIN"] ?? "github-actions[bot]";
  /** The commit of the preview that the gate judges. It comes from GitHub's event, not from the preview. */
  readonly #previewed = process.env["PREVIEW_SHA"];

  async request(): Promise<Request | undefined> {
    const queued = process.env["PREVIEW_EVENT"] === "merge_group";
    const number = queued ? numberInQueue(variable("PREVIEW_BRANCH")) : await this.#numberOf(this.#previewed ?? variable("GITHUB_SHA"));
    if (number === undefined) return undefined;
    const pull = await this.#api.get(`pulls/${number}`);
    const [opened, pushed] = [loginOf(member(pull, "user")), await this.#pushersTo(field(member(pull, "head"), "ref"))];
    return { number, head: field(member(pull, "head"), "sha"), isQueued: queued, authors: [opened, ...pushed] };
  }

  /** The one open pull request whose newest commit was previewed, or the one that was merged as this commit. */
  async #numberOf(commit: string): Promise<number | undefined> {
    const found = (await this.#api.list(`commits/${commit}/pulls`)).filter((pull) => {
      if (member(member(pull, "base"), "ref") !== variable("BASE_BRANCH")) return false;
      if (this.#previewed === undefined)
        return typeof member(pull, "merged_at") === "string" && member(pull, "merge_commit_sha") === commit;
      return member(pull, "state") === "open" && member(member(pull, "head"), "sha") === commit;
    });
    return found.length === 1 ? numberAt(found[0], "number") : undefined;
  }

  /** Who has pushed to a branch. A commit's own author is what its author has written there, and proves nothing. */
  async #pushersTo(branch: string): Promise<string[]> {
    const pushes = listed(await this.#api.get(`activity?ref=${encodeURIComponent(`refs/heads/${branch}`)}&per_page=${pageSize}`));
    if (pushes.length >= pageSize) throw new Error(`there were ${pushes.length} or more pushes to ${branch}: open a new pull request`);
    // Whoever merges a pull request may delete its branch.
    return pushes.filter((push) => member(push, "activity_type") !== "branch_deletion").map((push) => loginOf(member(push, "actor")));
  }

  async changedFiles({ number }: Request): Promise<readonly string[] | undefined> {
    const files = await this.#api.list(`pulls/${number}/files`);
    const names = files.flatMap((file) => [member(file, "filename"), member(file, "previous_filename")]);
    return files.length >= mostFiles ? undefined : names.filter((name) => typeof name === "string");
  }

  async setterOf({ number }: Request, name: string): Promise<Person | undefined> {
    if (!(await this.#api.list(`issues/${number}/labels`)).some((one) => member(one, "name") === name)) return undefined;
    const events = await this.#api.list(`issues/${number}/events`);
    const last = events.findLast((one) => member(one, "event") === "labeled" && member(member(one, "label"), "name") === name);
    return this.#personOf(member(last, "actor"));
  }

  async #personOf(user: unknown): Promise<Person> {
    const login = loginOf(user);
    const isHuman = member(user, "type") === "User";
    const mayWrite = isHuman && ["admin", "write"].includes(field(await this.#api.get(`collaborators/${login}/permission`), "permission"));
    return { login, isHuman, mayWrite };
  }

  async approvals(request: Request, report: Report, files: readonly string[]): Promise<Approval[]> {
    const given = (await this.#api.list(`pulls/${request.number}/reviews`)).filter((one) => opinions.includes(textAt(one, "state") ?? ""));
    // Each person's last word counts. The oldest is first.
    const last = [...Map.groupBy(given, (one) => loginOf(member(one, "user"))).values()].flatMap((all) => all.slice(-1));
    const approving = last.filter((one) => member(one, "state") === "APPROVED");
    if (approving.length === 0) return [];
    const [judged, owners] = [await this.#judgements(request, report.stack), await this.#codeOwners()];
    const isOwn = (login: string) => files.every((file) => ownersOf(owners, file).some((owner) => isSame(owner, login)));
    const approvals = approving.map(async (one) => {
      const by = await this.#personOf(member(one, "user"));
      const isBound =
        judged.every(({ fingerprint }) => fingerprint === report.fingerprint) &&
        judged.some(({ time }) => time < Date.parse(field(one, "submitted_at")));
      const wrong = [
        ...(member(one, "commit_id") === request.head ? [] : ["which is of another commit than the newest"]),
        // A preview that was another one once may have been another one when the reviewer looked.
        ...(isBound ? [] : ["which was given on another preview, or one of several"]),
        ...(isOwn(by.login) ? [] : ["who does not own all of its files (CODEOWNERS)"]),
      ];
      return { by, wrong: wrong[0] };
    });
    return Promise.all(approvals);
  }

  /** The main branch's CODEOWNERS, or as it was before the merge. */
  async #codeOwners(): Promise<string> {
    const commit = encodeURIComponent(process.env["BASE"] ?? variable("BASE_BRANCH"));
    for (const folder of [".github/", "", "docs/"]) {
      try {
        const file = await this.#api.get(`contents/${folder}CODEOWNERS?ref=${commit}`);
        return Buffer.from(field(file, "content"), "base64").toString();
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
      }
    }
    return "";
  }

  async conclude(_: Request, stack: string, fingerprint: string, { code, sentence }: Decision): Promise<void> {
    const room = 139 - fingerprint.length;
    await this.#api.send("POST", `statuses/${variable("PREVIEW_SHA")}`, {
      state: code === 0 ? "success" : "failure",
      context: contextOf(stack),
      description: `${sentence.length > room ? `${sentence.slice(0, room - 1)}…` : sentence} ${fingerprint}`,
      target_url: variable("RUN"),
    });
  }

  async judged(request: Request, _: string, stack: string): Promise<string | undefined> {
    return (await this.#judgements(request, stack))[0]?.fingerprint;
  }

  /** The newest first. Users who may edit comments cannot change a status, and only the gate's app has this name. */
  async #judgements({ head }: Request, stack: string): Promise<{ readonly fingerprint: string | undefined; readonly time: number }[]> {
    const statuses = await this.#api.list(`commits/${head}/statuses`);
    return statuses
      .filter((one) => member(one, "context") === contextOf(stack) && this.#isBy(member(one, "creator")))
      .map((one) => ({ fingerprint: fingerprintAtEnd(field(one, "description")), time: Date.parse(field(one, "created_at")) }));
  }

  async comments({ number }: Request): Promise<Note[]> {
    const all = await this.#api.list(`issues/${number}/comments`);
    return all.filter((one) => this.#isOwn(one)).map((one) => ({ id: numberAt(one, "id"), body: field(one, "body") }));
  }

  async addComment({ number }: Request, body: string): Promise<void> {
    await this.#api.send("POST", `issues/${number}/comments`, { body });
  }

  async changeComment(_request: Request, id: number, body: string): Promise<void> {
    await this.#api.send("PATCH", `issues/comments/${id}`, { body });
  }

  /** Of a file that is too large, GitHub shows no difference. */
  async differences({ number }: Request): Promise<Difference[]> {
    const files = await this.#api.list(`pulls/${number}/files`);
    return files.flatMap((file) => {
      const [after, before = after, text] = [field(file, "filename"), textAt(file, "previous_filename"), textAt(file, "patch")];
      return text === undefined ? [] : [{ file: { before, after }, text }];
    });
  }

  async lineNotes({ number }: Request): Promise<OldLineNote[]> {
    const all = await this.#api.list(`pulls/${number}/comments`);
    return all
      .filter((one) => this.#isOwn(one))
      .map((one) => {
        // A line that the newest commit does not show any more is null.
        const at = `${field(one, "path")}:${member(one, "side") === "LEFT" ? "-" : "+"}${String(member(one, "line"))}`;
        return { id: String(numberAt(one, "id")), body: field(one, "body"), at };
      });
  }

  /** As one review: whoever follows the pull request gets one message. */
  async addLineNotes({ number, head }: Request, notes: readonly LineNote[]): Promise<void> {
    const comments = notes.map(({ place: { file, before, after }, body }) => {
      return { path: file.after, ...(after === undefined ? { side: "LEFT", line: before } : { side: "RIGHT", line: after }), body };
    });
    await this.#api.send("POST", `pulls/${number}/reviews`, { commit_id: head, event: "COMMENT", body: "", comments });
  }

  async changeLineNote(_request: Request, id: string, body: string): Promise<void> {
    await this.#api.send("PATCH", `pulls/comments/${id}`, { body });
  }

  async removeLineNote(_request: Request, id: string): Promise<void> {
    await this.#api.send("DELETE", `pulls/comments/${id}`);
  }

  async openIssues(): Promise<Note[]> {
    const all = await this.#api.list(`issues?state=open&labels=${label}`);
    return all.filter((one) => this.#isOwn(one)).map((one) => ({ id: numberAt(one, "number"), body: field(one, "body") }));
  }

  async addIssue(title: string, body: string): Promise<void> {
    await this.#api.send("POST", "issues", { title, body, labels: [label] });
  }

  async changeIssue(id: number, body: string): Promise<void> {
    await this.#api.send("PATCH", `issues/${id}`, { body });
  }

  async closeIssue(id: number): Promise<void> {
    await this.#api.send("PATCH", `issues/${id}`, { state: "closed" });
  }

  #isOwn(one: unknown): boolean {
    return this.#isBy(member(one, "user"));
  }

  #isBy(user: unknown): boolean {
    return loginOf(user) === this.#self;
  }
}

/** What a review says, if it says anything; `COMMENTED` does not. */
const opinions: readonly string[] = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"];

const contextOf = (stack: string): string => `infrastructure/${stack}`;

/** Empty for a user who is gone. */
function loginOf(user: unknown): string {
  const login = member(user, "login");
  return typeof login === "string" ? login : "";
}

/** The pull request of a branch of the merge queue, `gh-readonly-queue/main/pr-7-<commit>`. */
function numberInQueue(branch: string): number | undefined {
  const [, number] = /^gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]+$/.exec(branch) ?? [];
  return number === undefined ? undefined : Number(number);
}
