import { listed, parseCidr } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../../../definition/definition.ts";
import type { Invariant, Node, Program } from "../../../definition/invariants.ts";
import { withRemedies } from "../../../program/messages.ts";
import { expandPath, valueAt } from "../../../schema/paths.ts";
import { nameOf } from "../../../schema/urn.ts";
import { holdsUnknown } from "../../../schema/values.ts";

/** The way out over IPv6, with any routes. */
export const ipv6Out = "an address of a subnet reaches the internet only once bandwidth was bought for that address";

/**
 * New nodes of the program reach the internet over IPv4. One message names all pools that get nodes without a way out: where subnet, route
 * table or VPC are not the program's own, nothing is claimed.
 */
export const nodesReachInternet: Invariant<Kind> = (graph, node) => {
  if (closedSubnets(graph, node).length === 0) return undefined;
  const pools = graph.ofType("NodePool").map((pool) => ({ pool, subnets: closedSubnets(graph, pool) }));
  const closed = pools.filter(({ subnets }) => subnets.length > 0);
  // One pool reports for all.
  if (closed[0]?.pool.urn !== node.urn) return undefined;
  const subnets = [...new Set(closed.flatMap((one) => one.subnets))];
  const named = (nodes: readonly Node<Kind>[]) => listed(nodes.map(({ urn }) => `"${nameOf(urn)}"`).toSorted());
  const ipv6 = subnets.some(({ inputs }) => inputs["ipv6SubnetCidrBlock"] !== undefined) ? ipv6Out : "the subnets have no addresses";
  const isOfNetwork = ({ names = {} }: Node<Kind>) => "zone" in names;
  const message = `the nodes of ${named(closed.map(({ pool }) => pool))} in ${named(subnets)} have no way to the internet: over IPv4, no NAT gateway and no public address; over IPv6, ${ipv6}`;
  const remedies = [
    subnets.some(isOfNetwork) && 'Set egress of the Network or Platform to "nat", or to "none" if you do not want one',
    !subnets.every(isOfNetwork) && "Set routeTableId of the subnets to a RouteTable with a route to a NatGateway",
  ];
  return { code: "Unwise", message: withRemedies(message, remedies) };
};

/** The subnets in which a pool of the program gets nodes that surely have no way out over IPv4. */
function closedSubnets(graph: Program<Kind>, pool: Node<Kind>): readonly Node<Kind>[] {
  const { operation, inputs, lastInputs } = pool;
  if (operation === "import" || valueAt(inputs, "native.internetAccessible") !== undefined) return [];
  const before = operation === "replace" ? [] : valueAt(lastInputs, "native.subnetIds");
  const isNew = (path: string) => !Array.isArray(before) || !before.includes(valueAt(inputs, path));
  const paths = expandPath(inputs, "native.subnetIds.*").filter(isNew);
  return paths.flatMap((path) => graph.source(pool, path) ?? []).filter((subnet) => hasNoWayOut(graph, subnet));
}

const routesIn = z.object({
  routes: z.array(z.object({ destinationCidrBlock: z.string().optional(), gatewayType: z.string() })).default([]),
});

/** The main route table of a VPC that is created has no route out of it. Of one that exists, the routes are not known here. */
function hasNoWayOut(graph: Program<Kind>, subnet: Node<Kind>): boolean {
  // The program says whether the subnets of a network have a way out.
  if (subnet.kind.type !== "Subnet" || subnet.names?.["routeTableId"] !== undefined) return false;
  if (subnet.inputs["routeTableId"] === undefined) {
    const { kind, operation } = graph.source(subnet, "vpcId") ?? {};
    return kind?.type === "Vpc" && (operation === "create" || operation === "replace");
  }
  const table = graph.source(subnet, "routeTableId");
  const { data } = routesIn.safeParse(table?.inputs);
  if (table?.kind.type !== "RouteTable" || !data) return false;
  // Of an unknown range, the prefix counts as 0. A wide route may be one of several that are a default route together.
  return !data.routes.some(
    ({ destinationCidrBlock: to, gatewayType }) =>
      to !== undefined && (gatewayType === "NAT" || holdsUnknown(gatewayType) || (parseCidr(to)?.prefix ?? 0) <= 8),
  );
}
