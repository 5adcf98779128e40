import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import { program } from "./world-place.ts";
import { there, thereOf, timeOfNode } from "./yardstick.ts";

/** Starts swing with whatever else the machine does: the median of a few says little. */
const rounds = 15;

export function client(): Figure[] {
  console.error("starting cpcli");
  const starts = startsOfClient();
  return [
    { name: `cpcli --version, beyond node -e 0, ${there}`, atMost: 40, measured: starts.map(({ version }) => version) },
    {
      name: `cpcli describes VPCs in process, beyond node -e 0, ${there}`,
      atMost: 40,
      missed:
        "Half of the time is finding, linking and evaluating modules; a third of this half is building the schemas of one operation. A tenth is writing the audit log of the emulator's database, and a tenth is garbage collection.",
      measured: starts.map(({ describe }) => describe),
    },
  ];
}

/**
 * What starting it costs to print its version and to describe the VPCs of a local world, in milliseconds of the machine of the goals, beyond
 * those that Node needs to do nothing. The first round warms up: it fills Node's cache of compiled code, and makes the world.
 */
function startsOfClient() {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-bench-"));
  const place = { CONTAINER_PLATFORM_ENDPOINT: `local:${join(folder, "world.db")}`, CONTAINER_PLATFORM_REGION: "eu-frankfurt" };
  const env = { ...process.env, ...place };
  const measured = () => {
    const nothing = timeOfNode(["-e", "0"], env);
    const beyond = (args: readonly string[]) => thereOf(timeOfNode(args, env) - nothing, nothing);
    return { version: beyond([program, "--version"]), describe: beyond([program, "vpc", "DescribeVpcs"]) };
  };
  try {
    measured();
    return Array.from({ length: rounds }, measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
