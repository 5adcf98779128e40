import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { accessKeyOf, World } from "@container-platform/sdk/local";
import { serve } from "@container-platform/sdk/server";

const program = fileURLToPath(new URL("../../sdk/bin/cpcli.cjs", import.meta.url));

export interface Ran {
  /** The exit code, or the signal that ended it. */
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** The ways in which the client reaches a world. */
export const ways = ["in process", "over HTTP"] as const;
export type Way = (typeof ways)[number];

/** The command-line client as a user runs it, and a world that it calls. */
export class Client implements AsyncDisposable {
  readonly folder: string;
  readonly world: World;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #close: () => Promise<void>;

  private constructor(folder: string, world: World, environment: Readonly<Record<string, string>>, close: () => Promise<void>) {
    this.folder = folder;
    this.world = world;
    this.#environment = environment;
    this.#close = close;
  }

  static async open(way: Way): Promise<Client> {
    const folder = mkdtempSync(join(tmpdir(), "container-platform-client-"));
    const file = join(folder, "world.db");
    const world = World.open(file, { timeScale: "instant", seed: "specification" });
    const server = way === "over HTTP" ? await serve(world) : undefined;
    const { secretId, secretKey } = accessKeyOf(world);
    const keys = { CONTAINER_PLATFORM_SECRET_ID: secretId, CONTAINER_PLATFORM_SECRET_KEY: secretKey };
    const place = server ? { ...keys, CONTAINER_PLATFORM_ENDPOINT: server.url } : { CONTAINER_PLATFORM_ENDPOINT: `local:${file}` };
    return new Client(folder, world, { ...place, CONTAINER_PLATFORM_REGION: "eu-frankfurt" }, async () => {
      await server?.close();
      world.close();
      rmSync(folder, { recursive: true });
    });
  }

  /** Runs a command line to its end. */
  async run(...args: readonly string[]): Promise<Ran> {
    const env = { PATH: process.env["PATH"], HOME: this.folder, ...this.#environment };
    const child = spawn(process.execPath, [program, ...args], { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: code ?? signal, stdout, stderr };
  }

  /** What a command line prints. Fails if it does not succeed. */
  async printed(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`cpcli ${args.join(" ")} ended with ${String(code)}: ${stderr}`);
    return stdout;
  }

  /** Writes a file, and returns its name as options take it. */
  file(name: string, content: string): string {
    writeFileSync(join(this.folder, name), content);
    return `file://${join(this.folder, name)}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}
