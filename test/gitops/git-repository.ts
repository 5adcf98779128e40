import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { describeSubnets, modifySubnetAttribute } from "@container-platform/sdk/vpc";
import { quickEngine, surroundings } from "../support/stack.ts";

const root = dirname(dirname(import.meta.dirname));

/** A repository with a program, the pipelines and a policy. */
export class GitRepository implements Disposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(program: string, policy: string) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "container-platform-gitops-")));
    this.env = { ...surroundings(this.folder), ...quickEngine };
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
    this.#equip();
    mkdirSync(join(this.folder, "gitops"));
    cpSync(join(root, "examples", "gitops"), join(this.folder, "gitops"), { recursive: true });
    this.write("package-lock.json", "{}");
    const config = { "container-platform:endpoint": { value: "local" }, "container-platform:region": { value: "eu-frankfurt" } };
    this.write(
      "Pulumi.yaml",
      JSON.stringify({ name: "shop", runtime: { name: "nodejs", options: { typescript: false } }, main: "index.ts", config }),
    );
    this.write("package.json", JSON.stringify({ type: "module", private: true }));
    this.write(
      ".gitignore",
      "node_modules\ntools\nartifacts\nvault\ndata\n.container-platform\nhome\nstate\nreview\n.pulumi\n.npm\n.cache\n.config\n",
    );
    this.write("container-platform.policy.yaml", policy);
    this.write("index.ts", program);
    this.git("init", "--quiet", "--initial-branch", "main");
    this.commit("The platform");
  }

  /** What a runner has besides this repository: packages come from this clone, or from the change's own folder; artifacts from a folder. */
  #equip(): void {
    const tools = join(this.folder, "tools");
    mkdirSync(tools);
    const npm = `#!/bin/sh
folder=$PWD
while [ $# -gt 0 ]; do [ "$1" = --prefix ] && folder=$PWD/$2; shift; done
packages=${join(root, "node_modules")}
[ -d "$folder/own-packages" ] && packages=$folder/own-packages
rm -f "$folder/node_modules" && ln -s "$packages" "$folder/node_modules"
`;
    const gh = `#!/bin/sh
[ "$1 $2 $4 $6 $8" = "run download --repo --name --dir" ] && cp -r "${this.folder}/artifacts/$7/." "$9"
`;
    for (const [name, text] of Object.entries({ npm, gh })) writeFileSync(join(tools, name), text, { mode: 0o755 });
    this.env["PATH"] = `${tools}:${this.env["PATH"]}`;
  }

  deploy(): void {
    this.run("pulumi", "stack", "init", "dev");
    this.run("pulumi", "up", "--yes", "--skip-preview", "--non-interactive", "--stack", "dev");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  git(...args: readonly string[]): string {
    return this.run("git", "-c", "user.name=Somebody", "-c", "user.email=somebody@example.com", ...args).trim();
  }

  commit(message: string): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
    return this.git("rev-parse", "HEAD");
  }

  run(command: string, ...args: readonly string[]): string {
    return execFileSync(command, args, { cwd: this.folder, env: this.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  subnets(): Promise<string[]> {
    return this.onPlatform(async (cloud) => (await cloud.call(describeSubnets, {})).subnetSet.map(({ cidrBlock }) => cidrBlock));
  }

  renameSubnet(subnetName: string): Promise<void> {
    return this.onPlatform(async (cloud) => {
      for (const { subnetId } of (await cloud.call(describeSubnets, {})).subnetSet)
        await cloud.call(modifySubnetAttribute, { subnetId, subnetName });
    });
  }

  async onPlatform<Result>(work: (cloud: Cloud) => Promise<Result>): Promise<Result> {
    const world = World.open(join(this.folder, ".container-platform", "world.db"));
    try {
      return await work(new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt" }));
    } finally {
      world.close();
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
