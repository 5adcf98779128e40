import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "@container-platform/sdk/cli";
import * as z from "@container-platform/sdk/zod";
import { fromPulumi, type StackName } from "./stack.ts";

const listing = z.array(z.object({ name: z.string(), updateInProgress: z.boolean().default(false) }));
const backend = z.object({ url: z.string() });
const lockFile = z.object({ pid: z.number(), username: z.string(), hostname: z.string() });

/**
 * Pulumi Cloud lists which stacks are being updated, and a backend of files has a file for each lock. Others, such as a bucket, cannot be asked.
 *
 * @throws UsageError if an update of the stack is running
 */
export async function refuseWhileLocked({ stack, project }: StackName): Promise<void> {
  const [stacks, { url }] = await Promise.all([
    fromPulumi(["stack", "ls", "--json", "--fully-qualify-stack-names"]).then((text) => listing.parse(JSON.parse(text))),
    fromPulumi(["whoami", "--json"]).then((text) => backend.parse(JSON.parse(text))),
  ]);
  const isUpdated = stacks.some(({ name, updateInProgress }) => updateInProgress && name.endsWith(`/${project}/${stack}`));
  const [file] = url.startsWith("file://") ? lockFiles(join(folderOf(url), ".pulumi", "locks"), project, stack) : [];
  if (!isUpdated && file === undefined) return;
  throw new UsageError(
    `--delete: the stack ${stack} is locked${file === undefined ? "" : ownerIn(file)}: another update may be creating these resources`,
    "Wait for that update to end, then run this again. If it was killed, `pulumi cancel` removes its lock.",
  );
}

/** Backends that were made by versions of Pulumi before 3.61 keep their stacks without the project. */
function lockFiles(locks: string, project: string, stack: string): readonly string[] {
  return [join(locks, "organization", project, stack), join(locks, stack)]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .map((name) => join(folder, name)),
    );
}

/** The folder of a backend of files, as Pulumi finds it: relative to the current folder, or to the user's own. */
function folderOf(url: string): string {
  const [path = ""] = url.slice("file://".length).split("?");
  if (path.startsWith("/")) return fileURLToPath(`file://${path}`);
  const [first, ...others] = decodeURIComponent(path).split("/");
  return first === "~" ? join(homedir(), ...others) : resolve(first ?? "", ...others);
}

/** Who holds a lock, in words. Its file may just have been removed, or not be whole yet. */
function ownerIn(file: string): string {
  try {
    const { pid, username, hostname } = lockFile.parse(JSON.parse(readFileSync(file, "utf8")));
    return ` by process ${pid} of ${username} on ${hostname}`;
  } catch {
    return ` by ${file}`;
  }
}
