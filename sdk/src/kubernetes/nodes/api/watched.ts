import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { ApiClient } from "../../control-plane/api-client.ts";

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
