import type { Difference, LineNote, OldLineNote } from "./differences.ts";
import type { Report } from "./report.ts";

/** What the pipelines need of a forge. Comments and issues by others than the pipeline are left out. */
export interface Forge {
  /** The merge request that this run judges, or the one by which this commit was merged. */
  request(): Promise<Request | undefined>;
  /** The files that a merge request changes, with their names before and after; `undefined` if the forge does not list all of them. */
  changedFiles(request: Request): Promise<readonly string[] | undefined>;
  /** Who has set a label that the merge request has; `undefined` if it does not have it. */
  setterOf(request: Request, label: string): Promise<Person | undefined>;
  /**
   * The approving reviews of a merge request that stand, and what is wrong with each, before anybody asks who has given it. `files`: those
   * that it changes. None from a forge whose approvals name no commit.
   */
  approvals(request: Request, report: Report, files: readonly string[]): Promise<readonly Approval[]>;
  /** Says whether the merge request may be merged, as far as a stack is concerned. */
  conclude(request: Request, stack: string, fingerprint: string, decision: Decision): Promise<void>;
  /** The fingerprint of the change that the gate has judged last, in words that only the gate can have written. */
  judged(request: Request, marker: string, stack: string): Promise<string | undefined>;
  comments(request: Request): Promise<readonly Note[]>;
  addComment(request: Request, body: string): Promise<void>;
  changeComment(request: Request, id: number, body: string): Promise<void>;
  /** What the merge request changes, as far as the forge shows it. */
  differences(request: Request): Promise<readonly Difference[]>;
  lineNotes(request: Request): Promise<readonly OldLineNote[]>;
  addLineNotes(request: Request, notes: readonly LineNote[]): Promise<void>;
  changeLineNote(request: Request, id: string, body: string): Promise<void>;
  removeLineNote(request: Request, id: string): Promise<void>;
  openIssues(): Promise<readonly Note[]>;
  addIssue(title: string, body: string): Promise<void>;
  changeIssue(id: number, body: string): Promise<void>;
  closeIssue(id: number): Promise<void>;
}

export interface Request {
  readonly number: number;
  /** Its newest commit. */
  readonly head: string;
  /** Whether it waits in a merge queue: then the change was judged before, and has to be the same. */
  readonly isQueued: boolean;
  /** Who opened it, and who has pushed to its branch. They cannot approve it. */
  readonly authors: readonly string[];
}

export interface Person {
  readonly login: string;
  /** False for a pipeline or an app. */
  readonly isHuman: boolean;
  /** Whether they may push to the repository. */
  readonly mayWrite: boolean;
}

export interface Approval {
  readonly by: Person;
  /** Why it does not count, as what follows its name: `which is of another commit`. */
  readonly wrong: string | undefined;
}

/** What a step says, and its exit code: 0 to go on, 1 for what was not reviewed, 3 if it needs approval, 4 if it is blocked. */
export interface Decision {
  readonly code: 0 | 1 | 3 | 4;
  readonly sentence: string;
}

export interface Note {
  readonly id: number;
  readonly body: string;
}

/** What a forge does not have. */
export class Missing extends Error {}

/** How many items of a list the forges return at most at a time. */
export const pageSize = 100;

/** The part of a forge's API below an address. Requests and answers are JSON. */
export class Api {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  async send(method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE", path: string, body?: unknown): Promise<unknown> {
    const url = `${this.#address}/${path}`;
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const sentence = `${method} ${new URL(url).pathname} was answered with ${answer.status}`;
    if (answer.status === 404) throw new Missing(sentence);
    if (!answer.ok) throw new Error(`${sentence}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  }

  get(path: string): Promise<unknown> {
    return this.send("GET", path);
  }

  /** All items of a list that is returned in pages. */
  async list(path: string): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (let page = 1; ; page++) {
      const items = await this.get(`${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}&page=${page}`);
      if (!Array.isArray(items)) throw new Error(`${new URL(`${this.#address}/${path}`).pathname} is no list`);
      found.push(...items.map((item: unknown) => item));
      if (items.length < pageSize) return found;
    }
  }
}

/** Whether two names are those of one person. */
export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** An environment variable that the pipeline sets. */
export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
