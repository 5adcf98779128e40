import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const others = /^(PULUMI|CONTAINER_PLATFORM)_/;

/** What an engine is told in its environment: all that it keeps goes into this folder, and every resource onto this platform. */
export function surroundingsIn(folder: string, platform: { readonly endpoint: string; readonly record: string }): Record<string, string> {
  const [state, home] = [join(folder, "state"), join(folder, "home")];
  for (const made of [state, home]) mkdirSync(made);
  const plugins = join(process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins");
  // Of other providers that the program uses: they are large, and stay where they are.
  if (existsSync(plugins)) linkFolder(plugins, join(home, "plugins"));
  return {
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // These win over the program, also over a `Provider` in it that names another platform.
    CONTAINER_PLATFORM_ENDPOINT: platform.endpoint,
    CONTAINER_PLATFORM_RECORD: platform.record,
  };
}

/** Makes this library and Pulumi be found from a folder, as those that this process uses. */
export function linkPackages(folder: string): void {
  const require = createRequire(import.meta.url);
  const packages = {
    "@pulumi/pulumi": dirname(require.resolve("@pulumi/pulumi/package.json")),
    "@container-platform/pulumi": dirname(require.resolve("@container-platform/pulumi/package.json")),
  };
  for (const [name, found] of Object.entries(packages)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    linkFolder(found, link);
  }
}

function linkFolder(found: string, link: string): void {
  symlinkSync(found, link, "junction");
}

let apart = 0;
let kept: Readonly<Record<string, string | undefined>> = {};

/**
 * Does work during which this process has no `PULUMI_…` and `CONTAINER_PLATFORM_…` in its environment: engines inherit it, and a
 * program that runs in this process reads it.
 */
export async function apartFromOthers<T>(work: () => Promise<T>): Promise<T> {
  if (apart++ === 0) {
    kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => others.test(name)));
    for (const name of Object.keys(kept)) Reflect.deleteProperty(process.env, name);
  }
  try {
    return await work();
  } finally {
    if (--apart === 0) Object.assign(process.env, kept);
  }
}
