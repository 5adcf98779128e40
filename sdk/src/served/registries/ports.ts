import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import { everyRegistry } from "../../local/registry/access/container-client.ts";
import { internalEndpoints } from "../../local/registry/tables.ts";
import { type ServedRegistries, tellServedRegistries } from "../../local/registry/access/endpoints.ts";
import type { World } from "../../local/store/world.ts";
import { RememberedPorts, repeat } from "../ports.ts";
import type { ImageRegistry } from "./registry.ts";

const internet = "internet";
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

interface Opened {
  readonly port: ServedPort;
  readonly server: Server;
}

/** A registry as seen from somewhere. */
interface Desired extends Omit<ServedPort, "address"> {
  readonly region: string;
}

/** A port for each registry and standpoint: the internet, and each VPC that the registry is connected to. They stay the same from one run to the next. */
export class RegistryPorts implements ServedRegistries, AsyncDisposable {
  readonly #world: World;
  readonly #registry: ImageRegistry;
  readonly #opened = new Map<string, Promise<Opened>>();
  readonly #told: (port: ServedPort) => void;
  readonly #remembered: RememberedPorts;
  readonly #byAddress = new Map<string, string>();
  readonly #stopLooking: () => Promise<void>;

  private constructor(world: World, registry: ImageRegistry, told: (port: ServedPort) => void) {
    this.#world = world;
    this.#registry = registry;
    this.#told = told;
    this.#remembered = new RememberedPorts(join(registry.context.content.folder, "ports.json"));
    this.#stopLooking = repeat(lookEvery, registry.report, () => this.look());
  }

  /** @param told is called with each port that opens */
  static async open(world: World, registry: ImageRegistry, told: (port: ServedPort) => void): Promise<RegistryPorts> {
    const ports = new RegistryPorts(world, registry, told);
    tellServedRegistries(world, ports);
    await ports.look();
    return ports;
  }

  async publicAddressOf(registryId: string): Promise<string> {
    const registry = everyRegistry(this.#world).find(({ registry: { id } }) => id === registryId);
    const desired = { registryId, registryName: registry?.registry.name ?? "", region: registry?.region ?? "", standpoint: internet };
    return (await this.#port(desired)).port.address;
  }

  registryAt(address: string): string | undefined {
    return this.#byAddress.get(address);
  }

  /** The ports that are open. */
  async all(): Promise<ServedPort[]> {
    return Promise.all([...this.#opened.values()].map(async (opened) => (await opened).port));
  }

  /** Opens what is missing, and closes what belongs to nothing any more. */
  async look(): Promise<void> {
    // What has expired goes when a transaction begins.
    const desired = await this.#world.transaction(() => desiredPorts(this.#world));
    const keys = new Set(desired.map(keyOf));
    await Promise.all(desired.map((one) => this.#port(one)));
    for (const [key, opened] of this.#opened)
      if (!keys.has(key)) {
        this.#opened.delete(key);
        await this.#shut(await opened);
      }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stopLooking();
    tellServedRegistries(this.#world, undefined);
    const opened = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.all(opened.map(async (port) => this.#shut(await port)));
  }

  #port(desired: Desired): Promise<Opened> {
    const key = keyOf(desired);
    const known = this.#opened.get(key);
    if (known) return known;
    const opening = this.#open(key, desired);
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    return opening;
  }

  async #open(key: string, { registryId, registryName, region, standpoint }: Desired): Promise<Opened> {
    const { createServer } = process.getBuiltinModule("node:http");
    // An upload takes as long as it takes.
    const server = createServer({ requestTimeout: 0, headersTimeout: 10_000, keepAliveTimeout: 75_000 });
    server.setTimeout(idle);
    const address = await this.#remembered.listen(server, key);
    this.#byAddress.set(address, registryId);
    server.on("request", (request, response) => {
      const clientIp = (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
      const from = standpoint === internet ? { clientIp } : { region, vpcId: standpoint };
      void this.#registry.answer(request, response, { from, server: address });
    });
    const port = { registryId, registryName, standpoint, address };
    this.#told(port);
    return { port, server };
  }

  async #shut({ server, port }: Opened): Promise<void> {
    this.#byAddress.delete(port.address);
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

function keyOf({ registryId, standpoint }: Pick<Desired, "registryId" | "standpoint">): string {
  return `${registryId}/${standpoint}`;
}

function desiredPorts(world: World): Desired[] {
  return everyRegistry(world).flatMap(({ region, account, registry }) => {
    const connected = world.rows(internalEndpoints, region, account).list(registry.id);
    const standpoints = [internet, ...new Set(connected.map(({ vpcId }) => vpcId))];
    return standpoints.map((standpoint) => ({ registryId: registry.id, registryName: registry.name, region, standpoint }));
  });
}
