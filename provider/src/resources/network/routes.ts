import { addressFamily, type Answer, type Cloud, contains, networkQuotas, parseCidr } from "@container-platform/sdk";
import * as vpc from "@container-platform/sdk/vpc";
import * as z from "@container-platform/sdk/zod";
import type { InputsRule, Kind } from "../../definition/definition.ts";
import { idOrText } from "../../definition/ids.ts";
import { ipv4Range, object, range, told, unordered } from "../../definition/inputs.ts";
import { type Invariant, rangeIn, textIn } from "../../definition/invariants.ts";
import { isChanged } from "../../program/graph.ts";
import { displayPath, expandPath, valueAt } from "../../schema/paths.ts";
import { same } from "../../schema/values.ts";
import { Vpc } from "./vpc.ts";

const routeSchema = object({
  destinationCidrBlock: ipv4Range("0.0.0.0/0").optional(),
  destinationIpv6CidrBlock: range("an IPv6 range such as ::/0", ({ family }) => family === 6).optional(),
  gatewayType: z.enum(vpc.gatewayTypes),
  gatewayId: idOrText("nat"),
  routeDescription: z.string().default(""),
});
type Route = z.output<typeof routeSchema>;

interface Destination {
  readonly destinationCidrBlock?: string | undefined;
  readonly destinationIpv6CidrBlock?: string | undefined;
}

const destinationOf = ({ destinationCidrBlock, destinationIpv6CidrBlock }: Destination): string =>
  destinationCidrBlock || destinationIpv6CidrBlock || "";

export const routesSchema = unordered(z.array(routeSchema).max(networkQuotas.routes));

/** Each holds for a route whose gateway does not exist yet. */
export const routeRules: readonly InputsRule<Routes>[] = [
  ({ destinationCidrBlock: ipv4, destinationIpv6CidrBlock: ipv6 }: Route) =>
    (ipv4 === undefined) === (ipv6 === undefined) && "a route takes exactly one of destinationCidrBlock and destinationIpv6CidrBlock",
  ({ destinationIpv6CidrBlock: ipv6, gatewayType }: Route) =>
    gatewayType === "NAT" &&
    ipv6 !== undefined &&
    `the gateway of ${ipv6} is a NAT gateway, which does not translate IPv6. The platform has no gateway for IPv6`,
  (route: Route) => {
    if (route.gatewayType !== "NORMAL_CVM") return false;
    const [destination, family] = [destinationOf(route), addressFamily(route.gatewayId)];
    const isInside =
      family !== undefined && !destination.endsWith("/0") && contains(destination, `${route.gatewayId}/${family === 6 ? 128 : 32}`);
    return isInside && `the gateway ${route.gatewayId} is inside ${destination}: the route leads to itself`;
  },
  (route: Route, index: number, all: readonly Route[]) =>
    all.slice(0, index).some((one) => destinationOf(one) === destinationOf(route)) &&
    `has two routes for ${destinationOf(route)}: write one`,
].map((flaw) => ({ of: "routes", broken: ({ routes = [] }) => routes.map(flaw).find(Boolean) }));

type Table = Answer<z.output<(typeof vpc.describeRouteTables)["output"]>>["routeTableSet"][number];

/** The routes of a table that a program can declare; `undefined` if it has none. The others are the platform's. */
export function routesOf({ routeTableId, routeSet = [] }: Table): Route[] | undefined {
  const routes = routeSet.filter(({ routeType }) => routeType === "USER").map((one) => routeOf(one, routeTableId));
  return routes.length > 0 ? routes : undefined;
}

type LiveRoute = NonNullable<Table["routeSet"]>[number];

function routeOf(live: LiveRoute, routeTableId: string): Route {
  const { destinationCidrBlock, destinationIpv6CidrBlock, gatewayType, gatewayId, routeDescription = "" } = live;
  const destination = destinationIpv6CidrBlock ? { destinationIpv6CidrBlock } : { destinationCidrBlock };
  const route = { ...destination, gatewayType, gatewayId, routeDescription };
  return told(routeSchema, route, `route ${live.routeItemId ?? ""} of ${routeTableId}`);
}

const idsOf = ({ routeId, routeItemId }: LiveRoute) => ({ routeId, routeItemId });

interface Routes {
  readonly routes?: readonly Route[] | undefined;
  /** The live routes with their IDs. */
  readonly routeSet?: Table["routeSet"];
}

/** Adds the missing routes, changes those that lead elsewhere, and deletes the others, in the order that interrupts no traffic. */
export async function settleRoutes(
  cloud: Cloud,
  { routeTableId, routes = [] }: Routes & { readonly routeTableId: string },
  { routeSet = [] }: Routes,
): Promise<void> {
  const live = routeSet.filter(({ routeType }) => routeType === "USER");
  const twinOf = (route: Destination) => live.find((one) => destinationOf(one) === destinationOf(route));
  const missing = routes.filter((route) => !twinOf(route));
  const changed = routes.flatMap((route) => {
    const twin = twinOf(route);
    return twin && !same(routeOf(twin, routeTableId), route) ? [{ ...route, ...idsOf(twin) }] : [];
  });
  const ofProgram = new Set(routes.map(destinationOf));
  const gone = live.filter((one) => !ofProgram.has(destinationOf(one)));
  if (missing.length > 0) await cloud.call(vpc.createRoutes, { routeTableId, routes: missing });
  if (changed.length > 0) await cloud.call(vpc.replaceRoutes, { routeTableId, routes: changed });
  if (gone.length > 0)
    await cloud.call(vpc.deleteRoutes, { routeTableId, routes: gone.map((one) => ({ ...routeOf(one, routeTableId), ...idsOf(one) })) });
}

/** A route leads out of the VPC. */
export const outsideVpc: Invariant<Kind, "routes" | "vpcId"> = (graph, node, world) => {
  const { inputs, operation } = node;
  if (operation === "import" || !isChanged(node, "routes", "vpcId")) return undefined;
  return world.ifReadable("the routes lead out of the VPC", async () => {
    const id = textIn(inputs, "vpcId");
    const props = graph.source(node, "vpcId")?.inputs ?? (id === undefined ? undefined : await world.read(Vpc.kind, id, {}));
    const own = rangeIn(props ?? {}, "cidrBlock");
    return expandPath(inputs, "routes.*.destinationCidrBlock").flatMap((path) => {
      const destination = parseCidr(String(valueAt(inputs, path)));
      if (!own || !destination || !contains(own, destination)) return [];
      const message = `${destination.canonical} is inside ${own.canonical}, the CIDR block of the VPC. A route leads out of the VPC`;
      return [{ code: "InvalidInput", path: displayPath(path), message } as const];
    });
  });
};
