import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ApiClient } from "./api-client.ts";

export const texts = z.record(z.string(), z.string()).default({});

/** What is read of the metadata of any object. */
export const metadata = z.object({
  name: z.string(),
  namespace: z.string().default(""),
  uid: z.string(),
  resourceVersion: z.string(),
  labels: texts,
  annotations: texts,
  deletionTimestamp: z.string().optional(),
});

/** The objects are Kubernetes' own: their times are the machine's, as the API server's are. */
export function timestamp(): string {
  return new Date().toISOString();
}

const refusal = z.object({ message: z.string() });

/** What patches are called on the wire. */
export const patches = { merge: "application/merge-patch+json", strategic: "application/strategic-merge-patch+json" } as const;

/** There is no such object, or it is another one by now, or may not go yet. */
const meanwhile: readonly number[] = [404, 409, 429];

/**
 * Changes an object. Answers how it is then; `undefined` if it has changed meanwhile, so that this is not to be done any more.
 *
 * @throws an error with the message of the API server if it refuses the change otherwise.
 */
export async function change(
  api: ApiClient,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  asked: { readonly body: object; readonly type?: string },
): Promise<object | undefined> {
  const { status, body } = await api.ask(method, path, asked);
  if (status >= 200 && status < 300) return typeof body === "object" && body !== null ? body : {};
  if (meanwhile.includes(status)) return undefined;
  throw new Error(refusal.safeParse(body).data?.message ?? `the API server answered ${status} to a ${method} of ${path}`);
}

interface Named {
  readonly metadata: { readonly name: string; readonly [other: string]: unknown };
  readonly [other: string]: unknown;
}

/**
 * Creates an object unless it exists. The object is read first, because a webhook of the cluster's user may refuse each creation, also of an
 * object that exists.
 */
export async function ensure(api: ApiClient, path: string, body: Named): Promise<void> {
  const { status } = await api.ask("GET", `${path}/${body.metadata.name}`);
  if (status === 404) await change(api, "POST", path, { body });
}

/** Removes an object at once, if it is still the one of that uid. */
export async function remove(api: ApiClient, path: string, uid: string): Promise<void> {
  await change(api, "DELETE", path, { body: { gracePeriodSeconds: 0, preconditions: { uid } } });
}

interface Watchable {
  readonly metadata: { readonly name: string; readonly namespace: string };
}

/** After an outage of the API server, in milliseconds. */
const pause = 500;

/** The objects of a collection as they are at any moment. */
export class Watched<T extends Watchable> {
  readonly #api: ApiClient;
  readonly #path: string;
  readonly #schema: z.ZodType<T>;
  readonly #objects = new Map<string, T>();
  /** Is called with each object that is new or has changed. */
  changed: ((object: T) => void) | undefined;
  gone: ((object: T) => void) | undefined;

  constructor(api: ApiClient, path: string, schema: z.ZodType<T>) {
    this.#api = api;
    this.#path = path;
    this.#schema = schema;
  }

  get all(): readonly T[] {
    return [...this.#objects.values()];
  }

  get(name: string, namespace = ""): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** Notes an object as an answer has it, before the watch tells it. */
  note(object: object | undefined): void {
    if (object) this.#put(this.#schema.parse(object));
  }

  /** Follows the collection until the signal is aborted; resolved once all that is there has been told. */
  begin(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      void this.#follow(signal, resolve).finally(resolve);
    });
  }

  async #follow(signal: AbortSignal, synced: () => void): Promise<void> {
    while (!signal.aborted) {
      const before = new Set(this.#objects.keys());
      try {
        for await (const { type, object } of this.#api.follow(this.#path, signal)) {
          if (type === "SYNCED") {
            for (const key of before) this.#drop(key);
            synced();
          } else if (type === "DELETED") this.#drop(keyOf(this.#schema.parse(object)));
          else before.delete(this.#put(this.#schema.parse(object)));
        }
      } catch {
        // The API server has ended a connection, or does not answer: it is asked again until it does, or has ended for good.
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #put(object: T): string {
    const key = keyOf(object);
    this.#objects.set(key, object);
    this.changed?.(object);
    return key;
  }

  #drop(key: string): void {
    const object = this.#objects.get(key);
    this.#objects.delete(key);
    if (object) this.gone?.(object);
  }
}

function keyOf({ metadata }: Watchable): string {
  return `${metadata.namespace}/${metadata.name}`;
}
