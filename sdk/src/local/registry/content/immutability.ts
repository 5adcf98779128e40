import type { Context } from "../states.ts";
import { namespaces } from "../tables.ts";
import { patternOf } from "./pattern.ts";
import type { RepositoryPath } from "./repository-path.ts";

/** Whether a tag, once it is pushed, names its image for ever: it is neither moved nor deleted while its namespace says so. */
export function isImmutable({ world, region, account }: Context, { registryId, namespace }: RepositoryPath, tag: string): boolean {
  const patterns = world.rows(namespaces, region, account).get(`${registryId}/${namespace}`)?.immutableTags ?? [];
  return patterns.some((pattern) => patternOf(pattern).test(tag));
}
