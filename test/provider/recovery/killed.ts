import { expect } from "vitest";
import { severities } from "../../support/host.ts";
import type { Stage } from "../stage/stage.ts";
import type { Creation } from "../tables/creations.ts";

/** Begins some creations, and kills the provider once the platform has made the resources, but before the answers come. */
export async function killedInCreation(stage: Stage, ...creations: readonly Creation[]): Promise<void> {
  const begun = [];
  for (const { type, args, operation, count } of creations) {
    const before = await count();
    stage.faults.add({ operation: { action: operation.action }, delay: 120_000 });
    begun.push(
      stage
        .deployment(type)
        .up(args)
        .catch((error: unknown) => error),
    );
    await expect.poll(count).toBe(before + 1);
  }
  await stage.host.restart("SIGKILL");
  for (const outcome of await Promise.all(begun)) expect(outcome).toBeInstanceOf(Error);
}

/** The permanent lines of a severity that the provider shows during some work. There has to be at least one. */
export async function linesShown(
  stage: Stage,
  severity: keyof typeof severities,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const since = stage.host.lines.length;
  await work();
  const shown = () =>
    stage.host.lines.slice(since).flatMap((line) => (line.severity === severities[severity] && !line.ephemeral ? [line.message] : []));
  await expect.poll(shown).not.toEqual([]);
  return shown();
}

export function takeOverNote(id: string): string {
  return `takes over ${id}, which was made by a run that was ended before it could save it`;
}
