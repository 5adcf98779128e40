import { call, type Decision, everyPage, type Forge, type Note, pageSize, type Person, type Request, variable } from "./calls.ts";
import { field, fingerprintAtEnd, listed, member, numberAt } from "./report.ts";

const label = "drift";
/** GitHub lists no more files of a pull request. */
const mostFiles = 3000;

export class GitHub implements Forge {
  readonly #repository = `${variable("GITHUB_API_URL")}/repos/${variable("GITHUB_REPOSITORY")}`;
  readonly #token = variable("GITHUB_TOKEN");
  /** The user that GitHub shows for the token of the gate. */
  readonly #self = process.env["FORGE_LOGIN"] ?? "github-actions[bot]";
  /** The commit of the preview that the gate judges. It comes from GitHub's event, not from the preview. */
  readonly #previewed = process.env["PREVIEW_SHA"];

  async request(): Promise<Request | undefined> {
    const queued = process.env["PREVIEW_EVENT"] === "merge_group";
    const number = queued ? numberInQueue(variable("PREVIEW_BRANCH")) : await this.#numberOf(this.#previewed ?? variable("GITHUB_SHA"));
    if (number === undefined) return undefined;
    const pull = await this.#get(`pulls/${number}`);
    const [opened, pushed] = [loginOf(member(pull, "user")), await this.#pushersTo(field(member(pull, "head"), "ref"))];
    return { number, head: field(member(pull, "head"), "sha"), isQueued: queued, authors: [opened, ...pushed] };
  }

  /** The one open pull request whose newest commit was previewed, or the one that was merged as this commit. */
  async #numberOf(commit: string): Promise<number | undefined> {
    const found = (await this.#list(`commits/${commit}/pulls`)).filter((pull) => {
      if (member(member(pull, "base"), "ref") !== variable("BASE_BRANCH")) return false;
      if (this.#previewed === undefined)
        return typeof member(pull, "merged_at") === "string" && member(pull, "merge_commit_sha") === commit;
      return member(pull, "state") === "open" && member(member(pull, "head"), "sha") === commit;
    });
    return found.length === 1 ? numberAt(found[0], "number") : undefined;
  }

  /** Who has pushed to a branch. A commit's own author is what its author has written there, and proves nothing. */
  async #pushersTo(branch: string): Promise<string[]> {
    const pushes = listed(await this.#get(`activity?ref=${encodeURIComponent(`refs/heads/${branch}`)}&per_page=${pageSize}`));
    if (pushes.length >= pageSize) throw new Error(`there were ${pushes.length} or more pushes to ${branch}: open a new pull request`);
    // Whoever merges a pull request may delete its branch.
    return pushes.filter((push) => member(push, "activity_type") !== "branch_deletion").map((push) => loginOf(member(push, "actor")));
  }

  async changedFiles({ number }: Request): Promise<readonly string[] | undefined> {
    const files = await this.#list(`pulls/${number}/files`);
    const names = files.flatMap((file) => [member(file, "filename"), member(file, "previous_filename")]);
    return files.length >= mostFiles ? undefined : names.filter((name) => typeof name === "string");
  }

  async setterOf({ number }: Request, name: string): Promise<Person | undefined> {
    if (!(await this.#list(`issues/${number}/labels`)).some((one) => member(one, "name") === name)) return undefined;
    const events = await this.#list(`issues/${number}/events`);
    const last = events.findLast((one) => member(one, "event") === "labeled" && member(member(one, "label"), "name") === name);
    const login = loginOf(member(last, "actor"));
    const isHuman = member(member(last, "actor"), "type") === "User";
    const mayWrite = isHuman && ["admin", "write"].includes(field(await this.#get(`collaborators/${login}/permission`), "permission"));
    return { login, isHuman, mayWrite };
  }

  async conclude(_: Request, stack: string, fingerprint: string, { code, sentence }: Decision): Promise<void> {
    const room = 139 - fingerprint.length;
    await this.#call("POST", `statuses/${variable("PREVIEW_SHA")}`, {
      state: code === 0 ? "success" : "failure",
      context: contextOf(stack),
      description: `${sentence.length > room ? `${sentence.slice(0, room - 1)}…` : sentence} ${fingerprint}`,
      target_url: variable("RUN"),
    });
  }

  /** The newest status first. Users who may edit comments cannot change a status, and only the gate's app has this name. */
  async judged({ head }: Request, _: string, stack: string): Promise<string | undefined> {
    const statuses = await this.#list(`commits/${head}/statuses`);
    const own = statuses.find((one) => member(one, "context") === contextOf(stack) && loginOf(member(one, "creator")) === this.#self);
    return own === undefined ? undefined : fingerprintAtEnd(field(own, "description"));
  }

  async comments({ number }: Request): Promise<Note[]> {
    const all = await this.#list(`issues/${number}/comments`);
    return all.filter((one) => this.#isOwn(one)).map((one) => ({ id: numberAt(one, "id"), body: field(one, "body") }));
  }

  async addComment({ number }: Request, body: string): Promise<void> {
    await this.#call("POST", `issues/${number}/comments`, { body });
  }

  async changeComment(_request: Request, id: number, body: string): Promise<void> {
    await this.#call("PATCH", `issues/comments/${id}`, { body });
  }

  async openIssues(): Promise<Note[]> {
    const all = await this.#list(`issues?state=open&labels=${label}`);
    return all.filter((one) => this.#isOwn(one)).map((one) => ({ id: numberAt(one, "number"), body: field(one, "body") }));
  }

  async addIssue(title: string, body: string): Promise<void> {
    await this.#call("POST", "issues", { title, body, labels: [label] });
  }

  async changeIssue(id: number, body: string): Promise<void> {
    await this.#call("PATCH", `issues/${id}`, { body });
  }

  async closeIssue(id: number): Promise<void> {
    await this.#call("PATCH", `issues/${id}`, { state: "closed" });
  }

  #isOwn(one: unknown): boolean {
    return loginOf(member(one, "user")) === this.#self;
  }

  #get(path: string): Promise<unknown> {
    return call("GET", `${this.#repository}/${path}`, this.#token);
  }

  #list(path: string): Promise<readonly unknown[]> {
    return everyPage(`${this.#repository}/${path}`, this.#token);
  }

  #call(method: "POST" | "PATCH", path: string, body: unknown): Promise<unknown> {
    return call(method, `${this.#repository}/${path}`, this.#token, body);
  }
}

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
