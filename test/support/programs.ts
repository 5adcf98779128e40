import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const program = new URL("program-server.ts", import.meta.url).pathname;

/** The process of `program-server.ts`. */
export class ProgramServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** Where the engine asks for the program to be run. */
  readonly address: string;

  private constructor(child: ChildProcess, port: string) {
    this.#child = child;
    this.address = `127.0.0.1:${port}`;
  }

  static async start(folder: string, env: NodeJS.ProcessEnv): Promise<ProgramServer> {
    const child = spawn(process.execPath, [program, folder], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(child, "exit").then(() => {
      throw new Error(`the process for the programs of ${folder} ended before it had begun`);
    });
    const [line]: unknown[] = await Promise.race([once(child.stdout, "data"), ended]);
    ended.catch(() => undefined);
    return new ProgramServer(child, String(line).trim());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    if (this.#child.exitCode === null && this.#child.kill("SIGKILL")) await ended;
  }
}
