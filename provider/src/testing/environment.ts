import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";

const userSettings = /^(PULUMI|CONTAINER_PLATFORM)_/;

/** The environment of an engine that keeps its files in this folder and works on this platform only. */
export function engineEnvironment(folder: string, endpoint: string, record: string): Record<string, string> {
  const [state, home] = [join(folder, "state"), join(folder, "home")];
  for (const made of [state, home]) mkdirSync(made);
  const plugins = join(process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins");
  // Plugins of other providers are large, so they are linked and not copied.
  if (existsSync(plugins)) symlinkSync(plugins, join(home, "plugins"), "junction");
  return {
    // The folder that Node itself takes by default. The processes of the next engine compile less.
    NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // These win over the program, with the last also over a `Provider` in it that names another platform.
    CONTAINER_PLATFORM_ENDPOINT: endpoint,
    CONTAINER_PLATFORM_RECORD: record,
    CONTAINER_PLATFORM_CONFINED: "true",
  };
}

/** Links this library and Pulumi into a folder, in the versions that this process uses. */
export function linkPackages(folder: string): void {
  const require = createRequire(import.meta.url);
  const packages = {
    "@pulumi/pulumi": dirname(require.resolve("@pulumi/pulumi/package.json")),
    "@container-platform/pulumi": dirname(require.resolve("@container-platform/pulumi/package.json")),
  };
  for (const [name, found] of Object.entries(packages)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(found, link, "junction");
  }
}

// Several stacks may run at the same time: the first removes the settings, and the last restores them.
let running = 0;
let removed: Readonly<Record<string, string | undefined>> = {};

/**
 * Does work while this process has no `PULUMI_…` and `CONTAINER_PLATFORM_…` variables. Engines would inherit them, and a program that
 * runs in this process would read them.
 */
export async function withoutUserSettings<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) {
    removed = Object.fromEntries(Object.entries(process.env).filter(([name]) => userSettings.test(name)));
    for (const name of Object.keys(removed)) Reflect.deleteProperty(process.env, name);
  }
  try {
    return await work();
  } finally {
    if (--running === 0) Object.assign(process.env, removed);
  }
}
