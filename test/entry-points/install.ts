import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Tarballs } from "../../scripts/packed.ts";
import { root } from "../support/compiler.ts";

/** What a program asks its package manager for, besides our packages. */
export interface Wanted {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export type Manager = "npm" | "pnpm" | "yarn" | "bun";

const template = "test/entry-points/template";
const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) });

/** What Pulumi's default TypeScript template asks for. */
export const templateWants: Wanted = manifestSchema.parse(JSON.parse(readFileSync(join(root, template, "package.json"), "utf8")));

/** Installs our packages, and what is wanted besides, into a new folder. */
export function install(parent: string, manager: Manager, wanted: Wanted, tarballs: Tarballs): string {
  const folder = mkdtempSync(join(parent, `${manager}-`));
  const ours = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]));
  const manifest = {
    name: "program",
    private: true,
    dependencies: { ...wanted.dependencies, ...ours },
    devDependencies: wanted.devDependencies,
  };
  const write = (name: string, content: unknown) => writeFileSync(join(folder, name), JSON.stringify(content));
  // The SDK is not published yet: npm finds the one at hand for the provider, the others have to be told.
  const chosen = { overrides: ours, resolutions: ours };
  write("package.json", manager === "npm" ? manifest : { ...manifest, ...chosen });
  if (manager === "npm") write("package-lock.json", lockFor(manifest, ours));
  if (manager === "pnpm") write("pnpm-workspace.yaml", { overrides: ours, onlyBuiltDependencies: [] });
  if (manager === "yarn") write(".yarnrc.yml", { nodeLinker: "node-modules", enableScripts: false, enableTelemetry: false });
  const [program, args] = commands[manager];
  run(folder, program, args);
  return folder;
}

const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
const commands: Readonly<Record<Manager, readonly [string, readonly string[]]>> = {
  npm: ["npm", ["install", ...quiet]],
  pnpm: ["npx", ["--yes", "--package=pnpm@^12", "pnpm", "install", "--ignore-scripts"]],
  yarn: ["npx", ["--yes", "--package=@yarnpkg/cli-dist@^4", "yarn", "install"]],
  bun: ["npx", ["--yes", "--package=bun@^1", "bun", "install", "--ignore-scripts"]],
};

function run(folder: string, program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 240_000 });
  } catch (error) {
    const said = error instanceof Error && "stdout" in error && "stderr" in error ? `\n${String(error.stdout)}${String(error.stderr)}` : "";
    throw new Error(`${program} ${args.join(" ")} failed${said}`, { cause: error });
  }
}

const lockSchema = z.looseObject({ packages: z.record(z.string(), z.looseObject({ link: z.boolean().optional() })) });

/**
 * The project's own lock file, for another program: what it names is in npm's cache since the project was installed, so that npm asks no
 * registry. npm leaves out what the program does not need.
 */
function lockFor(manifest: { readonly name: string }, ours: Readonly<Record<string, string>>): unknown {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const entries = Object.entries(lock.packages);
  const under = (place: string) =>
    entries.flatMap(([path, entry]) =>
      path.startsWith(`${place}node_modules/`) && entry.link !== true ? [[path.slice(place.length), entry] as const] : [],
    );
  const packed = entries.flatMap(([, entry]) => {
    const resolved = ours[String(entry["name"])];
    return resolved === undefined ? [] : [[`node_modules/${String(entry["name"])}`, { ...entry, resolved }] as const];
  });
  const packages = Object.fromEntries([["", manifest], ...under(""), ...under(`${template}/`), ...packed]);
  return { ...lock, name: manifest.name, packages };
}
