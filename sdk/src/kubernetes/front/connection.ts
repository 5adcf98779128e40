import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import {
  certificateComplaintOf,
  type ClusterPlace,
  endpointFor,
  hasApiServer,
  type KubernetesClientLocation,
} from "../../local/cluster/access/kubeconfig.ts";
import { stateAt } from "../../local/store/timeline.ts";
import type { World } from "../../local/store/world.ts";
import { type Identity, identityOf } from "./identity.ts";

/** A client's connection to a cluster. */
export class ClientConnection {
  readonly place: ClusterPlace;
  readonly #world: World;
  readonly #from: KubernetesClientLocation;
  readonly #socket: TLSSocket;
  readonly #certificate: X509Certificate | undefined;
  /** Who the certificate says the client is. */
  readonly identity: Identity | undefined;
  /** Whether a request is being decided upon: it is answered, whatever has changed. */
  isEntering = false;

  constructor(world: World, place: ClusterPlace, from: KubernetesClientLocation, socket: TLSSocket) {
    this.#world = world;
    this.place = place;
    this.#from = from;
    this.#socket = socket;
    this.#certificate = socket.getPeerX509Certificate();
    this.identity = this.#certificate && identityOf(this.#certificate);
  }

  /** Why its certificate is not taken; `undefined` if it is, or if there is none. */
  complaint(): string | undefined {
    return this.#certificate && certificateComplaintOf(this.#world, addressed(this.place), this.#certificate);
  }

  /** Who the client is, if its certificate is taken. */
  taken(): Identity | undefined {
    return this.complaint() === undefined ? this.identity : undefined;
  }

  /** Ends it, if its client would not be let in any more. */
  review(): void {
    if (closedBecause(this.#world, this.place, this.#from) !== undefined || (!this.isEntering && this.complaint() !== undefined))
      this.end();
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** Why a cluster cannot be reached from a place; `undefined` if it can. */
export function closedBecause(world: World, place: ClusterPlace, from: KubernetesClientLocation): string | undefined {
  if (!hasApiServer(place.cluster, world.now())) return `it is ${stateAt(place.cluster.timeline, world.now())}`;
  const endpoint = endpointFor(world, addressed(place), from);
  return typeof endpoint === "string" ? endpoint : undefined;
}

/** Where a connection comes from: a port stands for a VPC, or for the internet. */
export function locationOf({ remoteAddress = "" }: Pick<Socket, "remoteAddress">, vpcId: string | undefined): KubernetesClientLocation {
  return vpcId === undefined ? { clientIp: remoteAddress.replace(/^::ffff:/, "") } : { vpcId };
}

function addressed({ region, account, cluster: { id: clusterId } }: ClusterPlace) {
  return { region, account, clusterId };
}
