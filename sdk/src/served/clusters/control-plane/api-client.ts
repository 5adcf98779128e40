import type { Agent as AgentType, RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { jsonIn } from "../../../formats/texts.ts";
import { isConnectionLost, loopback } from "../../ports.ts";
import type { InternalKeys } from "./keys.ts";

const kubernetesObject = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().exactOptional(),
    uid: z.string().exactOptional(),
    resourceVersion: z.string().exactOptional(),
    labels: z.record(z.string(), z.string()).exactOptional(),
  }),
});
export type KubernetesObject = z.output<typeof kubernetesObject>;

const list = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }), items: z.array(kubernetesObject) });
const event = z.looseObject({ type: z.string(), object: z.looseObject({}) });

/** What has changed in a collection. `SYNCED`: all that was there before has been told. */
export type Change =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubernetesObject }
  | { readonly type: "SYNCED"; readonly object?: never };

export interface ApiAnswer {
  readonly status: number;
  /** The object, or the `Status` of a refusal. */
  readonly body: unknown;
}

interface Asked {
  readonly body?: object;
  readonly type?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Calls an API server. */
export class ApiClient implements AsyncDisposable {
  readonly #options: RequestOptions;
  readonly #agent: AgentType;

  constructor(port: number, { ca, admin: { certificate: cert, privateKey: key } }: Pick<InternalKeys, "ca" | "admin">) {
    const { Agent } = process.getBuiltinModule("node:https");
    this.#agent = new Agent({ keepAlive: true });
    this.#options = { host: loopback, port, ca, cert, key, agent: this.#agent };
  }

  /** Makes a request, and reads its whole answer, whether it is a refusal or not. */
  async ask(method: string, path: string, asked: Asked = {}): Promise<ApiAnswer> {
    const answer = await this.#send(method, path, asked);
    const body = await text(answer);
    return { status: answer.statusCode ?? 0, body: body === "" ? undefined : (jsonIn(body) ?? body) };
  }

  /** As `ask`, but an answer with another status than these is an error. */
  async expect(method: string, path: string, asked: Asked = {}, statuses: readonly number[] = [200, 201]): Promise<unknown> {
    const { status, body } = await this.ask(method, path, asked);
    if (!statuses.includes(status)) throw new Error(`${method} ${path} was answered with ${status}: ${messageOf(body)}`);
    return body;
  }

  /** Makes an object, or changes it to be so: a server-side apply, by which fields of others stay. */
  apply(path: string, body: object): Promise<ApiAnswer> {
    return this.ask("PATCH", `${path}?fieldManager=container-platform&force=true`, { body, type: "application/apply-patch+yaml" });
  }

  /**
   * Follows a collection: tells what is there, then what changes, until the signal is aborted. What happens while a watch is interrupted is
   * told afterwards.
   *
   * @param accept such as that for objects with their metadata alone
   */
  async *follow(path: string, signal: AbortSignal, accept?: string): AsyncGenerator<Change, void, undefined> {
    const known = new Map<string, KubernetesObject>();
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const { items, metadata } = list.parse(await this.expect("GET", path, { signal, ...(accept !== undefined && { accept }) }));
      yield* differences(known, items);
      if (isFirst) yield { type: "SYNCED" };
      yield* this.#watch(path, metadata.resourceVersion, { known, signal, accept });
      // It has ended, or was lost. A pause, in case that happens at once.
      await sleep(100, undefined, { signal });
    }
  }

  /** Ends all connections. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }

  async *#watch(
    path: string,
    from: string,
    { known, signal, accept }: { known: Map<string, KubernetesObject>; signal: AbortSignal; accept: string | undefined },
  ): AsyncGenerator<Change, void, undefined> {
    const sign = path.includes("?") ? "&" : "?";
    const watched = `${path}${sign}watch=1&allowWatchBookmarks=true&resourceVersion=${from}`;
    const answer = await this.#send("GET", watched, { signal, ...(accept !== undefined && { accept }) });
    for await (const line of linesOf(answer, signal)) {
      const { type, object } = event.parse(JSON.parse(line));
      // The version has become too old, or something else went wrong: the collection is listed again.
      if (type === "ERROR") return;
      if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") continue;
      const changed = kubernetesObject.parse(object);
      if (type === "DELETED") known.delete(keyOf(changed));
      else known.set(keyOf(changed), changed);
      yield { type, object: changed };
    }
  }

  #send(method: string, path: string, { body, type, accept, signal }: Asked): Promise<IncomingMessage> {
    const { request } = process.getBuiltinModule("node:https");
    const sent = body === undefined ? "" : JSON.stringify(body);
    // Without a length, a DELETE with a body would be taken for two requests.
    const headers = {
      accept: accept ?? "application/json",
      "content-length": String(Buffer.byteLength(sent)),
      ...(body !== undefined && { "content-type": type ?? "application/json" }),
    };
    return new Promise((resolve, reject) => {
      const asking = request({ ...this.#options, method, path, headers, ...(signal && { signal }) }, resolve);
      asking.once("error", reject);
      asking.end(sent);
    });
  }
}

/** What a new list tells of what was known before. */
function* differences(known: Map<string, KubernetesObject>, items: readonly KubernetesObject[]): Generator<Change, void, undefined> {
  const present = new Map(items.map((item) => [keyOf(item), item]));
  for (const [key, object] of known)
    if (!present.has(key)) {
      known.delete(key);
      yield { type: "DELETED", object };
    }
  for (const [key, object] of present) {
    const before = known.get(key);
    known.set(key, object);
    if (!before) yield { type: "ADDED", object };
    else if (before.metadata.resourceVersion !== object.metadata.resourceVersion) yield { type: "MODIFIED", object };
  }
}

function keyOf({ metadata: { namespace = "", name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}

/** The lines of an answer, as far as they come: it may be lost at any moment. */
async function* linesOf(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let rest = "";
  try {
    for await (const part of answer.setEncoding("utf8")) {
      const lines = (rest + String(part)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines.filter((line) => line !== "");
    }
  } catch (error) {
    if (signal.aborted || !isConnectionLost(error)) throw error;
  }
}

function messageOf(body: unknown): string {
  const message: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "message") : body;
  return String(message);
}
