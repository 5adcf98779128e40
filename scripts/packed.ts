import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The tarball of each package, by its name. They are what is published. */
export type Tarballs = Readonly<Record<"@container-platform/sdk" | "@container-platform/pulumi", string>>;

/** Packs the built packages into a folder that has no others yet. */
export function packInto(folder: string): Tarballs {
  const args = ["pack", "--silent", "--workspace", "sdk", "--workspace", "provider", "--pack-destination", folder];
  execFileSync("npm", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
  const tarball = (prefix: string) => {
    const [file] = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith(".tgz"));
    if (file === undefined) throw new Error(`npm has packed no ${prefix}`);
    return join(folder, file);
  };
  return {
    "@container-platform/sdk": tarball("container-platform-sdk-"),
    "@container-platform/pulumi": tarball("container-platform-pulumi-"),
  };
}
