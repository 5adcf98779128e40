import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";

export interface Note {
  readonly id: number;
  readonly author: string;
  body: string;
  title?: string;
  open: boolean;
}

/** The user name of the pipeline. */
export const pipeline = "pipeline[bot]";
/** The number of the only merge request. */
export const request = 7;

const given = z.looseObject({
  body: z.string().optional(),
  description: z.string().optional(),
  title: z.string().optional(),
  state: z.string().optional(),
  state_event: z.string().optional(),
});

/** A forge with as much of GitHub's and GitLab's interfaces as the pipelines use. */
export class Forge implements AsyncDisposable {
  readonly comments: Note[] = [];
  readonly issues: Note[] = [];
  readonly labels: string[] = [];
  /** The merge commit of the merge request. */
  merged = "";
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(asked.url ?? "", this.url);
    const chunks = await asked.toArray();
    const body = given.parse(JSON.parse(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString() || "{}"));
    const found = asked.headers.authorization === "Bearer pass" ? this.#told(asked.method ?? "", pathname, body) : undefined;
    const [size, page] = [Number(searchParams.get("per_page") ?? 20), Number(searchParams.get("page") ?? 1)];
    const shown: unknown = Array.isArray(found) ? found.slice((page - 1) * size, page * size) : found;
    answer.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(shown ?? {}));
  }

  #told(method: string, path: string, { body = "", description = body, title = "", ...rest }: z.output<typeof given>): unknown {
    const [, what = "", id = ""] = /\/(comments|notes|issues|labels|pulls|merge_requests|user)(?:\/(\d+))?$/.exec(path) ?? [];
    const list = what === "issues" ? this.issues : this.comments;
    const isNote = what === "issues" || what === "comments" || what === "notes";
    if (isNote && method === "GET") return list.filter(({ open }) => open).map(shapeOf);
    if (isNote && method === "POST") {
      const made = { ...noteOf(list, pipeline, description), title };
      list.push(made);
      return shapeOf(made);
    }
    const note = list.find((one) => String(one.id) === id);
    if (isNote && note) {
      if (description) note.body = description;
      if (rest.state === "closed" || rest.state_event === "close") note.open = false;
      return shapeOf(note);
    }
    if (what === "user") return { username: pipeline };
    if (what === "labels") return this.labels.map((name) => ({ name }));
    if (what === "merge_requests" && id === String(request)) return { labels: this.labels };
    return path.includes(`/commits/${this.merged}/`) ? [{ number: request, iid: request, merged_at: "2026-06-30", state: "merged" }] : [];
  }
}

function noteOf(list: readonly Note[], author: string, body: string): Note {
  return { id: list.length + 1, author, body, open: true };
}

function shapeOf({ id, author, body }: Note) {
  return { id, iid: id, number: id, body, description: body, user: { login: author }, author: { username: author } };
}
