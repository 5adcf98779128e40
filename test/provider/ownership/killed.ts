import { expect } from "vitest";
import { severities } from "../../support/host.ts";
import type { Stage } from "../stage/stage.ts";
import { type KindName, kinds } from "../../../provider/src/resources/reviews.ts";
import { casesOf } from "../kinds/all.ts";
import type { KeyedCreation, NotedCreation, TaggedCreation } from "../kinds/kind-cases.ts";
import type { Place } from "../stage/place.ts";

export type OfKind<Creation> = Creation & { readonly type: KindName; readonly operation: { readonly action: string } };

export function taggedCreations(place: Place): readonly OfKind<TaggedCreation>[] {
  return kinds.flatMap((type) => {
    const { killed, creates } = casesOf[type];
    return "tagged" in killed ? [{ type, operation: creates.operation, ...killed.tagged(place) }] : [];
  });
}

export function notedCreations(place: Place): readonly OfKind<NotedCreation>[] {
  return kinds.flatMap((type) => {
    const { killed, creates } = casesOf[type];
    return "noted" in killed ? [{ type, operation: creates.operation, ...killed.noted(place) }] : [];
  });
}

export async function keyedCreations(place: Place): Promise<readonly OfKind<KeyedCreation>[]> {
  const all: OfKind<KeyedCreation>[] = [];
  for (const type of kinds) {
    const { killed, creates } = casesOf[type];
    if ("keyed" in killed) all.push({ type, operation: creates.operation, ...(await killed.keyed(place)) });
  }
  return all;
}

/**
 * Begins some creations, and kills the provider once the platform has made the resources, but before the answers come. With `SIGKILL`, Pulumi
 * is killed as well.
 */
export async function killedInCreation(
  stage: Stage,
  by: "SIGKILL" | "SIGTERM",
  ...creations: readonly OfKind<TaggedCreation | KeyedCreation | NotedCreation>[]
): Promise<void> {
  const begun = [];
  for (const { type, args, operation, count } of creations) {
    const before = await count();
    stage.faults.add({ operation: { action: operation.action }, delay: 30_000 });
    begun.push(
      stage
        .deployment(type)
        .up(args)
        .catch((error: unknown) => error),
    );
    await expect.poll(count).toBe(before + 1);
  }
  await stage.host.restart(by);
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

export function recoveryNote(id: string): string {
  return `recovering ${id}, which an interrupted update created but did not save`;
}
