import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { buildEngine } from "./engine/obtain.js";
import { installPackages } from "./setup.js";
import { inTurn } from "./turn.js";

/** What the set-up says on a machine that lacks something: what is missing, and what to do. */

const folder = mkdtempSync(join(tmpdir(), "missing-"));
const file = join(folder, "file");
const { signal } = new AbortController();
beforeAll(() => writeFileSync(file, ""));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

/** A project with one npm package, which is not installed: no registry can be reached, and npm's cache is in this folder. */
function project(name: string, cache: string) {
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9/");
  vi.stubEnv("npm_config_fetch_retries", "0");
  vi.stubEnv("npm_config_cache", cache);
  const root = join(folder, name);
  const manifest = { name: "project", version: "1.0.0", dependencies: { "@types/none": "1.0.0" } };
  const locked = { version: "1.0.0", resolved: "https://registry.npmjs.org/@types/none/-/none-1.0.0.tgz", integrity: "sha512-AA==" };
  const lock = { ...manifest, lockfileVersion: 3, packages: { "": manifest, "node_modules/@types/none": locked } };
  mkdirSync(root);
  writeFileSync(join(root, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(root, "package-lock.json"), JSON.stringify(lock));
  return root;
}

test("a machine without a network is told so when npm cannot install", async () => {
  await expect(installPackages(project("offline", join(folder, "cache")), signal)).rejects.toThrow(
    /^npm's registry cannot be reached\. Connect this machine to the network, or set npm's `registry` or `proxy` .*, and run the command again\.\n"npm ci" ended with code 1:\n/,
  );
});

test("a home folder that cannot be written is named when npm cannot keep its cache there", async () => {
  await expect(installPackages(project("unwritable", join(file, "cache")), signal)).rejects.toThrow(
    /^npm cannot write a folder that it needs\. Allow it, or set npm_config_cache to .*, and run the command again\.\n"npm ci" ended with code/,
  );
});

test.each([
  ["Allow it, or set XDG_CACHE_HOME to a folder that can be written", "container-platform-pulumi"],
  ["Make a clone where you may write", ".container-platform"],
])("a folder that cannot be written is named, with what to do: %s", async (advice, name) => {
  const unwritable = join(file, name);
  await expect(inTurn(join(unwritable, "engine.lock"), () => Promise.resolve())).rejects.toThrow(
    new RegExp(`^the folder ${unwritable} cannot be written \\(ENOTDIR: .*\\)\\. ${advice}, and run the command again\\.$`),
  );
});

test("a machine without Go is told so before anything is made", async () => {
  const [target, env] = [join(folder, "engine"), { PATH: folder }];
  const order = { env, target, programs: ["pulumi"], signal };
  expect(await buildEngine(order, { root: folder, installed: Promise.resolve(env) })).toBe(
    "build from source: there is no Go on PATH (spawn go ENOENT)",
  );
});
