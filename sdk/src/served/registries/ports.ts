import { join } from "node:path";
import { everyRegistry } from "../../local/registry/access/container-client.ts";
import { internalEndpoints } from "../../local/registry/tables.ts";
import { type ServedRegistries, tellServedRegistries } from "../../local/registry/access/endpoints.ts";
import type { World } from "../../local/store/world.ts";
import { internet, loopback, RememberedPorts, repeat } from "../ports.ts";
import type { ImageRegistry } from "./registry.ts";

/** How often the world is looked at for registries that are new or gone, in milliseconds. */
const lookEvery = 1000;

/** How long a connection may be silent, in milliseconds. */
const idle = 5 * 60 * 1000;

/** A port of this machine: the registry that answers there, and where its clients stand. */
export interface ServedPort {
  readonly registryId: string;
  readonly registryName: string;
  /** `internet`, or the id of a VPC. */
  readonly standpoint: string;
  /** Such as `127.0.0.1:5001`. */
  readonly address: string;
}

export type RegistryPorts = Awaited<ReturnType<typeof openRegistryPorts>>;

/**
 * Opens a port for each registry and standpoint: the internet, and each VPC that the registry is connected to.
 *
 * @param told is called with each port that opens
 */
export async function openRegistryPorts(world: World, registry: ImageRegistry, told: (port: ServedPort) => void) {
  const ports = new RememberedPorts<ReturnType<typeof wantedBy>>(
    join(registry.context.content.folder, "ports.json"),
    ({ standpoint, region }) => serverOf(registry, standpoint, region),
    (wanted, address) => {
      told(portOf({ wanted, address }));
    },
  );
  /** Opens missing ports, and closes those that belong to nothing any more. */
  const look = async () => {
    // What has expired goes when a transaction begins.
    await ports.keep(await world.transaction(() => allWanted(world)));
  };
  const stopLooking = repeat(lookEvery, registry.report, look);
  const served: ServedRegistries = {
    publicAddressOf: (registryId) => {
      const place = everyRegistry(world).find(({ registry: { id } }) => id === registryId);
      return ports.open(wantedBy(place ?? { at: { region: "" }, registry: { id: registryId, name: "" } }, internet));
    },
    registryAt: (address) => ports.opened().find((port) => port.address === address)?.wanted.registryId,
  };
  tellServedRegistries(world, served);
  await look();
  return {
    ...served,
    /** The ports that are open. */
    all: async () => (await ports.all()).map(portOf),
    look,
    [Symbol.asyncDispose]: async () => {
      await stopLooking();
      tellServedRegistries(world, undefined);
      await ports[Symbol.asyncDispose]();
    },
  };
}

function serverOf(registry: ImageRegistry, standpoint: string, region: string) {
  const { createServer } = process.getBuiltinModule("node:http");
  // An upload takes as long as it takes.
  const server = createServer({ requestTimeout: 0, headersTimeout: 10_000, keepAliveTimeout: 75_000 }, (request, response) => {
    const { remoteAddress = "", localPort } = request.socket;
    const from = standpoint === internet ? { clientIp: remoteAddress.replace(/^::ffff:/, "") } : { region, vpcId: standpoint };
    void registry.answer(request, response, { from, server: `${loopback}:${localPort}` });
  });
  return server.setTimeout(idle);
}

interface Registry {
  readonly at: { readonly region: string };
  readonly registry: { readonly id: string; readonly name: string };
}

function wantedBy({ at: { region }, registry: { id, name } }: Registry, standpoint: string) {
  return { key: `${id}/${standpoint}`, region, registryId: id, registryName: name, standpoint };
}

interface OpenPort {
  readonly wanted: ReturnType<typeof wantedBy>;
  readonly address: string;
}

function portOf({ wanted: { registryId, registryName, standpoint }, address }: OpenPort): ServedPort {
  return { registryId, registryName, standpoint, address };
}

function allWanted(world: World) {
  return everyRegistry(world).flatMap((place) => {
    const connected = place.at.list(internalEndpoints, place.registry.id);
    return [internet, ...new Set(connected.map(({ vpcId }) => vpcId))].map((standpoint) => wantedBy(place, standpoint));
  });
}
