import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

export class ServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly address: string;

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  /** @param args the arguments of Node */
  static async start(
    args: readonly string[],
    place: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<ServerProcess> {
    const child = spawn(process.execPath, args, { ...place, stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(child, "exit").then(([code]: unknown[]) => {
      throw new Error(`node ${args.join(" ")} ended with code ${String(code)} before it printed its address`);
    });
    const [line]: unknown[] = await Promise.race([once(child.stdout, "data"), ended]);
    ended.catch(() => undefined);
    return new ServerProcess(child, String(line).trim());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
