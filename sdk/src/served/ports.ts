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

/** Ports of this machine that stay the same from one run to the next, by what is served there. */
export class RememberedPorts {
  readonly #file: string;
  readonly #ports: Record<string, number>;

  /** @param file where they are remembered */
  constructor(file: string) {
    this.#file = file;
    // Nobody was told of any yet, or the file is broken: new ones are taken.
    this.#ports = jsonInFile(file, z.record(z.string(), z.int())) ?? {};
  }

  /** Has a server listen at the port of the run before, or at another if that is taken. Answers its address, such as `127.0.0.1:5001`. If it cannot be remembered, the server is closed. */
  async listen(server: Server, key: string): Promise<string> {
    await listening(server, this.#ports[key]);
    const bound = server.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    try {
      this.#remember(key, port);
    } catch (error) {
      // Whoever was told of this port would look for it in the next run, too.
      server.close();
      throw error;
    }
    return `${loopback}:${port}`;
  }

  #remember(key: string, port: number): void {
    if (this.#ports[key] === port) return;
    replaceJson(this.#file, { ...this.#ports, [key]: port });
    this.#ports[key] = port;
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
