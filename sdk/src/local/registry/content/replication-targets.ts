import { fitsPattern } from "../../../formats/pattern.ts";
import type { Context } from "../states.ts";
import type { RepositoryPath } from "./repository-path.ts";
import { type ReplicationRow, replicationRules } from "../tables.ts";

/** A copy that a replication rule makes. */
export interface Copy {
  readonly at: Context;
  readonly path: RepositoryPath;
  readonly override: boolean;
  readonly deletion: boolean;
}

/** The copies of an image that the replication rules of its registry make. */
export function copyTargets(at: Context, { registryId, namespace, repository }: RepositoryPath, version: string): Copy[] {
  const { world, region, account, now } = at;
  return world
    .rows(replicationRules, region, account)
    .list(registryId)
    .filter(({ enabled, filters }) => enabled && filters.every((filter) => holds(filter, { name: `${namespace}/${repository}`, version })))
    .map(({ destination, override, deletion }) => ({
      at: { world, account, now, region: destination.region },
      path: { registryId: destination.registryId, namespace: destination.namespace, repository },
      override,
      deletion,
    }));
}

/** Whether a filter matches an image. Of the resource types, only `image` matches: the local platform has no charts. */
function holds({ type, value = "" }: ReplicationRow["filters"][number], { name, version }: { name: string; version: string }): boolean {
  if (value === "") return true;
  if (type === "resource") return value === "image";
  return fitsPattern(value, type === "name" ? name : version);
}
