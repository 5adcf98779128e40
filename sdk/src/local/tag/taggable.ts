import { resourceKinds } from "../../formats/resource-name.ts";
import type { Tag } from "../requests/names-and-tags.ts";
import { namespaces, registries, serviceAccounts } from "../registry/tables.ts";
import type { Rows, Table } from "../store/table.ts";
import { securityGroups, subnets, vpcs } from "../vpc/tables.ts";
import type { World } from "../store/world.ts";

/** The region and account of a resource. */
export interface Place {
  readonly region: string;
  readonly account: string;
}

/** A kind of resource whose tags the tag product reads and changes. */
export interface Taggable {
  readonly service: string;
  readonly type: string;
  /** The tags of a resource; `undefined` if it does not exist. */
  readonly tagsOf: (world: World, place: Place, id: string) => readonly Tag[] | undefined;
  readonly setTags: (world: World, place: Place, id: string, tags: readonly Tag[]) => void;
  /** All resources of the kind. */
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

/** A service account, as the public API's clients name it: `<registry>#<account>`, of the type of registries. */
export const serviceAccount: Taggable = {
  ...resourceKinds.registry,
  tagsOf: (world, { region, account }, id) => {
    const row = world.rows(serviceAccounts, region, account).get(accountRow(id));
    return row && (row.tags ?? []);
  },
  setTags: (world, { region, account }, id, tags) => {
    world.rows(serviceAccounts, region, account).update(accountRow(id), { tags: [...tags] });
  },
  all: () => [],
};

function accountRow(id: string): string {
  const [registry = "", account = ""] = id.split("#");
  return `${registry}/reg$${account.replace(/^(tcr|reg)\$/, "")}`;
}

export const taggables: readonly Taggable[] = [
  taggable(resourceKinds.vpc, vpcs, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.subnet, subnets, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.securityGroup, securityGroups, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.registry, registries, (rows, id, tags) => rows.update(id, { tags })),
  taggable(resourceKinds.namespace, namespaces, (rows, id, tags) => rows.update(id, { tags })),
];
