import { call, everyPage, type Forge, type Note, variable } from "./calls.ts";
import { field, member, numberAt } from "./report.ts";

const label = "drift";

export class GitHub implements Forge {
  readonly #repository = `${variable("GITHUB_API_URL")}/repos/${variable("GITHUB_REPOSITORY")}`;
  readonly #token = variable("GITHUB_TOKEN");
  /** The user that GitHub shows for a workflow's token. */
  readonly #self = process.env["FORGE_LOGIN"] ?? "github-actions[bot]";

  async request(): Promise<number | undefined> {
    const given = process.env["PULL_REQUEST"];
    if (given) return Number(given);
    const pulls = await this.#list(`commits/${variable("GITHUB_SHA")}/pulls`);
    const merged = pulls.find((pull) => typeof member(pull, "merged_at") === "string");
    return merged === undefined ? undefined : numberAt(merged, "number");
  }

  async labels(request: number): Promise<string[]> {
    return (await this.#list(`issues/${request}/labels`)).map((one) => field(one, "name"));
  }

  async comments(request: number): Promise<Note[]> {
    const all = await this.#list(`issues/${request}/comments`);
    return all.filter((one) => this.#isOwn(one)).map((one) => ({ id: numberAt(one, "id"), body: field(one, "body") }));
  }

  async addComment(request: number, body: string): Promise<void> {
    await this.#call("POST", `issues/${request}/comments`, { body });
  }

  async changeComment(_request: number, id: number, body: string): Promise<void> {
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
    return member(member(one, "user"), "login") === this.#self;
  }

  #list(path: string): Promise<readonly unknown[]> {
    return everyPage(`${this.#repository}/${path}`, this.#token);
  }

  #call(method: "POST" | "PATCH", path: string, body: unknown): Promise<unknown> {
    return call(method, `${this.#repository}/${path}`, this.#token, body);
  }
}
