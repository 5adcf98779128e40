import { resourceKinds } from "../../formats/resource-name.ts";
import type { Tag } from "../naming.ts";
import { namespaces, registries } from "../registry/tables.ts";
import type { Rows, Table } from "../store/table.ts";
import { securityGroups, subnets, vpcs } from "../vpc/tables.ts";
import type { World } from "../store/world.ts";

/** Where a thing is: whose, and in which region. */
export interface Place {
  readonly region: string;
  readonly account: string;
}

/** A kind of thing that takes tags of the tag product. */
export interface Taggable {
  readonly service: string;
  readonly type: string;
  /** Its tags; `undefined` if there is no such thing. */
  readonly tagsOf: (world: World, place: Place, id: string) => readonly Tag[] | undefined;
  readonly setTags: (world: World, place: Place, id: string, tags: readonly Tag[]) => void;
  /** Every thing of the kind. */
  readonly all: (world: World, place: Place) => readonly { readonly id: string; readonly tags: readonly Tag[] }[];
}

function taggable<Row extends { id: string; tags: Tag[] }>(
  { service, type }: { service: string; type: string },
  of: Table<Row>,
  set: (rows: Rows<Row>, id: string, tags: Tag[]) => void,
): Taggable {
  return {
    service,
    type,
    tagsOf: (world, { region, account }, id) => world.rows(of, region, account).get(id)?.tags,
    setTags: (world, { region, account }, id, tags) => {
      set(world.rows(of, region, account), id, [...tags]);
    },
    all: (world, { region, account }) => world.rows(of, region, account).list(),
  };
}

export const taggables: readonly Taggable[] = [
  taggable(resourceKinds.vpc, vpcs, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.subnet, subnets, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.securityGroup, securityGroups, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.registry, registries, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.namespace, namespaces, (rows, id, tags) => rows.update(id, { tags })),
];
