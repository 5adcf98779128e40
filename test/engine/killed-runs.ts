import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import { root } from "../support/compiler.ts";
import { isRunning, type Run } from "../support/pulumi.ts";
import type { Stack } from "../support/stack.ts";

/** A program with a network, and what comes after it. */
export const network = `
import { RegistryInstance, Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" });
const first = new Subnet("zone-1", { vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" });
const second = new Subnet("zone-2", { vpcId, cidrBlock: "10.0.2.0/24", zone: "eu-frankfurt-2" });
const dependsOn = [first, second];
`;
export function carriedOut(stack: Stack, action: string): number {
  return stack.calls().filter((call) => call.action === action && call.code === "").length;
}

/** An `up` that is killed once the platform has carried out some creations, whose answers have not come. */
export async function upKilledIn(stack: Stack, ...actions: readonly string[]): Promise<void> {
  const awaited = actions.map((action) => [action, carriedOut(stack, action) + 1] as const);
  for (const action of actions) stack.faults.add({ operation: { action }, delay: 60_000 });
  const run = stack.start("up", "--yes", "--skip-preview");
  await run.until(() => awaited.every(([action, count]) => carriedOut(stack, action) === count));
  await killed(run);
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

/** Runs the command in the folder of a stack. */
export async function command(
  stack: Stack,
  ...args: string[]
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const bin = join(root, "provider", "bin", "container-platform-import.cjs");
  const child = spawn(process.execPath, [bin, ...args, "--stack", "test"], {
    cwd: stack.folder,
    env: stack.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status: Number(status), stdout, stderr };
}

/** Runs an engine of another place, on a machine that has no `pulumi` on its PATH. */
export async function elsewhere(
  stack: Stack,
  engine: string,
  ...args: string[]
): Promise<{ readonly status: number; readonly output: string }> {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !existsSync(join(folder, "pulumi")));
  const child = spawn(engine, [...args, "--stack", "test", "--non-interactive", "--color", "never"], {
    cwd: stack.folder,
    env: { ...stack.environment, PATH: folders.join(delimiter) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status: Number(status), output: stdout + stderr };
}

/** The folder of the engine and of the programs that it starts. */
export function engineFolder(): string {
  const found = (process.env["PATH"] ?? "").split(delimiter).find((folder) => existsSync(join(folder, "pulumi")));
  if (found === undefined) throw new Error("there is no engine on the PATH");
  return found;
}
