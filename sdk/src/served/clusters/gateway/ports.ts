import { once } from "node:events";
import type { Server, Socket } from "node:net";
import { clustersNow } from "../../../local/cluster/access/kubeconfig.ts";
import { type ServedClusters, tellServedClusters } from "../../../local/cluster/control-plane/clusters.ts";
import type { World } from "../../../local/store/world.ts";
import type { RememberedPorts } from "../../ports.ts";

const internet = "internet";

interface Opened {
  readonly server: Server;
  readonly address: string;
}

interface Given {
  readonly world: World;
  readonly remembered: RememberedPorts;
  /** Takes a connection of a client in a VPC, or of one in the internet. */
  readonly taker: (connection: Socket, vpcId: string | undefined) => void;
  readonly told: (line: string) => void;
}

/** A port for each place from which clients come: the internet, and each VPC that has a cluster. They stay the same from one run to the next. */
export class ClusterPorts implements ServedClusters, AsyncDisposable {
  readonly #given: Given;
  readonly #opening = new Map<string, Promise<Opened>>();
  readonly #addresses = new Map<string, string>();

  private constructor(given: Given) {
    this.#given = given;
  }

  static async open(given: Given): Promise<ClusterPorts> {
    const ports = new ClusterPorts(given);
    await ports.look();
    tellServedClusters(given.world, ports);
    return ports;
  }

  async addressFor(vpcId = internet): Promise<string> {
    return (await this.#port(vpcId)).address;
  }

  openAddressFor(vpcId = internet): string | undefined {
    return this.#addresses.get(vpcId);
  }

  /** The ports that are open, such as `127.0.0.1:5001`. A standpoint is `internet`, or the id of a VPC. */
  all() {
    return [...this.#addresses].map(([standpoint, address]) => ({ standpoint, address }));
  }

  /** Opens what is missing, and closes what belongs to nothing any more. */
  async look(): Promise<void> {
    const desired = new Set([internet, ...(await clustersNow(this.#given.world)).map(({ cluster }) => cluster.vpcId)]);
    await Promise.all([...desired].map((standpoint) => this.#port(standpoint)));
    const gone = [...this.#opening].filter(([standpoint]) => !desired.has(standpoint));
    await Promise.all(gone.map(([standpoint, opening]) => this.#shut(standpoint, opening)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    tellServedClusters(this.#given.world, undefined);
    await Promise.all([...this.#opening].map(([standpoint, opening]) => this.#shut(standpoint, opening)));
  }

  #port(standpoint: string): Promise<Opened> {
    const known = this.#opening.get(standpoint);
    if (known) return known;
    const opening = this.#open(standpoint);
    this.#opening.set(standpoint, opening);
    opening.catch(() => this.#opening.delete(standpoint));
    return opening;
  }

  async #open(standpoint: string): Promise<Opened> {
    const { taker, told, remembered } = this.#given;
    const { createServer } = process.getBuiltinModule("node:net");
    const server = createServer({ noDelay: true }, (connection) => {
      taker(connection, standpoint === internet ? undefined : standpoint);
    });
    const address = await remembered.listen(server, standpoint);
    this.#addresses.set(standpoint, address);
    told(`clusters, from ${standpoint === internet ? "the internet" : standpoint}: ${address}`);
    return { server, address };
  }

  async #shut(standpoint: string, opening: Promise<Opened>): Promise<void> {
    this.#opening.delete(standpoint);
    this.#addresses.delete(standpoint);
    const { server } = await opening;
    const closed = once(server, "close");
    server.close();
    await closed;
  }
}
