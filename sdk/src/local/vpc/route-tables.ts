import type { z } from "zod";
import * as operations from "../../catalogue/vpc.ts";
import type { routeErrors } from "../../catalogue/vpc/route-tables.ts";
import { addressFamily, canonicalCidr, contains, parseCidr } from "../../formats/addresses.ts";
import { networkQuotas } from "../../rules/network.ts";
import { type Call, type CallOf, on } from "../behaviour.ts";
import { instances } from "../compute/tables.ts";
import { byId, byParent, listed, type Listing, partly, requireRow, tagFilters, whether } from "../requests/listing.ts";
import { firstFew, refuseName, refuseTags } from "../requests/names-and-tags.ts";
import { natGateways, type RouteRow, type RouteTableRow, routeTables, subnets, vpcs } from "./tables.ts";

const listing: Listing<RouteTableRow> = {
  table: routeTables,
  noun: "route table",
  ids: "RouteTableIds",
  filters: {
    "route-table-id": byId,
    "route-table-name": partly(({ name }) => [name]),
    "vpc-id": byParent(({ vpcId }) => vpcId),
    "association.main": whether(({ main }) => main),
    ...tagFilters,
  },
};

function added(call: Call, row: Pick<RouteTableRow, "vpcId" | "name" | "main" | "tags">): RouteTableRow {
  const id = call.world.newId("rtb", routeTables);
  return call.rows(routeTables).insert({ id, createdTime: call.timestamp, routes: [], ...row }, row.vpcId);
}

/** Adds the main route table of a new VPC, which its subnets use by default. */
export function addMainTable(call: Call, vpcId: string): void {
  added(call, { vpcId, name: "default", main: true, tags: [] });
}

/** The main route table of a VPC. */
export function mainTableOf(call: Call, vpcId: string): string {
  const main = call.list(routeTables, vpcId).find((routeTable) => routeTable.main);
  if (!main) throw new Error(`${vpcId} has no main route table`);
  return main.id;
}

/** Deletes the routes of a VPC that lead to a gateway. */
export function removeRoutesTo(call: Call, vpcId: string, gatewayId: string): void {
  for (const { id, routes } of call.list(routeTables, vpcId))
    if (routes.some((route) => route.gatewayId === gatewayId))
      call.rows(routeTables).update(id, { routes: routes.filter((route) => route.gatewayId !== gatewayId) });
}

export const routeTableBehaviours = [
  on(operations.createRouteTable, (call, { vpcId, routeTableName, tags = [] }) => {
    requireRow(call, vpcs, "VPC", vpcId);
    refuseName(call, "RouteTableName", routeTableName);
    refuseTags(call, tags);
    if (call.rows(routeTables).count(vpcId) >= networkQuotas.routeTables)
      throw call.error("LimitExceeded", `VPC ${vpcId} has ${networkQuotas.routeTables} route tables, and cannot have more`);
    return { routeTable: recordOf(added(call, { vpcId, name: routeTableName, main: false, tags }), []) };
  }),

  on(operations.describeRouteTables, (call, { routeTableIds, ...asked }) => {
    const { totalCount, rows } = listed(call, listing, { ids: routeTableIds, ...asked });
    const users = [...new Set(rows.map(({ vpcId }) => vpcId))].flatMap((vpcId) => call.list(subnets, vpcId));
    return { totalCount, routeTableSet: rows.map((row) => recordOf(row, users)) };
  }),

  on(operations.modifyRouteTableAttribute, (call, { routeTableId, routeTableName }) => {
    tableOf(call, routeTableId);
    refuseName(call, "RouteTableName", routeTableName);
    call.rows(routeTables).update(routeTableId, { name: routeTableName });
  }),

  on(operations.deleteRouteTable, (call, { routeTableId }) => {
    const { vpcId, main } = tableOf(call, routeTableId);
    if (main)
      throw call.error(
        "UnsupportedOperation.DelDefaultRoute",
        `${routeTableId} is the main route table of ${vpcId}, and is deleted with it`,
      );
    const users = call.list(subnets, vpcId).filter((subnet) => subnet.routeTableId === routeTableId);
    if (users.length > 0)
      throw call.error(
        "UnsupportedOperation.DelRouteWithSubnet",
        `route table ${routeTableId} cannot be deleted while subnets use it: ${firstFew(users.map(({ id }) => id))}`,
      );
    call.rows(routeTables).remove(routeTableId);
  }),

  on(operations.createRoutes, (call, { routeTableId, routes: given }) => {
    const routeTable = tableOf(call, routeTableId);
    const routes = given.reduce((all, one) => [...all, newRoute(call, routeTable, all, one)], routeTable.routes);
    if (routes.length > networkQuotas.routes)
      throw call.error("LimitExceeded", `a route table has ${networkQuotas.routes} routes at most, not ${routes.length}`);
    const row = call.rows(routeTables).update(routeTableId, { routes });
    return { totalCount: 1, routeTableSet: [recordOf(row, call.list(subnets, row.vpcId))] };
  }),

  on(operations.replaceRoutes, (call, { routeTableId, routes: given }) => {
    const routeTable = tableOf(call, routeTableId);
    const routes = given.reduce((all, one) => {
      const was = routeIn(call, routeTable, one);
      const others = all.filter(({ id }) => id !== was.id);
      const { destination, gatewayType, gatewayId, description } = newRoute(call, routeTable, others, one);
      return all.map((route) => (route.id === was.id ? { ...was, destination, gatewayType, gatewayId, description } : route));
    }, routeTable.routes);
    call.rows(routeTables).update(routeTableId, { routes });
  }),

  on(operations.deleteRoutes, (call, { routeTableId, routes: given }) => {
    const routeTable = tableOf(call, routeTableId);
    const gone = given.map((one) => routeIn(call, routeTable, one).id);
    call.rows(routeTables).update(routeTableId, { routes: routeTable.routes.filter(({ id }) => !gone.includes(id)) });
  }),

  on(operations.replaceRouteTableAssociation, (call, { routeTableId, subnetId }) => {
    const routeTable = tableOf(call, routeTableId);
    const subnet = requireRow(call, subnets, "subnet", subnetId);
    if (routeTable.vpcId !== subnet.vpcId)
      throw call.error(
        "UnsupportedOperation.VpcMismatch",
        `route table ${routeTableId} is of ${routeTable.vpcId} and subnet ${subnetId} of ${subnet.vpcId}; a subnet takes a table of its own VPC`,
      );
    call.rows(subnets).update(subnetId, { routeTableId });
  }),
];

function tableOf(call: Call<"ResourceNotFound">, id: string): RouteTableRow {
  return requireRow(call, routeTables, "route table", id);
}

type GivenRoute = z.output<typeof operations.createRoutes.input>["routes"][number];
type RouteCall = Call<(typeof routeErrors)[number]>;

/** A new route of a table, beside its others. */
function newRoute(call: RouteCall, { id, vpcId }: RouteTableRow, others: readonly RouteRow[], given: GivenRoute): RouteRow {
  const destination = destinationOf(call, given);
  const vpc = requireRow(call, vpcs, "VPC", vpcId);
  const own = [vpc.cidrBlock, ...(vpc.ipv6CidrBlock === undefined ? [] : [vpc.ipv6CidrBlock])];
  const inside = own.find((range) => contains(range, destination));
  if (inside !== undefined)
    throw call.error(
      "InvalidParameterValue.VpcCidrConflict",
      `${destination} is inside ${inside} of ${vpcId}; a route leads out of the VPC`,
    );
  const twin = others.find((other) => other.destination === destination);
  if (twin) throw call.error("InvalidParameterValue.Duplicate", `route table ${id} has a route for ${destination} already: ${twin.id}`);
  const flaw = nextHopFlaw(call, vpcId, destination, given);
  if (flaw !== undefined) throw call.error("InvalidParameterValue.RouteNextHopInvalid", flaw);
  const { gatewayType, gatewayId, routeDescription: description = "" } = given;
  const number = isIpv6(destination) ? 0 : 1 + (call.world.draw().readUInt32BE(0) >>> 1);
  const made = { id: `rti-${call.world.drawHex().slice(0, 8)}`, number, createdTime: call.timestamp };
  return { ...made, destination, gatewayType, gatewayId, description, type: "USER" };
}

function destinationOf(call: RouteCall, { destinationCidrBlock = "", destinationIpv6CidrBlock = "" }: GivenRoute): string {
  const [text, family] = destinationIpv6CidrBlock === "" ? [destinationCidrBlock, 4] : [destinationIpv6CidrBlock, 6];
  const isOne = (destinationCidrBlock === "") !== (destinationIpv6CidrBlock === "");
  if (!isOne || parseCidr(text)?.family !== family || canonicalCidr(text) !== text)
    throw call.error(
      "InvalidParameterValue.Malformed",
      `DestinationCidrBlock is ${JSON.stringify(destinationCidrBlock)} and DestinationIpv6CidrBlock ${JSON.stringify(destinationIpv6CidrBlock)}; a route takes one of them, a CIDR block such as 0.0.0.0/0 or ::/0`,
    );
  return text;
}

function isIpv6(range: string): boolean {
  return parseCidr(range)?.family === 6;
}

/** Why a route cannot lead to a gateway. The emulator has none of the other types. */
function nextHopFlaw(call: Call, vpcId: string, destination: string, { gatewayType, gatewayId }: GivenRoute): string | undefined {
  switch (gatewayType) {
    case "NAT":
      if (isIpv6(destination)) return `${destination} is an IPv6 range, which a NAT gateway does not translate`;
      return call.rows(natGateways).get(gatewayId)?.vpcId === vpcId ? undefined : `there is no NAT gateway ${gatewayId} in ${vpcId}`;
    case "CVM":
      return call.rows(instances).get(gatewayId)?.vpcId === vpcId ? undefined : `there is no machine ${gatewayId} in ${vpcId}`;
    case "NORMAL_CVM":
      if (addressFamily(gatewayId) === undefined) return `GatewayId is ${JSON.stringify(gatewayId)}; NORMAL_CVM takes an address`;
      return contains(destination, `${gatewayId}/${isIpv6(destination) ? 128 : 32}`) && !destination.endsWith("/0")
        ? `${gatewayId} is inside ${destination}: the route leads to itself`
        : undefined;
    case "EIP":
      return gatewayId === "0" && !isIpv6(destination) ? undefined : "EIP takes the GatewayId 0, for an IPv4 range";
    default:
      return `there is no gateway ${gatewayId} of type ${gatewayType} in ${vpcId}`;
  }
}

/** The route that a call names by either ID. */
function routeIn(
  call: CallOf<typeof operations.deleteRoutes>,
  { id, routes }: RouteTableRow,
  { routeId, routeItemId = "" }: z.output<typeof operations.deleteRoutes.input>["routes"][number],
): RouteRow {
  const found = routes.find((route) => (routeItemId === "" ? routeId !== 0 && route.number === routeId : route.id === routeItemId));
  if (!found) throw call.error("UnsupportedOperation.RecordNotExists", `route table ${id} has no route ${routeItemId || String(routeId)}`);
  if (found.type !== "USER")
    throw call.error(
      "UnsupportedOperation.SystemRoute",
      `route ${found.id} of ${id} is of type ${found.type}; only those of type USER can be changed`,
    );
  return found;
}

/** @param users the subnets that may use the table */
function recordOf({ id, vpcId, name, main, createdTime, tags, routes }: RouteTableRow, users: readonly z.output<typeof subnets.row>[]) {
  return {
    vpcId,
    routeTableId: id,
    routeTableName: name,
    associationSet: users.flatMap(({ id: subnetId, routeTableId }) => (routeTableId === id ? [{ subnetId, routeTableId }] : [])),
    routeSet: routes.map((route) => ({
      [isIpv6(route.destination) ? "destinationIpv6CidrBlock" : "destinationCidrBlock"]: route.destination,
      gatewayType: route.gatewayType,
      gatewayId: route.gatewayId,
      routeDescription: route.description,
      routeId: route.number,
      routeItemId: route.id,
      routeType: route.type,
      routeTableId: id,
      enabled: true,
      createdTime: route.createdTime,
    })),
    main,
    createdTime,
    tagSet: tags,
  };
}
