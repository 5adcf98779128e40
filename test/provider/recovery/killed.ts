import { expect } from "vitest";
import { severities } from "../../support/host.ts";
import type { Stage } from "../stage/stage.ts";
import { type KindName, kinds } from "../../../provider/src/resources/reviews.ts";
import { casesOf } from "../kinds/all.ts";
import type { KeyedCreation, TaggedCreation } from "../kinds/kind-cases.ts";
import type { Place } from "../stage/place.ts";

/** A creation, with its kind and the operation that carries it out. */
export type OfKind<Creation> = Creation & { readonly type: KindName; readonly operation: { readonly action: string } };

/** The creations of the kinds that take tags. */
export function taggedCreations(place: Place): readonly OfKind<TaggedCreation>[] {
  return kinds.flatMap((type) => {
    const { killed, creates } = casesOf[type];
    return "tagged" in killed ? [{ type, operation: creates.operation, ...killed.tagged(place) }] : [];
  });
}

/** The creations of the kinds that take no tags, and whose ids follow from their inputs. */
export async function keyedCreations(place: Place): Promise<readonly OfKind<KeyedCreation>[]> {
  const all: OfKind<KeyedCreation>[] = [];
  for (const type of kinds) {
    const { killed, creates } = casesOf[type];
    if ("keyed" in killed) all.push({ type, operation: creates.operation, ...(await killed.keyed(place)) });
  }
  return all;
}

/** Begins some creations, and kills the provider once the platform has made the resources, but before the answers come. */
export async function killedInCreation(stage: Stage, ...creations: readonly OfKind<TaggedCreation | KeyedCreation>[]): Promise<void> {
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
