import { type ClientLocation, everyRegistry, type Place } from "../../../local/registry/access/container-client.ts";
import { dedicatedDomainOf, isRegistryDomain, publicDomainOf, servedRegistry } from "../../../local/registry/access/endpoints.ts";
import { externalEndpointStateAt, internalEndpointStateAt, registryStatusAt } from "../../../local/registry/states.ts";
import { internalEndpoints } from "../../../local/registry/tables.ts";
import type { World } from "../../../local/store/world.ts";

/** Where a node stands. */
export interface Standpoint {
  readonly region: string;
  readonly vpcId: string;
}

/** The address with which nodes come from the internet: this machine's own, on which they are. */
const publicAddressOfNodes = "127.0.0.1";

/** What an image's server is to a node. `elsewhere` is no registry of the platform. */
export type Server =
  | { readonly kind: "elsewhere" }
  /** With the ways by which the node tries it, and the registry, if there is one. */
  | { readonly kind: "registry"; readonly place: Place | undefined; readonly ways: readonly ClientLocation[] }
  /** The address of a connection, which proves that there is one, and is no server to pull from. */
  | { readonly kind: "endpoint"; readonly place: Place };

export function serverAt(world: World, host: string, from: Standpoint): Server {
  const all = everyRegistry(world);
  const connected = all.find((place) => connectionsOf(world, place, from.vpcId).some(({ address }) => address === withoutPort(host)));
  if (connected) return { kind: "endpoint", place: connected };
  const served = servedRegistry(world, host);
  if (served === undefined && !isRegistryDomain(host) && !isLoopback(host)) return { kind: "elsewhere" };
  const place = all.find(
    ({ registry }) => registry.id === served || [publicDomainOf(registry), dedicatedDomainOf(registry)].includes(host),
  );
  const isPublic = place !== undefined && host !== dedicatedDomainOf(place.registry);
  return { kind: "registry", place, ways: [from, ...(isPublic ? [{ clientIp: publicAddressOfNodes }] : [])] };
}

/** Why a node does not reach a registry. */
export function whyUnreachable(
  world: World,
  host: string,
  from: Standpoint,
  { place, ways }: Extract<Server, { kind: "registry" }>,
): string {
  if (!place) return `no registry of the platform is at ${host}: no such host`;
  const { registry } = place;
  const now = world.now();
  const status = registryStatusAt(registry, now);
  if (status !== "Running") return `registry ${registry.name} is ${status}; images are pulled from one that is Running`;
  const inside = insideLack(world, place, host, from);
  if (ways.length === 1) return inside;
  return `${inside}; and its public endpoint is ${externalEndpointStateAt(registry, now)}, which would have to be Opened to pull over the internet`;
}

function insideLack(world: World, place: Place, host: string, { vpcId }: Standpoint): string {
  const { name, id } = place.registry;
  const states = connectionsOf(world, place, vpcId).map(({ timeline }) => internalEndpointStateAt(timeline, world.now()));
  if (states.includes("Running"))
    return `${vpcId} does not resolve ${host}: registry ${name} is connected to it, but its DNS is not (CreateInternalEndpointDns)`;
  const state = states[0] === undefined ? "not connected to it" : `still ${states[0]}`;
  return `access to registry ${name} (${id}) from ${vpcId}, where the node is, is not enabled: the registry is ${state} (ManageInternalEndpoint)`;
}

function connectionsOf(world: World, { region, account, registry }: Place, vpcId: string) {
  return world
    .rows(internalEndpoints, region, account)
    .list(registry.id)
    .filter((endpoint) => endpoint.vpcId === vpcId);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, "");
}

/** To a node, that is itself: nobody but a registry that is served answers there. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3})$/.test(withoutPort(host));
}
