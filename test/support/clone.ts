import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endOf } from "../../sdk/src/cli/user.fixture.ts";
import { root } from "./compiler.ts";
import { quickEngine } from "./stack.ts";

const kept = Object.entries(process.env).filter(([key]) => !/^(PULUMI|CONTAINER_PLATFORM)_/.test(key));

/** A clone of the project, in which `npm run up` and `npm run down` have a stack and a platform of their own. It has this clone's packages. */
export class Clone {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-clone-")));
  readonly #env: NodeJS.ProcessEnv;

  constructor() {
    for (const part of ["scripts", "package.json", "examples", "Pulumi.yaml"])
      cpSync(join(root, part), join(this.folder, part), { recursive: true });
    for (const part of ["node_modules", "sdk", "provider"]) symlinkSync(join(root, part), join(this.folder, part));
    // What a killed engine leaves in the folder of temporary files goes with the clone.
    this.#env = { ...Object.fromEntries(kept), TMPDIR: this.folder, CONTAINER_PLATFORM_SET_UP: this.folder, ...quickEngine };
  }

  start(script: string, ...args: readonly string[]) {
    const all = [join(this.folder, "scripts", script), ...args];
    return spawn(process.execPath, all, { cwd: this.folder, env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
  }

  async run(script: string, ...args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
    const { code, stdout, stderr } = await endOf(this.start(script, ...args));
    return { code, output: stdout + stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
