import { execFile } from "node:child_process";
import { join } from "node:path";

export const program = join(import.meta.dirname, "../../provider/bin/container-platform-review.cjs");

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

interface Given {
  readonly folder: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs the command in a folder. `pulumi` is not on the PATH, unless `env` has another one. */
export function run(args: readonly string[], { folder, input = "", env = {} }: Given): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { cwd: folder, env: { PATH: folder, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** A preview that the engine has made of a change to the example. */
export const fileOf = (name: string): string => join(import.meta.dirname, "recorded", name);
