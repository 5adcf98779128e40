import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** The program as it was built. */
export const programFile = join(import.meta.dirname, "../../bin/cpcli.js");

/** A folder that goes with the test. */
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
