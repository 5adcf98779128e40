import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { createVpc, describeVpcs } from "@container-platform/sdk/vpc";
import { expect } from "vitest";
import { isReleased } from "../../scripts/engine.js";
import { endOf } from "../../sdk/src/cli/user.fixture.ts";
import { samplesIn } from "../docs/samples.ts";
import { root } from "./compiler.ts";
import { ServerProcess } from "./server-process.ts";
import { surroundings } from "./stack.ts";

/** A reader of docs/get-started/yaml-python-go.md, who has no clone: the plugin of this one is in Git repositories at the page's addresses. */
export class Reader implements AsyncDisposable {
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-reader-")));
  readonly folder = join(this.#home, "shop");
  /** The plugin, as `scripts/plugin-tree.js` writes it. */
  readonly tree: string;
  readonly #server: ServerProcess;
  readonly #world: World;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(server: ServerProcess, served: string, env: NodeJS.ProcessEnv) {
    this.#server = server;
    this.tree = join(served, "tree");
    mkdirSync(this.folder);
    const path = env["PATH"] ?? process.env["PATH"] ?? "";
    this.#env = {
      ...surroundings(this.#home),
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
      HTTPS_PROXY: server.address,
      SSL_CERT_FILE: join(served, "authority.pem"),
      // The machine's own settings of npm are in its own home.
      npm_config_userconfig: join(homedir(), ".npmrc"),
      ...env,
      PATH: isReleased({ PATH: path }) ? path : [pluginHostIn(this.#home), path].join(delimiter),
    };
    this.#world = World.open(join(this.folder, ".container-platform", "world.db"), { timeScale: "instant", seed: "test" });
  }

  /** @param folder an empty one, for the repositories */
  static async create(folder: string, env: NodeJS.ProcessEnv): Promise<Reader> {
    const tree = join(folder, "tree");
    execFileSync(process.execPath, [join(root, "scripts", "plugin-tree.js"), tree]);
    writeRepository(join(folder, "platform", "container-platform-plugin.git"), tree);
    cpSync(tree, join(folder, "tools", "plugin"), { recursive: true });
    writeRepository(join(folder, "platform", "tools.git"), join(folder, "tools"));
    const server = join(import.meta.dirname, "git-server.ts");
    return new Reader(await ServerProcess.start([server, folder, "git.example.com"]), folder, env);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs commands in one shell, in the folder of the project. A failure is an error. */
  async run(...commands: readonly string[]): Promise<string> {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const script = ["set -eux", ...commands].join("\n");
    const { code, stdout, stderr } = await endOf(spawn("bash", ["-c", script], { cwd: this.folder, env: this.#env, stdio }));
    if (code !== 0) throw new Error(`bash ended with ${String(code)}:\n${stdout}${stderr}`);
    return stdout;
  }

  async createVpc(): Promise<string> {
    return (await this.#cloud.call(createVpc, { vpcName: "legacy", cidrBlock: "10.9.0.0/16" })).vpc.vpcId;
  }

  async vpcIds(): Promise<readonly string[]> {
    return (await this.#cloud.call(describeVpcs, {})).vpcSet.map(({ vpcId }) => vpcId);
  }

  get #cloud(): Cloud {
    return new Cloud({ transport: new LocalPlatform(this.#world), region: "eu-frankfurt" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.#world.close();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The commands of Pulumi's in a section of the page. */
export function commandsOf(heading: string): readonly string[] {
  const lines = sampleOf(heading, "text").split("\n");
  return lines.filter((line) => /^(pulumi|export) /.test(line));
}

/** The first sample of a language in a section of the page. */
export function sampleOf(heading: string, language: string): string {
  const page = readFileSync(join(root, "docs", "get-started", "yaml-python-go.md"), "utf8");
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const sample = samplesIn(section).find((one) => one.language === language);
  if (!sample) throw new Error(`the page has no ${language} in "${heading}"`);
  return sample.text;
}

/** From the deployment to the end, as the page has it, once the program is written and the package is added. */
export async function deploy(reader: Reader): Promise<void> {
  const legacy = await reader.createVpc();
  const [exported = "", list = "", imported = "", refresh = "", destroy = ""] = commandsOf("List, import and destroy");
  await reader.run(...commandsOf("Deploy"));
  expect(await reader.run(...commandsOf("Check the result"))).toMatch(/^subnet-\w{8}$/m);
  const ids = (await reader.vpcIds()).toSorted().map((id) => ({ id }));
  expect(JSON.parse(await reader.run(exported, list))).toMatchObject(ids);
  expect(await reader.run(imported.replace("vpc-3f8a0c1e", legacy))).toContain("10.9.0.0/16");
  await reader.run(`${refresh} --expect-no-changes`);
  await reader.run(destroy);
  expect(await reader.vpcIds()).toEqual([]);
}

function writeRepository(bare: string, tree: string): void {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
  const by = ["-c", "user.name=test", "-c", "user.email=test"];
  const git = (...args: readonly string[]) => execFileSync("git", [...by, "--git-dir", bare, "--work-tree", tree, ...args]);
  git("add", "--all", "--force");
  git("commit", "--quiet", "--message=release: add the plugin 0.1.0");
  git("tag", "v0.1.0");
}

/** A folder with a program that the engine takes for Pulumi's language host for Node. */
function pluginHostIn(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const start = `exec "${process.execPath}" "${join(import.meta.dirname, "plugin-host.ts")}"`;
  writeFileSync(join(bin, "pulumi-language-nodejs"), `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  return bin;
}
