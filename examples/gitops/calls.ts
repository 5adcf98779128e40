/** What the pipelines need of a forge: comments and labels of merge requests, and issues. Comments and issues by others are left out. */
export interface Forge {
  /** The merge request of this run, or the one by which this commit was merged. */
  request(): Promise<number | undefined>;
  labels(request: number): Promise<readonly string[]>;
  comments(request: number): Promise<readonly Note[]>;
  addComment(request: number, body: string): Promise<void>;
  changeComment(request: number, id: number, body: string): Promise<void>;
  openIssues(): Promise<readonly Note[]>;
  addIssue(title: string, body: string): Promise<void>;
  changeIssue(id: number, body: string): Promise<void>;
  closeIssue(id: number): Promise<void>;
}

export interface Note {
  readonly id: number;
  readonly body: string;
}

/** Calls the API of a forge. Request and answer are JSON. */
export async function call(method: "GET" | "POST" | "PATCH" | "PUT", url: string, token: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const pageSize = 100;

/** All items of a list that is returned in pages. */
export async function everyPage(url: string, token: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; ; page++) {
    const items = await call("GET", `${url}${url.includes("?") ? "&" : "?"}per_page=${pageSize}&page=${page}`, token);
    if (!Array.isArray(items)) throw new Error(`${new URL(url).pathname} is no list`);
    found.push(...items.map((item: unknown) => item));
    if (items.length < pageSize) return found;
  }
}

/** An environment variable that the pipeline sets. */
export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
