import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { root } from "../support/compiler.ts";

const manifestSchema = z.object({
  name: z.string(),
  bin: z.record(z.string(), z.string()),
  exports: z.record(z.string(), z.union([z.string(), z.object({ import: z.string(), require: z.string() })])),
});
const packages = ["sdk", "provider", "plugin"].map((folder) => ({
  folder,
  ...manifestSchema.parse(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))),
}));
const entryPoints = packages.flatMap(({ name, exports }) =>
  Object.entries(exports).flatMap(([path, entryPoint]) => (typeof entryPoint === "string" ? [] : [`${name}${path.slice(1)}`])),
);
const programs = [
  ...packages.flatMap(({ folder, bin }) => Object.entries(bin).map(([name, file]) => ({ name, file: join(root, folder, file) }))),
  { name: "the policy pack", file: join(root, "provider/policy-pack/start") },
];

function printed(text: string, options: readonly string[] = [], node = process.execPath): unknown {
  return JSON.parse(execFileSync(node, [...options, "-e", text], { cwd: root, encoding: "utf8" }));
}

test("what is required is what is imported", () => {
  const different = printed(`
    const compared = ${JSON.stringify(entryPoints)}.map(async (entryPoint) => {
      const [required, imported] = [require(entryPoint), await import(entryPoint)];
      const names = [...new Set([...Object.keys(required), ...Object.keys(imported)])];
      return names.length === 0 ? [entryPoint] : names.filter((name) => required[name] !== imported[name]).map((name) => entryPoint + " " + name);
    });
    Promise.all(compared).then((all) => console.log(JSON.stringify(all.flat())));
  `);
  expect(different).toEqual([]);
});

/** The Node with which this project was started, if it is too old for the packages. */
function ownNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const { status, stdout } = spawnSync("node", ["-p", "process.execPath"], { env: { PATH: folders.join(delimiter) }, encoding: "utf8" });
  const found = status === 0 ? stdout.trim() : "";
  const version = found === "" ? [] : execFileSync(found, ["-p", "process.versions.node"], { encoding: "utf8" }).split(".").map(Number);
  const [major = Infinity, minor = Infinity] = version;
  return major < 22 || (major === 22 && minor < 19) ? found : undefined;
}

const old = ownNode();
const pretended = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})`;
const nodes = [
  { which: "a Node that says that it is old", node: process.execPath, options: ["--import", pretended] },
  ...(old === undefined ? [] : [{ which: "the old Node of this machine", node: old, options: [] }]),
];
const sentence =
  /^@container-platform\/(sdk|pulumi|pulumi-plugin) needs Node 22\.19 or newer, and this is \d+\.\d+\.\d+: get one at https:\/\/nodejs\.org\/en\/download and run the command again \(in a clone of the project, `npm run up` brings its own\)$/;

test.each(nodes)("$which: every entry point and every program says in a sentence what it needs", ({ node, options }) => {
  const said = printed(
    `
    const failure = async (load) => { try { await load(); return "loaded"; } catch (error) { return error.message; } };
    const tried = ${JSON.stringify(entryPoints)}.flatMap((entryPoint) => [failure(() => require(entryPoint)), failure(() => import(entryPoint))]);
    Promise.all(tried).then((all) => console.log(JSON.stringify(all)));
  `,
    options,
    node,
  );
  expect(said).toEqual(Array.from({ length: 2 * entryPoints.length }, (): unknown => expect.stringMatching(sentence)));

  for (const { name, file } of programs) {
    const { status, stderr, stdout } = spawnSync(node, [...options, file, "--help"], { cwd: root, encoding: "utf8" });
    const [line = "", ...others] = stderr.trim().split("\n");
    expect({ name, status, stdout, others }).toEqual({ name, status: 1, stdout: "", others: [] });
    expect(line.replace(`${name}: `, "")).toMatch(sentence);
  }
});
