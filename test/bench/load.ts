import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";

/** A server that runs in a process of its own, and prints its address. */
export class ServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** @param args what Node is to run */
  static async start(...args: readonly string[]): Promise<ServerProcess> {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const [line]: unknown[] = await once(child.stdout, "data");
    return new ServerProcess(child, String(line).trim());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

export interface Load {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds within which 99 of 100 answers came. */
  readonly slowest: number;
}

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What an answer has to have in it. */
  readonly expected: string;
}

interface LoadOptions {
  readonly connections?: number;
  readonly milliseconds?: number;
  /** Requests a second, evenly over the time; as many as are answered unless given. */
  readonly rate?: number;
}

/**
 * Sends the same request again and again on so many connections, for so many milliseconds. At a given rate, an answer's time counts
 * from the moment at which its request was due, late as it may have been sent: a server that falls behind does not look fast.
 */
export async function loaded(
  url: string,
  { headers, body, expected }: Sent,
  { connections = 32, milliseconds = 2000, rate }: LoadOptions = {},
): Promise<Load> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times: number[] = [];
  const begun = performance.now();
  let requests = 0;
  const nextIsDue = () => (rate === undefined ? performance.now() : begun + (requests++ / rate) * 1000);
  const client = async () => {
    for (let due = nextIsDue(); due - begun < milliseconds; due = nextIsDue()) {
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      const answer = await pool.request({ path: "/", method: "POST", headers, body });
      const text = await answer.body.text();
      times.push(performance.now() - due);
      if (!text.includes(expected)) throw new Error(`${expected} is not in the answer ${text}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = performance.now() - begun;
  await pool.close();
  const sorted = times.toSorted((one, other) => one - other);
  return { rate: (times.length / elapsed) * 1000, slowest: sorted[Math.floor(sorted.length * 0.99)] ?? NaN };
}
