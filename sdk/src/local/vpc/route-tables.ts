import type { z } from "zod";
import { describeRouteTables, replaceRouteTableAssociation } from "../../catalogue/vpc.ts";
import { type Call, on } from "../behaviour.ts";
import { requireRow } from "../requests/require-row.ts";
import { byId, byParent, exactly, listed, type Listing, partly, tagFilters } from "../requests/listing.ts";
import { routeTables, subnets } from "./tables.ts";

type RouteTableRow = z.output<typeof routeTables.row>;

const listing: Listing<RouteTableRow> = {
  table: routeTables,
  noun: "route table",
  ids: "RouteTableIds",
  filters: {
    "route-table-id": byId(),
    "route-table-name": partly(({ name }) => [name]),
    "vpc-id": byParent(({ vpcId }) => vpcId),
    "association.main": exactly(({ main }) => [String(main)]),
    ...tagFilters<RouteTableRow>(({ tags }) => tags),
  },
};

export const routeTableBehaviours = [
  on(describeRouteTables, (call, { routeTableIds, ...asked }) => {
    const { totalCount, rows } = listed(call, listing, { ids: routeTableIds, ...asked });
    return { totalCount, routeTableSet: recordsOf(call, rows) };
  }),

  on(replaceRouteTableAssociation, (call, { routeTableId, subnetId }) => {
    const routeTable = requireRow(call, routeTables, "route table", routeTableId);
    const subnet = requireRow(call, subnets, "subnet", subnetId);
    if (routeTable.vpcId !== subnet.vpcId)
      throw call.error(
        "UnsupportedOperation.VpcMismatch",
        `route table ${routeTableId} is of ${routeTable.vpcId} and subnet ${subnetId} of ${subnet.vpcId}; a subnet takes a table of its own VPC`,
      );
    call.rows(subnets).update(subnetId, { routeTableId });
    return {};
  }),
];

/** Adds the main route table of a new VPC, which its subnets use by default. */
export function addMainTable(call: Call, vpcId: string): void {
  const row = { id: call.world.newId("rtb", routeTables), vpcId, name: "default", main: true, createdTime: call.timestamp, tags: [] };
  call.rows(routeTables).insert(row, vpcId);
}

/** The main route table of a VPC. */
export function mainTableOf(call: Call, vpcId: string): string {
  const main = call
    .rows(routeTables)
    .list(vpcId)
    .find((routeTable) => routeTable.main);
  if (!main) throw new Error(`${vpcId} has no main route table`);
  return main.id;
}

function recordsOf(call: Call, rows: readonly RouteTableRow[]) {
  const users = [...new Set(rows.map(({ vpcId }) => vpcId))].flatMap((vpcId) => call.rows(subnets).list(vpcId));
  return rows.map(({ id, vpcId, name, main, createdTime, tags }) => ({
    vpcId,
    routeTableId: id,
    routeTableName: name,
    associationSet: users.flatMap(({ id: subnetId, routeTableId }) => (routeTableId === id ? [{ subnetId, routeTableId }] : [])),
    main,
    createdTime,
    tagSet: tags,
  }));
}
