import { overlaps } from "../../formats/addresses.ts";
import { snapshotOf, type Snapshot } from "../control/snapshot.ts";
import type { World } from "../store/world.ts";

/** What is true of every world, whatever was called. */

type TableRow = Snapshot["things"][string][number] & { readonly kind: string; readonly row: Readonly<Record<string, unknown>> };

/** Tables whose rows share the id of their parent, or of the machine they are made of. An id with a slash is only unique in its parent. */
const sharing = new Set(["authorities", "whitelists", "nodes"]);

/** Fields that hold ids, with the table that must have a row of that id. */
const references: Readonly<Record<string, string>> = {
  vpcId: "vpcs",
  subnetId: "subnets",
  subnetIds: "subnets",
  eniSubnetIds: "subnets",
  routeTableId: "routeTables",
  securityGroup: "securityGroups",
  securityGroupId: "securityGroups",
  securityGroupIds: "securityGroups",
  clusterId: "clusters",
  poolId: "nodePools",
  registryId: "registries",
  sourceId: "registries",
};

/** The most rows of a table that an account may have in a region. */
const quotas: Readonly<Record<string, number>> = { clusters: 20 };

/** Messages about what is wrong in a world. */
export function violationsIn(world: World): string[] {
  const { things: tables } = snapshotOf(world);
  const all = Object.entries(tables).flatMap(([kind, rows]) =>
    rows.map((stored): TableRow => ({ ...stored, kind, row: Object(stored.row) })),
  );
  const accounts = new Set(
    world
      .prepare("SELECT uin FROM accounts")
      .all()
      .map(({ uin }) => String(uin)),
  );
  const places = Map.groupBy(all, ({ account, region }) => `${account} ${region}`);
  return [
    ...[...places].flatMap(([place, here]) => violationsOfPlace(here, accounts).map((violation) => `${place}: ${violation}`)),
    ...twice(all.filter(({ kind, id }) => !sharing.has(kind) && !id.includes("/")).map(({ id }) => id)).map((id) => `${id} is there twice`),
    ...twice(
      world
        .prepare("SELECT data ->> '$.requestId' AS id FROM audit")
        .all()
        .map(({ id }) => String(id)),
    ).map((id) => `request ${id} is there twice`),
  ];
}

/** Messages about the rows of one account and region. */
function violationsOfPlace(here: readonly TableRow[], accounts: ReadonlySet<string>): string[] {
  const kinds = Map.groupBy(here, ({ kind }) => kind);
  const of = (kind: string) => kinds.get(kind) ?? [];
  const ids = new Set(here.map(({ id }) => id));
  return [
    ...overlapping(of("vpcs"), "cidrBlock"),
    ...overlapping(of("vpcs"), "ipv6CidrBlock"),
    ...[...Map.groupBy(of("subnets"), ({ parent }) => parent).values()].flatMap((siblings) => [
      ...overlapping(siblings, "cidrBlock"),
      ...overlapping(siblings, "ipv6CidrBlock"),
    ]),
    ...here.flatMap(({ kind, id, parent }) =>
      parent === "" || ids.has(parent) || accounts.has(parent) ? [] : [`${kind} ${id} belongs to ${parent}, which is gone`],
    ),
    ...here.flatMap((stored) => lostReferences(stored, (kind, id) => of(kind).some((other) => other.id === id))),
    ...Object.entries(quotas).flatMap(([kind, most]) => (of(kind).length > most ? [`there are ${of(kind).length} ${kind}`] : [])),
  ];
}

function overlapping(rows: readonly TableRow[], field: string): string[] {
  const ranges = rows.flatMap(({ id, row }) => (typeof row[field] === "string" ? [{ id, range: row[field] }] : []));
  return ranges.flatMap((one, index) =>
    ranges
      .slice(index + 1)
      .flatMap((other) => (overlaps(one.range, other.range) ? [`${one.id} ${one.range} overlaps ${other.id} ${other.range}`] : [])),
  );
}

function lostReferences({ kind, id, row }: TableRow, isThere: (kind: string, id: string) => boolean): string[] {
  // A bucket may outlive its registry.
  if (kind === "buckets") return [];
  return Object.entries(row).flatMap(([field, value]) => {
    const target = references[field];
    if (target === undefined) return [];
    const named = [value].flat().filter((one) => typeof one === "string" && one !== "");
    return named.filter((one) => !isThere(target, String(one))).map((one) => `${kind} ${id} names ${field} ${String(one)}, which is gone`);
  });
}

function twice(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}
