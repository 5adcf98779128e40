import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Agent } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ClusterPlace, everyCluster } from "../../local/cluster/access/kubeconfig.ts";
import { domainOf } from "../../local/cluster/control-plane/clusters.ts";
import type { World } from "../../local/store/world.ts";
import { CannotRun, type ControlPlanes, type Running } from "../control-plane/control-planes.ts";
import { intoPod } from "../nodes/kubelet.ts";
import { type Hello, helloIn } from "./client-hello.ts";
import { ClientConnection, closedBecause, locationOf } from "./connection.ts";
import { agentFor, passOn, passUpgrade } from "./pass-on.ts";
import { connectionLost, forbidden, type Refusal, refusalText, refuse, unauthorized, unavailable } from "./refusal.ts";
import { ServerCertificates } from "./server-certificate.ts";
import { TurnedAway } from "./turned-away.ts";

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
    if (complaint !== undefined && headers.authorization === undefined) return unauthorized(complaint);
    const nowhere = intoPod(url);
    if (nowhere !== undefined) return forbidden(nowhere);
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
