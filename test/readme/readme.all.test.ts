import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { World } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { samplesIn } from "../docs/samples.ts";
import { root } from "../support/compiler.ts";

const folder = scratchOfFile();

const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = samplesIn(readme);

/** One shell script of all blocks: commands as they are written, and files in the folder where the shell is at that point. */
function script(): string {
  const parts = blocks.map(({ language, title, text }) => {
    if (title !== undefined) return `cat > ${title} <<'END_OF_FILE'\n${text}END_OF_FILE\n`;
    return language === "sh" ? text : `echo "a block of ${language} has no title" >&2; exit 1\n`;
  });
  return `set -euo pipefail\nset -x\n${parts.join("")}`;
}

/** A copy of the clone, in a folder where the README's commands may make others. It uses the packages of this clone. */
function copyOfTheClone(): string {
  const copy = join(folder, "project");
  const left = ["node_modules", ".git", ".container-platform", "test"];
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

test("the program that is shown is the one that the template makes", () => {
  const [program] = blocks.filter(({ title }) => title === "index.ts");
  expect(program?.text).toBe(readFileSync(join(root, "examples", "templates", "typescript", "index.ts"), "utf8"));
});

test("the settings without a default are set where the reader's own program begins", () => {
  const configuration = readFileSync(join(root, "docs", "reference", "configuration.md"), "utf8");
  const needed = new Set([...configuration.matchAll(/^\| `(container-platform:\w+)` .*\| required +\|/gm)].map(([, name = ""]) => name));
  expect([...needed]).toEqual(["container-platform:endpoint", "container-platform:region"]);
  for (const name of needed) expect(ownProgram()).toMatch(new RegExp(`^pulumi config set ${name} \\S+$`, "m"));
});

function ownProgram(): string {
  return /^## Use it in your program\n(.*?)^## /ms.exec(readme)?.[1] ?? "";
}

test("six commands at most lead to the reader's own program, deployed", () => {
  const commands = [...ownProgram().matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text = ""]) => text.trim().split("\n"));
  expect(commands.indexOf("pulumi up --yes")).toBeGreaterThan(0);
  expect(commands.indexOf("pulumi up --yes")).toBeLessThan(6);
});

test("every command and program of the README works as it is written", () => {
  const project = copyOfTheClone();
  writeFileSync(join(folder, "script.sh"), script());
  const home = join(folder, "home");
  mkdirSync(home);
  const cache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
  const kept = Object.entries(process.env).filter(([key]) => !/^(PULUMI|CONTAINER_PLATFORM)_|^npm_(?!config_registry)/.test(key));
  // What npm has fetched before is not asked for again.
  const fetched = { npm_config_cache: cache, npm_config_prefer_offline: "true" };
  // The Node of the machine, which may be too old for a program: not the one that this test was started with.
  const PATH = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.startsWith(join(root, "node_modules")));
  const own = { ...Object.fromEntries(kept), PATH: PATH.join(delimiter) };
  // The engine lives for seconds, in which it need not collect garbage; that the programs compile is shown with those of all pages.
  const quick = { GOGC: "off", GOMEMLIMIT: "1GiB", PULUMI_NODEJS_TRANSPILE_ONLY: "true", PULUMI_SKIP_UPDATE_CHECK: "true" };
  const env = { ...own, ...fetched, ...quick, HOME: home, PULUMI_HOME: join(home, ".pulumi") };
  const { status, stdout, stderr } = spawnSync("bash", [join(folder, "script.sh")], {
    cwd: project,
    env,
    encoding: "utf8",
    timeout: 580_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr });
  expect(stdout).toMatch(/Resources:\s+- \d+ deleted/);
  // npm tells what it does not know of the machine's own settings.
  const warnings = `${stdout}\n${stderr}`.split("\n").filter((line) => /\bwarn/i.test(line) && !line.startsWith("npm warn Unknown"));
  // `destroy` names what stays and is billed.
  const billed =
    /warning: tcr-\w+: its storage bucket .+ was kept and is still billed\. .+deleteBucket: true would have deleted it\) \[Provider\.SideEffect\]$/;
  expect(warnings.filter((line) => !billed.test(line))).toEqual([]);
  expect(warnings.some((line) => billed.test(line))).toBe(true);
  const [, counted = "none"] = /`pulumi up` creates (\d+) resources\./.exec(readme) ?? [];
  expect(stdout).toMatch(new RegExp(`\\+ ${counted} created`));
  const [, onPlatform = ""] = /Four are in Pulumi's state alone: .+ The other (\d+)\s/.exec(readme) ?? [];
  expect(Number(counted)).toBe(Number(onPlatform) + 4);

  // The bucket of a registry, with the images in it, outlives the registry.
  const left = [
    { place: project, tables: [] },
    { place: join(folder, "my-platform"), tables: ["buckets"] },
  ];
  for (const { place, tables } of left) {
    const world = World.open(join(place, ".container-platform", "world.db"));
    const names = world
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name));
    const filled = names.filter((name) => world.prepare(`SELECT 1 FROM "${name}"`).get() !== undefined);
    expect(filled.sort()).toEqual(["accessKeys", "accounts", "audit", ...tables, "clock"]);
    world.close();
  }
}, 600_000);
