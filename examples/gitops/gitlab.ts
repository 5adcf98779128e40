import { call, everyPage, type Forge, type Note, variable } from "./calls.ts";
import { field, member, numberAt } from "./report.ts";

const label = "drift";

export class GitLab implements Forge {
  readonly #api = variable("CI_API_V4_URL");
  readonly #project = `${this.#api}/projects/${variable("CI_PROJECT_ID")}`;
  /** A project access token with the role Developer and the scope `api`: a job's own token cannot write notes. */
  readonly #token = variable("GITLAB_TOKEN");
  #self: string | undefined;

  async request(): Promise<number | undefined> {
    const given = process.env["CI_MERGE_REQUEST_IID"];
    if (given) return Number(given);
    const requests = await this.#list(`repository/commits/${variable("CI_COMMIT_SHA")}/merge_requests`);
    const merged = requests.find((one) => member(one, "state") === "merged");
    return merged === undefined ? undefined : numberAt(merged, "iid");
  }

  async labels(request: number): Promise<string[]> {
    const labels = member(await call("GET", `${this.#project}/merge_requests/${request}`, this.#token), "labels");
    return Array.isArray(labels) ? labels.map(String) : [];
  }

  async comments(request: number): Promise<Note[]> {
    const all = await this.#own(await this.#list(`merge_requests/${request}/notes`));
    return all.map((one) => ({ id: numberAt(one, "id"), body: field(one, "body") }));
  }

  async addComment(request: number, body: string): Promise<void> {
    await this.#call("POST", `merge_requests/${request}/notes`, { body });
  }

  async changeComment(request: number, id: number, body: string): Promise<void> {
    await this.#call("PUT", `merge_requests/${request}/notes/${id}`, { body });
  }

  async openIssues(): Promise<Note[]> {
    const all = await this.#own(await this.#list(`issues?state=opened&labels=${label}`));
    return all.map((one) => ({ id: numberAt(one, "iid"), body: field(one, "description") }));
  }

  async addIssue(title: string, description: string): Promise<void> {
    await this.#call("POST", "issues", { title, description, labels: label });
  }

  async changeIssue(id: number, description: string): Promise<void> {
    await this.#call("PUT", `issues/${id}`, { description });
  }

  async closeIssue(id: number): Promise<void> {
    await this.#call("PUT", `issues/${id}`, { state_event: "close" });
  }

  async #own(all: readonly unknown[]): Promise<unknown[]> {
    this.#self ??= field(await call("GET", `${this.#api}/user`, this.#token), "username");
    return all.filter((one) => member(member(one, "author"), "username") === this.#self);
  }

  #list(path: string): Promise<readonly unknown[]> {
    return everyPage(`${this.#project}/${path}`, this.#token);
  }

  #call(method: "POST" | "PUT", path: string, body: unknown): Promise<unknown> {
    return call(method, `${this.#project}/${path}`, this.#token, body);
  }
}
