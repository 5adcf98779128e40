import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** The built program. */
export const programFile = join(import.meta.dirname, "../../bin/cpcli.cjs");

/** A folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "cpcli-"));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** The program, with a home that has no profiles. */
export class Program {
  readonly #home = mkdtempSync(join(tmpdir(), "cpcli-"));

  get home(): string {
    return this.#home;
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** Runs a command line to its end. */
  async run(args: readonly string[], given: Given = {}): Promise<Ran> {
    const child = this.start(args, given);
    child.stdin.on("error", () => undefined).end(given.input ?? "");
    const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: code ?? signal, stdout, stderr };
  }

  start(args: readonly string[], { environment = {}, cwd = this.#home }: Given = {}): Child {
    const { PATH } = process.env;
    const env = { PATH, HOME: this.#home, XDG_STATE_HOME: join(this.#home, "state"), ...environment };
    return spawn(process.execPath, [programFile, ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  }
}

type Child = ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };

interface Given {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What it reads from the standard input. */
  readonly input?: string;
}

export interface Ran {
  /** The exit code, or the signal that ended it. */
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Many command lines in one process, one after the other. */
export class Lines {
  readonly #child: Child;
  readonly #stdout: AsyncIterator<string>;
  readonly #stderr: AsyncIterator<string>;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(home: string) {
    const env = { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(home, "state") };
    const program = join(import.meta.dirname, "lines.fixture.ts");
    this.#child = spawn(process.execPath, [program], { cwd: home, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#stdout = partsOf(this.#child.stdout);
    this.#stderr = partsOf(this.#child.stderr);
  }

  run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const ran = this.#turn.then(async () => {
      this.#child.stdin.write(`${JSON.stringify({ args, environment })}\n`);
      const [stderr, stdout, code] = [await next(this.#stderr), await next(this.#stdout), await next(this.#stdout)];
      return { code: Number(code), stdout, stderr };
    });
    this.#turn = ran.catch(() => undefined);
    return ran;
  }

  end(): void {
    this.#child.kill();
  }
}

/** The parts of a stream, each of which ends with a NUL. */
async function* partsOf(stream: Readable): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const parts = `${rest}${String(chunk)}`.split("\0");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  return undefined;
}

async function next(parts: AsyncIterator<string>): Promise<string> {
  const { done, value } = await parts.next();
  if (done) throw new Error("the process for command lines has ended");
  return value;
}
