import type { Moment } from "../states.ts";
import type { Shelf } from "./shelf.ts";
import { type ReplicationRow, replicationRules } from "../tables.ts";

/** Where a rule copies an image to. */
export interface Copy {
  readonly at: Moment;
  readonly shelf: Shelf;
  readonly override: boolean;
  readonly deletion: boolean;
}

/** Where an image goes by the replication rules of its registry. */
export function copyTargets(at: Moment, { registryId, namespace, repository }: Shelf, version: string): Copy[] {
  const { world, region, account, now } = at;
  return world
    .rows(replicationRules, region, account)
    .list(registryId)
    .filter(({ enabled, filters }) => enabled && filters.every((filter) => holds(filter, { name: `${namespace}/${repository}`, version })))
    .map(({ destination, override, deletion }) => ({
      at: { world, account, now, region: destination.region },
      shelf: { registryId: destination.registryId, namespace: destination.namespace, repository },
      override,
      deletion,
    }));
}

/** Everything in this registry is an image; nothing is a chart. */
function holds({ type, value = "" }: ReplicationRow["filters"][number], { name, version }: { name: string; version: string }): boolean {
  if (value === "") return true;
  if (type === "resource") return value === "image";
  return patternOf(value).test(type === "name" ? name : version);
}

/** `*` stands for anything but `/`, `**` for anything. */
function patternOf(pattern: string): RegExp {
  const source = pattern
    .split("**")
    .map((part) => part.split("*").map(literally).join("[^/]*"))
    .join(".*");
  return new RegExp(`^${source}$`, "s");
}

/** A text as a pattern of itself. */
function literally(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
