import { expect } from "vitest";
import { severities } from "../support/host.ts";
import type { Stage } from "./stage.ts";
import type { Creation } from "./tables/creations.ts";

/** Begins to make a thing, and kills the provider once the platform has made it, and before the answer comes. */
export async function killedInCreation(stage: Stage, { type, args, operation, count }: Creation): Promise<void> {
  const before = await count();
  stage.faults.add({ operation: { action: operation.action }, delay: 120_000 });
  const outcome = stage
    .deployment(type)
    .up(args)
    .catch((error: unknown) => error);
  await expect.poll(count, { timeout: 20_000 }).toBe(before + 1);
  await stage.host.restart("SIGKILL");
  expect(await outcome).toBeInstanceOf(Error);
}

/** What the provider tells in the course of some work, to stay: at least one line. */
export async function said(stage: Stage, severity: keyof typeof severities, work: () => Promise<unknown>): Promise<readonly string[]> {
  const since = stage.host.lines.length;
  await work();
  const told = () =>
    stage.host.lines.slice(since).flatMap((line) => (line.severity === severities[severity] && !line.ephemeral ? [line.message] : []));
  await expect.poll(told).not.toEqual([]);
  return told();
}

export function takenOver(id: string): string {
  return `takes over ${id}, which was made by a run that was ended before it could save it`;
}
