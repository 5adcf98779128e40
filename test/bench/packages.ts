import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { root } from "../support/compiler.ts";
import { Stack } from "../support/stack.ts";
import { type Figure, repeated } from "./figure.ts";

const packedSchema = z.array(z.object({ name: z.string(), size: z.number(), unpackedSize: z.number() }));
const loadingSchema = z.object({ time: z.number(), share: z.number() });
const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

const rounds = 5;

/** The packages: their sizes, and the time that each program takes to load them. */
export async function packages(): Promise<Figure[]> {
  console.error("packing");
  const { packed, unpacked, own, unpackedPackages } = installed();
  console.error("loading");
  const required = Array.from({ length: rounds }, () => loading("require"));
  const imported = Array.from({ length: rounds }, () => loading("import"));
  const previews = await repeated(emptyPreview, rounds);
  const completions = await repeated(firstCompletion, rounds);
  return [
    { name: "both packages, packed, in kB", atMost: 1000, measured: [packed] },
    { name: "both packages, unpacked, in kB", atMost: 6000, measured: [unpacked] },
    { name: "packages that are installed with them, without Pulumi's", atMost: 25, measured: [own.length] },
    { name: "these packages, unpacked, in kB", measured: [unpackedPackages] },
    { name: "loading by require, in ms beyond Pulumi", measured: required.map(({ time }) => time) },
    { name: "loading by require, as a share of Pulumi's time", atMost: 0.4, measured: required.map(({ share }) => share) },
    { name: "loading by import, in ms beyond Pulumi", measured: imported.map(({ time }) => time) },
    { name: "loading by import, as a share of Pulumi's time", atMost: 0.4, measured: imported.map(({ share }) => share) },
    { name: "preview of a program that only imports the package, as a multiple of Pulumi's alone", atMost: 1.25, measured: previews },
    { name: "first completion in an editor (tsserver), as a multiple of Pulumi's alone", atMost: 1.25, measured: completions },
  ];
}

/** Sizes of an installation of both packages in kB, and the packages in it besides those of Pulumi, which a program has anyway. */
function installed() {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-bench-"));
  try {
    const args = ["pack", "--json", "--workspace", "sdk", "--workspace", "provider", "--pack-destination", folder];
    const printed = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const packed = packedSchema.parse(JSON.parse(printed));
    const pulumis = withDependencies(join("node_modules", "@pulumi", "pulumi"));
    const others = [...withDependencies("provider"), ...withDependencies("sdk")].filter((place) => place.includes("node_modules"));
    const own = [...new Set(others)].filter((place) => !pulumis.has(place));
    const kilobytes = (bytes: readonly number[]) => bytes.reduce((sum, each) => sum + each, 0) / 1000;
    return {
      packed: kilobytes(packed.map(({ size }) => size)),
      unpacked: kilobytes(packed.map(({ unpackedSize }) => unpackedSize)),
      own,
      unpackedPackages: kilobytes(own.map(sizeOf)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The folders of a package and of all that it depends on, as npm has laid them out in this clone. */
function withDependencies(place: string, found = new Set<string>()): Set<string> {
  if (found.has(place)) return found;
  found.add(place);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, place, "package.json"), "utf8")));
  for (const name of Object.keys(manifest.dependencies)) {
    const at = placeOf(name, place);
    if (at !== undefined) withDependencies(at, found);
  }
  return found;
}

/** Where a package finds another one: in the nearest `node_modules` around it. */
function placeOf(name: string, from: string): string | undefined {
  const place = join(from, "node_modules", name);
  if (existsSync(join(root, place, "package.json"))) return place;
  return from === "." ? undefined : placeOf(name, dirname(from));
}

function sizeOf(place: string): number {
  const names = readdirSync(join(root, place), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => !name.includes("node_modules")).map((name) => statSync(join(root, place, name)));
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
}

/** How long a program takes to load our package once Pulumi's is loaded, in milliseconds, and as a share of what Pulumi's took. */
function loading(how: "import" | "require"): { readonly time: number; readonly share: number } {
  const load = (name: string) => (how === "import" ? `await import("${name}")` : `require("${name}")`);
  const text = `
    const begun = performance.now();
    ${load("@pulumi/pulumi")};
    const between = performance.now();
    ${load("@container-platform/pulumi")};
    const time = performance.now() - between;
    console.log(JSON.stringify({ time, share: time / (between - begun) }));
  `;
  const type = how === "import" ? "--input-type=module" : "--input-type=commonjs";
  return loadingSchema.parse(JSON.parse(execFileSync(process.execPath, [type, "-e", text], { cwd: root, encoding: "utf8" })));
}

/** How long the preview of a program takes that only imports our package, as a multiple of one that only imports Pulumi's. */
async function emptyPreview(round: number): Promise<number> {
  const time = async (name: string) => {
    await using stack = await Stack.create({ program: `import "${name}";\n`, programs: "language-host", unhurried: true });
    const begun = performance.now();
    await stack.preview();
    return performance.now() - begun;
  };
  // Who is first takes turns: it finds the machine's caches cold.
  const first = round % 2 === 0 ? undefined : await time("@pulumi/pulumi");
  const ours = await time("@container-platform/pulumi");
  return ours / (first ?? (await time("@pulumi/pulumi")));
}

/** How long TypeScript's server takes to complete what our package exports, as a multiple of Pulumi's, in a program that has just been opened. */
async function firstCompletion(round: number): Promise<number> {
  const first = round % 2 === 0 ? undefined : await timeOfCompletion("@pulumi/pulumi", "CustomResource");
  const ours = await timeOfCompletion("@container-platform/pulumi", "NodePool");
  return ours / (first ?? (await timeOfCompletion("@pulumi/pulumi", "CustomResource")));
}

/** In milliseconds, from the start of the server. @throws Error if the completion does not offer what the package exports */
async function timeOfCompletion(name: string, exported: string): Promise<number> {
  const file = join(root, "examples", "platform", "completion.ts");
  const text = `import * as it from "${name}";\nit.`;
  const begun = performance.now();
  const server = spawn(process.execPath, [join(root, "node_modules", "typescript", "lib", "tsserver.js")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const ask = (command: string, args: object) =>
      server.stdin.write(`${JSON.stringify({ seq: 1, type: "request", command, arguments: args })}\n`);
    ask("open", { file, fileContent: text, scriptKindName: "TS" });
    ask("completionInfo", { file, line: 2, offset: 4 });
    for await (const line of createInterface({ input: server.stdout })) {
      if (!line.includes('"command":"completionInfo"')) continue;
      if (!line.includes(`"${exported}"`)) throw new Error(`the completion of ${name} does not offer ${exported}: ${line.slice(0, 200)}`);
      return performance.now() - begun;
    }
    throw new Error("TypeScript's server ended without an answer");
  } finally {
    const ended = once(server, "exit");
    server.kill();
    await ended;
  }
}
