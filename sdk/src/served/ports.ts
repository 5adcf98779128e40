import { once } from "node:events";
import type { Server } from "node:net";
import { z } from "zod";
import { jsonInFile, replaceJson } from "./folder.ts";

export const loopback = "127.0.0.1";

/** Whether an error says that the other side has closed a connection too early. */
export function isConnectionLost(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Does work again and again, a while after it was done. Answers what ends that. */
export function repeat(pause: number, report: (mistake: unknown) => void, work: () => Promise<void>): () => Promise<void> {
  let isStopped = false;
  let working: Promise<void> = Promise.resolve();
  let timer = setTimeout(go, pause).unref();
  function go() {
    working = work()
      .catch(report)
      .finally(() => {
        if (!isStopped) timer = setTimeout(go, pause).unref();
      });
  }
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await working;
  };
}

/** The standpoint of clients that are in no VPC. */
export const internet = "internet";

/** Its connections may have to be closed before it is. */
type Serving = Server & { readonly closeAllConnections?: () => void };

interface Opened<Wanted> {
  readonly wanted: Wanted;
  readonly server: Serving;
  /** Such as `127.0.0.1:5001`. */
  readonly address: string;
}

/**
 * Ports of this machine, by what is served there. Each opens when it is wanted, and closes when it is not any more. In the next run it has
 * the same number, unless that is taken.
 */
export class RememberedPorts<Wanted extends { readonly key: string }> implements AsyncDisposable {
  readonly #file: string;
  readonly #numbers: Record<string, number>;
  readonly #serve: (wanted: Wanted) => Serving;
  readonly #told: (wanted: Wanted, address: string) => void;
  readonly #opening = new Map<string, Promise<Opened<Wanted>>>();
  readonly #opened = new Map<string, Opened<Wanted>>();

  /**
   * @param file where the numbers are remembered, by key
   * @param serve makes the server for a port that opens
   * @param told is called with each port that has opened
   */
  constructor(file: string, serve: (wanted: Wanted) => Serving, told: (wanted: Wanted, address: string) => void) {
    this.#file = file;
    // Nobody was told of any yet, or the file is broken: new ones are taken.
    this.#numbers = jsonInFile(file, z.record(z.string(), z.int())) ?? {};
    this.#serve = serve;
    this.#told = told;
  }

  /** The ports that are open. */
  opened(): Pick<Opened<Wanted>, "wanted" | "address">[] {
    return [...this.#opened.values()];
  }

  /** The same, once those have opened that are about to. */
  all(): Promise<Pick<Opened<Wanted>, "wanted" | "address">[]> {
    return Promise.all(this.#opening.values());
  }

  /** The address of a port that is open. */
  addressOf(key: string): string | undefined {
    return this.#opened.get(key)?.address;
  }

  /** The address of a port, which is opened if it is not open. A port that cannot be remembered is closed again. */
  async open(wanted: Wanted): Promise<string> {
    const { key } = wanted;
    const opening = this.#opening.get(key) ?? this.#listen(wanted);
    this.#opening.set(key, opening);
    opening.catch(() => this.#opening.delete(key));
    return (await opening).address;
  }

  /** Opens missing ports, and closes all others. */
  async keep(all: readonly Wanted[]): Promise<void> {
    const keys = new Set(all.map(({ key }) => key));
    await Promise.all(all.map((one) => this.open(one)));
    await Promise.all([...this.#opening].filter(([key]) => !keys.has(key)).map(([key, opening]) => this.#close(key, opening)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.keep([]);
  }

  async #listen(wanted: Wanted): Promise<Opened<Wanted>> {
    const { key } = wanted;
    const server = this.#serve(wanted);
    await listening(server, this.#numbers[key]);
    const bound = server.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    try {
      if (this.#numbers[key] !== port) replaceJson(this.#file, { ...this.#numbers, [key]: port });
    } catch (error) {
      // Whoever was told of this port would look for it in the next run, too.
      server.close();
      throw error;
    }
    this.#numbers[key] = port;
    const opened = { wanted, server, address: `${loopback}:${port}` };
    this.#opened.set(key, opened);
    this.#told(wanted, opened.address);
    return opened;
  }

  async #close(key: string, opening: Promise<Opened<Wanted>>): Promise<void> {
    this.#opening.delete(key);
    const { server } = await opening;
    this.#opened.delete(key);
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections?.();
    await closed;
  }
}

async function listening(server: Server, before: number | undefined): Promise<void> {
  for (const port of before === undefined ? [0] : [before, 0]) {
    server.listen({ port, host: loopback, backlog: 511 });
    const isOpen = await once(server, "listening").then(
      () => true,
      (error: unknown) => {
        if (port === 0) throw error;
        return false;
      },
    );
    if (isOpen) return;
  }
}
