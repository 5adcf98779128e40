import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What cpcli costs to start, in milliseconds beyond those that Node needs to do nothing. */
export interface Starts {
  /** Prints its version. */
  readonly version: number;
  /** Describes the VPCs of a local world, in process. */
  readonly describe: number;
}

const program = fileURLToPath(new URL("../../sdk/bin/cpcli.cjs", import.meta.url));
const description = [program, "vpc", "DescribeVpcs"];

/** Starts it so many times. The first round warms up: it fills Node's cache of compiled code, and makes the world. */
export function startsOfClient(rounds: number): Starts[] {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-bench-"));
  const place = { CONTAINER_PLATFORM_ENDPOINT: `local:${join(folder, "world.db")}`, CONTAINER_PLATFORM_REGION: "eu-frankfurt" };
  const timeOf = (...args: readonly string[]) => {
    const begun = performance.now();
    execFileSync(process.execPath, args, { env: { ...process.env, ...place }, stdio: ["ignore", "ignore", "inherit"] });
    return performance.now() - begun;
  };
  const measured = () => {
    const nothing = timeOf("-e", "0");
    return { version: timeOf(program, "--version") - nothing, describe: timeOf(...description) - nothing };
  };
  try {
    measured();
    return Array.from({ length: rounds }, measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
