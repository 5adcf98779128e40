import type { Cloud } from "@container-platform/sdk";
import type { Kind, Wait } from "../definition/definition.ts";
import { holdsUnknown, type Props } from "../schema/values.ts";

type Release = (cloud: Cloud, id: string, wait: Wait) => Promise<unknown>;

/** By type and id, what this run has found to depend on something that is being replaced. */
const holders = new Map<string, Release>();

/**
 * Notes that an input which changes in place is not known yet. During an update, the engine compares with unknowns for one reason:
 * it looks for what goes along with a thing that is deleted before its replacement is made. A thing that is only changed stays,
 * and would hold on to what is deleted.
 */
export function noteHolder(kind: Kind, id: string, known: Props, news: Props): void {
  const releases = Object.entries(kind.rare?.detach ?? {}).flatMap(([key, release]) =>
    release && holdsUnknown(news[key]) ? [release] : [],
  );
  if (releases.length === 0) return;
  holders.set(`${kind.type} ${id}`, async (cloud, of, wait) => {
    for (const release of releases) await release(cloud, known, of, wait);
  });
}

/** Has everything that is going to be changed anyway let go of a thing that is to be deleted. */
export async function haveLetGo(cloud: Cloud, id: string, wait: Wait): Promise<void> {
  for (const release of holders.values()) await release(cloud, id, wait);
}
