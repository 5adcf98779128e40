/** What the pipelines of a forge need: comments and labels of merge requests, and issues. Only what this pipeline wrote counts. */
export interface Forge {
  /** The merge request that this run is for, or that this commit was merged by. */
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

/** Calls an API of a forge: JSON to and fro. */
export async function call(method: "GET" | "POST" | "PATCH" | "PUT", url: string, token: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const most = 100;

/** All of a list that comes in pages. */
export async function everyPage(url: string, token: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; ; page++) {
    const items = await call("GET", `${url}${url.includes("?") ? "&" : "?"}per_page=${most}&page=${page}`, token);
    if (!Array.isArray(items)) throw new Error(`${new URL(url).pathname} is no list`);
    found.push(...items.map((item: unknown) => item));
    if (items.length < most) return found;
  }
}

/** A variable that the pipeline has set. */
export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
