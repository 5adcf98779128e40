import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const sdk = join(import.meta.dirname, "../..");

/** A folder that goes with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "cpcli-"));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** The program as it is published, made of the sources that are there now; its home is a folder without profiles. */
export class Program {
  readonly #folder: string;
  readonly #home: string;

  private constructor(place: string) {
    this.#folder = place;
    this.#home = join(place, "home");
  }

  static async make(): Promise<Program> {
    const place = mkdtempSync(join(tmpdir(), "cpcli-"));
    for (const part of ["bin", "package.json"]) cpSync(join(sdk, part), join(place, part), { recursive: true });
    mkdirSync(join(place, "home"));
    const bundler = join(sdk, "../scripts/bundle.js");
    await promisify(execFile)(process.execPath, [bundler, join(import.meta.dirname, "main.ts"), join(place, "dist/cpcli")]);
    return new Program(place);
  }

  get file(): string {
    return join(this.#folder, "bin/cpcli.js");
  }

  get home(): string {
    return this.#home;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
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
    return spawn(process.execPath, [this.file, ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
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
