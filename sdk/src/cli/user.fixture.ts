import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";

export const programFile = join(import.meta.dirname, "../../bin/cpcli.cjs");

/** The environment of a user whose world is a file in their home. */
export const ownWorld = { CONTAINER_PLATFORM_ENDPOINT: "local:world.db", CONTAINER_PLATFORM_REGION: "eu-frankfurt" };

export function keyIn({ secretId, secretKey } = { secretId: "id", secretKey: "key" }) {
  return { CONTAINER_PLATFORM_SECRET_ID: secretId, CONTAINER_PLATFORM_SECRET_KEY: secretKey };
}

export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A user of cpcli with a home of their own, which is removed after the test. */
export class User {
  readonly home: string;
  readonly env: Record<string, string>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.home = mkdtempSync(join(tmpdir(), "cpcli-"));
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
    this.env = { HOME: this.home, ...env };
    for (const [name, value] of Object.entries(process.env))
      if (value !== undefined && !/^(CONTAINER_PLATFORM_|XDG_)/.test(name)) this.env[name] ??= value;
  }

  at(...names: readonly string[]): string {
    return join(this.home, ...names);
  }

  start(...args: readonly string[]): Child {
    return this.#spawned(process.execPath, [programFile, ...args]);
  }

  /** Starts cpcli at a terminal of its own: what it shows there is its output. */
  startAtTerminal(...args: readonly string[]): Child {
    const command = [process.execPath, programFile, ...args].map((word) => `'${word}'`).join(" ");
    return this.#spawned("script", ["-q", "-e", "-E", "always", "-c", command, "/dev/null"]);
  }

  /** Carries a command line out, in a process that the tests share: it is started once, not for each. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.runWith("", ...args);
  }

  /** The same with something on standard input. */
  runWith(input: string, ...args: readonly string[]): Promise<Ended> {
    return carriedOut({ args, cwd: this.home, env: this.env, input });
  }

  /** Runs cpcli itself to its end, with something on standard input. */
  async runAlone(args: readonly string[], input = ""): Promise<Ended> {
    const child = this.start(...args);
    child.stdin.on("error", () => undefined).end(input);
    return endOf(child);
  }

  #spawned(command: string, args: readonly string[]): Child {
    const child = spawn(command, args, { cwd: this.home, env: this.env, stdio: ["pipe", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }
}

/** A command line, its exit code, and the words for it: on stdout if it succeeds, and otherwise on stderr, with nothing on the other. */
export type Told = [line: string, code: number, says: RegExp];

export async function expectTold(user: User, ...[line, code, says]: Told): Promise<void> {
  const { stdout, stderr, ...ended } = await user.run(...line.split(" ").filter(Boolean));
  expect([ended.code, code === 0 ? stderr : stdout]).toEqual([code, ""]);
  expect(code === 0 ? stdout : stderr).toMatch(says);
}

export async function endOf(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<Ended> {
  const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code ?? signal, stdout, stderr };
}

/** The process that carries out many command lines, one after the other. It ends with this one. */
class Lines {
  readonly #child = spawn(process.execPath, [join(import.meta.dirname, "lines.fixture.ts")], { stdio: ["pipe", "pipe", "pipe"] });
  readonly #stdout = partsOf(this.#child.stdout);
  readonly #stderr = partsOf(this.#child.stderr);
  #turn: Promise<unknown> = Promise.resolve();

  constructor() {
    this.#child.unref();
    for (const stream of this.#child.stdio) if (stream instanceof Socket) stream.unref();
  }

  run(line: object): Promise<Ended> {
    const ran = this.#turn.then(async () => {
      this.#child.stdin.write(`${JSON.stringify(line)}\n`);
      const [stderr, stdout, code] = [await next(this.#stderr), await next(this.#stdout), await next(this.#stdout)];
      return { code: Number(code), stdout, stderr };
    });
    this.#turn = ran.catch(() => undefined);
    return ran;
  }
}

let lines: Lines | undefined;

function carriedOut(line: object): Promise<Ended> {
  return (lines ??= new Lines()).run(line);
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
