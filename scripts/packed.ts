import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The tarball of each package that programs install, by its name. They are what is published. */
export type Tarballs = Readonly<Record<"@container-platform/sdk" | "@container-platform/pulumi", string>>;

/** Packs the built packages into a folder that has no others yet. */
export function packInto(folder: string): Tarballs {
  pack(folder, ["sdk", "provider"]);
  return {
    "@container-platform/sdk": tarballIn(folder, "container-platform-sdk"),
    "@container-platform/pulumi": tarballIn(folder, "container-platform-pulumi"),
  };
}

/** Packs the built plugin into a folder. Returns its tarball. */
export function packPluginInto(folder: string): string {
  pack(folder, ["plugin"]);
  return tarballIn(folder, "container-platform-pulumi-plugin");
}

function pack(folder: string, workspaces: readonly string[]): void {
  const args = ["pack", "--silent", ...workspaces.flatMap((name) => ["--workspace", name]), "--pack-destination", folder];
  execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
}

function tarballIn(folder: string, name: string): string {
  const [file] = readdirSync(folder).filter((each) => each.endsWith(".tgz") && each.replace(/-\d.*$/, "") === name);
  if (file === undefined) throw new Error(`npm has packed no ${name}`);
  return join(folder, file);
}
