import type { Context } from "../states.ts";
import { manifests, type ManifestRow, registries } from "../tables.ts";

/** What a registry has no room for: what it would hold, and the most that it may; `undefined` if there is room. */
export interface Overflow {
  readonly used: number;
  readonly quota: number;
}

type Content = Pick<ManifestRow, "digest" | "size" | "blobs">;

/** Whether more content fits into a registry. Content that several images have counts once. */
export function overflowOf(at: Context, registryId: string, more: Content): Overflow | undefined {
  const quota = at.world.rows(registries, at.region, at.account).get(registryId)?.quota;
  if (quota === undefined) return undefined;
  const there = at.world
    .rows(manifests, at.region, at.account)
    .list()
    .filter(({ id }) => id.startsWith(`${registryId}/`));
  const sizes = new Map(
    [...there, more].flatMap(
      ({ digest, size, blobs }) => [[digest, size], ...blobs.map((blob) => [blob.digest, blob.size] as const)] as const,
    ),
  );
  const used = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return used > quota ? { used, quota } : undefined;
}
