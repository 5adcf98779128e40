import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { programFile } from "./program.fixture.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of cpcli with a home of their own, which is removed after the test. */
export class User {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}) {
    this.home = mkdtempSync(join(tmpdir(), "cpcli-"));
    onTestFinished(() => {
      rmSync(this.home, { recursive: true, force: true });
    });
    const kept = Object.entries(process.env).filter(([name]) => !/^(CONTAINER_PLATFORM_|XDG_)/.test(name));
    this.env = { ...Object.fromEntries(kept), HOME: this.home, ...env };
  }

  /** A path in the home. */
  at(...names: readonly string[]): string {
    return join(this.home, ...names);
  }

  start(...args: readonly string[]): ChildProcessByStdio<Writable, Readable, Readable> {
    return this.#spawned(process.execPath, [programFile, ...args]);
  }

  /** Starts cpcli at a terminal of its own: what it shows there is its output. */
  startAtTerminal(...args: readonly string[]): ChildProcessByStdio<Writable, Readable, Readable> {
    const command = [process.execPath, programFile, ...args].map((word) => `'${word}'`).join(" ");
    return this.#spawned("script", ["-q", "-e", "-E", "always", "-c", command, "/dev/null"]);
  }

  /** Runs cpcli to its end. */
  async run(...args: readonly string[]): Promise<Ended> {
    return this.runWith("", ...args);
  }

  /** Runs cpcli with something on standard input. */
  async runWith(input: string, ...args: readonly string[]): Promise<Ended> {
    const child = this.start(...args);
    child.stdin.on("error", () => undefined).end(input);
    return endOf(child);
  }

  #spawned(command: string, args: readonly string[]): ChildProcessByStdio<Writable, Readable, Readable> {
    const child = spawn(command, args, { cwd: this.home, env: this.env, stdio: ["pipe", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }
}

export async function endOf(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<Ended> {
  const exited = once(child, "exit");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number | null];
  return { code, stdout, stderr };
}
