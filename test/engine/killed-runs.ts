import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import { endOf, type Ended } from "../../sdk/src/cli/user.fixture.ts";
import { mendTornState } from "../../scripts/stack.js";
import { root } from "../support/compiler.ts";
import { isRunning, type Run } from "../support/pulumi.ts";
import type { Stack } from "../support/stack.ts";

export const registry = `
import { RegistryInstance } from "@container-platform/pulumi";
new RegistryInstance("images", { registryName: "team-images", registryType: "basic", deleteBucket: true });
`;
/** The same with an IPv6 block, which takes no tags. */
export const registryAndBlock = `${registry}
import { Ipv6Block, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
new Ipv6Block("block", { vpcId });
`;
/** What the command prints of an orphaned registry. */
export const orphan = /^(tcr-[0-9a-f]{8}) \(RegistryInstance\)\n$/;
export const creations = ["AssignIpv6CidrBlock", "CreateInstance"] as const;

export function carriedOut(stack: Stack, action: string): number {
  return stack.calls().filter((call) => call.action === action && call.code === "").length;
}

/** An `up` whose engine is killed once the platform has carried out some creations, whose responses have not come. */
export async function upKilledIn(stack: Stack, ...actions: readonly string[]): Promise<void> {
  const awaited = actions.map((action) => [action, carriedOut(stack, action) + 1] as const);
  for (const action of actions) stack.faults.add({ operation: { action }, delay: 60_000 });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => awaited.every(([action, count]) => carriedOut(stack, action) === count));
  await killed(run);
  // It may have died while it wrote its state.
  mendTornState(join(stack.folder, "state"));
  await stack.ok("cancel", "--yes");
}

/** Kills the engine and waits, ten seconds at most, until none of its providers runs any more. */
export async function killed(run: Run): Promise<void> {
  const providers = run.providers();
  expect(providers.length).toBeGreaterThan(0);
  run.kill();
  await vi.waitFor(() => expect(providers.filter(isRunning)).toEqual([]), { timeout: 10_000 });
  await sleep(100);
}

const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];

export function command(stack: Stack, ...args: string[]): Promise<Ended> {
  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  return endOf(spawn(process.execPath, [bin, ...args, "--stack", "test"], { cwd: stack.folder, env: stack.environment, stdio }));
}

/** Runs an engine of another place, on a machine that has no `pulumi` on its PATH. */
export function elsewhere(stack: Stack, engine: string, ...args: string[]): Promise<Ended> {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !existsSync(join(folder, "pulumi")));
  const env = { ...stack.environment, PATH: folders.join(delimiter) };
  const all = [...args, "--stack", "test", "--non-interactive", "--color", "never"];
  return endOf(spawn(engine, all, { cwd: stack.folder, env, stdio }));
}

export function engineFolder(): string {
  const found = (process.env["PATH"] ?? "").split(delimiter).find((folder) => existsSync(join(folder, "pulumi")));
  if (found === undefined) throw new Error("there is no engine on the PATH");
  return found;
}
