import { randomBytes, type X509Certificate } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Agent } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContext, TLSSocket } from "node:tls";
import { certify } from "../../../local/cluster/access/certificates.ts";
import {
  certificateComplaintOf,
  type ClusterPlace,
  endpointFor,
  everyCluster,
  hasApiServer,
  type KubernetesClientLocation,
} from "../../../local/cluster/access/kubeconfig.ts";
import { domainOf } from "../../../local/cluster/control-plane/clusters.ts";
import { authorities } from "../../../local/cluster/tables.ts";
import { stateAt } from "../../../local/store/timeline.ts";
import type { World } from "../../../local/store/world.ts";
import { loopback } from "../../ports.ts";
import { CannotRun, type ControlPlanes, type Running } from "../control-plane/control-planes.ts";
import { intoPod } from "../nodes/kubelet.ts";
import {
  agentFor,
  connectionLost,
  type Identity,
  identityOf,
  passOn,
  passUpgrade,
  type Refusal,
  refusalText,
  refuse,
  statusOf,
  unavailable,
} from "./pass-on.ts";

class ClientConnection {
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
function closedBecause(world: World, place: ClusterPlace, from: KubernetesClientLocation): string | undefined {
  if (!hasApiServer(place.cluster, world.now())) return `it is ${stateAt(place.cluster.timeline, world.now())}`;
  const endpoint = endpointFor(world, addressed(place), from);
  return typeof endpoint === "string" ? endpoint : undefined;
}

/** Where a connection comes from: a port stands for a VPC, or for the internet. */
function locationOf({ remoteAddress = "" }: Pick<Socket, "remoteAddress">, vpcId: string | undefined): KubernetesClientLocation {
  return vpcId === undefined ? { clientIp: remoteAddress.replace(/^::ffff:/, "") } : { vpcId };
}

function addressed({ region, account, cluster: { id: clusterId } }: ClusterPlace) {
  return { region, account, clusterId };
}

/** What is read of the beginning of a TLS connection: the name of the server that the client wants. */

const handshake = 22;
const serverNameExtension = 0;
/** A hello has no more bytes than one record. */
const mostBytes = 5 + 2 ** 14;

export type Hello = { readonly serverName: string | undefined } | "more" | "no TLS";

/** What the first bytes of a connection say; `more` if more of them are needed. */
export function helloIn(bytes: Buffer): Hello {
  if (bytes.length === 0) return "more";
  if (bytes[0] !== handshake) return "no TLS";
  if (bytes.length < 5) return "more";
  const end = 5 + bytes.readUInt16BE(3);
  if (end > mostBytes) return "no TLS";
  if (bytes.length < end) return "more";
  try {
    return { serverName: serverNameIn(bytes.subarray(0, end)) };
  } catch (error) {
    // A length in it leads beyond its end.
    if (error instanceof RangeError) return "no TLS";
    throw error;
  }
}

/** RFC 8446, 4.1.2 and RFC 6066, 3. */
function serverNameIn(hello: Buffer): string | undefined {
  // Record and handshake headers, version and random bytes.
  let at = 5 + 4 + 2 + 32;
  at += 1 + hello.readUInt8(at); // session
  at += 2 + hello.readUInt16BE(at); // cipher suites
  at += 1 + hello.readUInt8(at); // compression methods
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  while (at < end) {
    const type = hello.readUInt16BE(at);
    const size = hello.readUInt16BE(at + 2);
    at += 4;
    // A list of names, of which there is one, a host's: the list's length, the name's type, its length, and the name.
    if (type === serverNameExtension)
      return hello
        .subarray(at + 5, at + 5 + hello.readUInt16BE(at + 3))
        .toString("latin1")
        .toLowerCase();
    at += size;
  }
  return undefined;
}

const day = 24 * 60 * 60 * 1000;
/** A certificate is made anew after this time: clients find it valid for a year. */
const renewAfter = 180 * day;

/** What clusters show to their clients: certificates of the clusters' own authorities, valid by the machine's clock, as clients judge by that. */
class ServerCertificates {
  readonly #world: World;
  readonly #made = new Map<string, { readonly authority: string; readonly at: number; readonly context: Promise<SecureContext> }>();

  constructor(world: World) {
    this.#world = world;
  }

  of({ region, account, cluster: { id } }: ClusterPlace): Promise<SecureContext> {
    const authority = this.#world.rows(authorities, region, account).get(id);
    if (!authority) return Promise.reject(new Error(`cluster ${id} is gone`));
    const before = this.#made.get(id);
    const now = Date.now();
    if (before?.authority === authority.certificate && Math.abs(now - before.at) < renewAfter) return before.context;
    const context = contextOf(id, authority, now);
    this.#made.set(id, { authority: authority.certificate, at: now, context });
    return context;
  }

  forget(clusterIds: ReadonlySet<string>): void {
    for (const id of this.#made.keys()) if (!clusterIds.has(id)) this.#made.delete(id);
  }
}

async function contextOf(id: string, authority: { certificate: string; privateKey: string }, now: number): Promise<SecureContext> {
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  const names = [domainOf(id), "localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const plan = { subject: domainOf(id), kind: "server", from: now - day, names, addresses: [loopback] } as const;
  const { certificate, privateKey } = await certify(authority, plan, randomBytes(32));
  return createSecureContext({ cert: certificate, key: privateKey, ca: authority.certificate, minVersion: "TLSv1.2" });
}

/** Tells why clients are not let in: they hear nothing, as their connection just ends. Each reason is told once, until somebody is let in. */
class TurnedAway {
  readonly #told: (line: string) => void;
  /** What was told last, by cluster and place. */
  readonly #reasons = new Map<string, string>();

  constructor(told: (line: string) => void) {
    this.#told = told;
  }

  /** @param clusterId that of the cluster that the client has named, if it has */
  tell(clusterId: string | undefined, vpcId: string | undefined, reason: string): void {
    const key = [clusterId, vpcId].join("/");
    if (this.#reasons.get(key) === reason) return;
    this.#reasons.set(key, reason);
    const which = clusterId === undefined ? "clusters" : `cluster ${clusterId}`;
    this.#told(`${which}: a client from ${vpcId ?? "the internet"} was not let in: ${reason}`);
  }

  /** Somebody was let in. */
  forget(clusterId: string, vpcId: string | undefined): void {
    this.#reasons.delete([clusterId, vpcId].join("/"));
  }
}

/** How long a client may take for its hello and for the rest of the handshake, in milliseconds. */
const handshakeTimeout = 10_000;

interface Given {
  readonly world: World;
  readonly planes: ControlPlanes;
  /** Has the permissions of the platform hold in a cluster, before a request is passed on to it. */
  readonly settle: (running: Running) => Promise<void>;
  readonly told: (line: string) => void;
  readonly report: (mistake: unknown) => void;
}

/** What is said of a client that names no cluster. */
function nobody(hello: Exclude<Hello, "more">): string {
  if (hello === "no TLS") return "it does not speak TLS";
  const name = hello.serverName === undefined ? "nobody" : JSON.stringify(hello.serverName);
  return `its TLS hello names ${name}, and no cluster by its tls-server-name`;
}

/** Lets Kubernetes' clients in at the clusters of a world: who, and from where. Ends their TLS, and passes their requests on as theirs. */
export class Front implements AsyncDisposable {
  readonly #given: Given;
  readonly #http: Server;
  readonly #certificates: ServerCertificates;
  readonly #turnedAway: TurnedAway;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Map<Duplex, ClientConnection>();
  readonly #agents = new WeakMap<Running, Agent>();

  constructor(given: Given) {
    this.#given = given;
    this.#turnedAway = new TurnedAway(given.told);
    this.#certificates = new ServerCertificates(given.world);
    const { createServer } = process.getBuiltinModule("node:http");
    // A watch takes as long as it takes.
    this.#http = createServer({ requestTimeout: 0, headersTimeout: 10_000, keepAliveTimeout: 75_000 });
    this.#http.on("request", (request, response) => void this.#answer(request, response));
    this.#http.on("upgrade", (request, connection, head) => void this.#upgrade(request, connection, head));
  }

  /** Takes a connection of a client in a VPC, or of one in the internet. */
  take(socket: Socket, vpcId: string | undefined): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const late = setTimeout(() => socket.destroy(), handshakeTimeout);
    socket.once("close", () => {
      clearTimeout(late);
    });
    let seen: Buffer = Buffer.alloc(0);
    const read = (part: Buffer) => {
      seen = Buffer.concat([seen, part]);
      const hello = helloIn(seen);
      if (hello === "more") return;
      socket.off("data", read).pause();
      const place = this.#placeFor(hello, socket, vpcId);
      if (!place) {
        socket.destroy();
        return;
      }
      socket.unshift(seen);
      this.#secure(socket, place, vpcId, late).catch((error: unknown) => {
        socket.destroy();
        this.#given.report(error);
      });
    };
    socket.on("data", read);
  }

  /** Ends the connections of clients that would not be let in any more. */
  review(): void {
    for (const connection of this.#connections.values()) connection.review();
  }

  /** Ends what a user has begun in a cluster. Who may still do it begins anew. */
  cut(clusterId: string, user: string): void {
    for (const connection of this.#connections.values())
      if (connection.place.cluster.id === clusterId && connection.identity?.user === user && !connection.isEntering) connection.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#http.closeAllConnections();
    return Promise.resolve();
  }

  /** The cluster that a client names, if the client is let in there. */
  #placeFor(hello: Exclude<Hello, "more">, socket: Socket, vpcId: string | undefined): ClusterPlace | undefined {
    const { world } = this.#given;
    const name = hello === "no TLS" ? undefined : hello.serverName;
    const place = everyCluster(world).find(({ cluster: { id } }) => domainOf(id) === name);
    const reason = place ? closedBecause(world, place, locationOf(socket, vpcId)) : nobody(hello);
    if (reason !== undefined) this.#turnedAway.tell(place?.cluster.id, vpcId, reason);
    else if (place) this.#turnedAway.forget(place.cluster.id, vpcId);
    return reason === undefined ? place : undefined;
  }

  async #secure(socket: Socket, place: ClusterPlace, vpcId: string | undefined, late: NodeJS.Timeout): Promise<void> {
    const { TLSSocket } = process.getBuiltinModule("node:tls");
    const secureContext = await this.#certificates.of(place);
    if (socket.destroyed) return;
    // Who shows no certificate may have a token; and one that is not taken is answered in words.
    const options = { isServer: true, secureContext, requestCert: true, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] };
    const secured = new TLSSocket(socket, options);
    secured.on("error", () => secured.destroy());
    secured.once("secure", () => {
      clearTimeout(late);
      const connection = new ClientConnection(this.#given.world, place, locationOf(socket, vpcId), secured);
      const using = this.#given.planes.use(place.cluster.id);
      this.#connections.set(secured, connection);
      secured.once("close", () => {
        this.#connections.delete(secured);
        using[Symbol.dispose]();
      });
      this.#http.emit("connection", secured);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = this.#connections.get(request.socket);
    if (!connection) {
      response.destroy();
      return;
    }
    const running = await this.#decide(connection, request);
    if ("status" in running) {
      refuse(response, running);
      return;
    }
    const identity = connection.taken();
    await passOn({ running, agent: this.#agent(running), identity }, request, response).catch(() => {
      // Its client has gone, or the control plane has ended, which is reported by who runs it.
      refuse(response, connectionLost);
    });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const connection = this.#connections.get(socket);
    if (!connection) {
      socket.destroy();
      return;
    }
    const running = await this.#decide(connection, request);
    if ("status" in running) socket.end(refusalText(running));
    else passUpgrade({ running, identity: connection.taken() }, request, socket, head);
  }

  /** Where a request is passed on to, or why it is not. A token is the API server's to judge, as is who has none. */
  async #decide(connection: ClientConnection, { headers, url = "" }: IncomingMessage): Promise<Running | Refusal> {
    const complaint = connection.complaint();
    if (complaint !== undefined && headers.authorization === undefined) return statusOf(401, "Unauthorized", complaint);
    const nowhere = intoPod(url);
    if (nowhere !== undefined) return statusOf(403, "Forbidden", nowhere);
    connection.isEntering = true;
    try {
      const running = await this.#given.planes.running(connection.place);
      await this.#given.settle(running);
      return running;
    } catch (error) {
      if (!(error instanceof CannotRun)) this.#given.report(error);
      return unavailable(error instanceof Error ? error.message : String(error));
    } finally {
      connection.isEntering = false;
    }
  }

  #agent(running: Running): Agent {
    const known = this.#agents.get(running);
    if (known) return known;
    const agent = agentFor(running);
    this.#agents.set(running, agent);
    void running.ended.then(() => {
      agent.destroy();
    });
    return agent;
  }
}
