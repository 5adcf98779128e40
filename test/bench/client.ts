import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figure } from "./figure.ts";

/** What cpcli costs to start, in milliseconds beyond those that Node needs to do nothing. */
interface Starts {
  /** Prints its version. */
  readonly version: number;
  /** Describes the VPCs of a local world, in process. */
  readonly describe: number;
}

const program = fileURLToPath(new URL("../../sdk/bin/cpcli.cjs", import.meta.url));
const description = [program, "vpc", "DescribeVpcs"];

const rounds = 5;

/** The command-line client. */
export function client(): Figure[] {
  console.error("starting cpcli");
  const starts = startsOfClient(rounds);
  return [
    { name: "cpcli --version, in ms beyond node -e 0", atMost: 40, measured: starts.map(({ version }) => version) },
    { name: "cpcli describes VPCs in process, in ms beyond node -e 0", atMost: 40, measured: starts.map(({ describe }) => describe) },
  ];
}

/** Starts it so many times. The first round warms up: it fills Node's cache of compiled code, and makes the world. */
function startsOfClient(rounds: number): Starts[] {
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
