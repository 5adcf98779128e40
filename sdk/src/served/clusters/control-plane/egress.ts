import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import type { Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { certify, makeAuthority } from "../../../local/cluster/access/certificates.ts";
import type { InternalKeys } from "./keys.ts";
import { loopback } from "../../ports.ts";

/** Takes a connection to an address in the network of the cluster. Answers whether it has taken it. */
export type Taker = (target: { readonly host: string; readonly port: number }, connection: Duplex) => boolean;

/**
 * Where an API server sends all connections to kubelets, pods and services. The addresses of a cluster are somebody else's on the network of
 * this machine: none is ever connected to.
 */
export class Egress implements AsyncDisposable {
  readonly #server: Server;
  /** Take the connections. One that none of them wants is refused. */
  readonly takers: Taker[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on("connect", (request: IncomingMessage, connection: Duplex) => {
      connection.on("error", () => connection.destroy());
      const [host, port] = splitPort(request.url ?? "");
      connection.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (!this.takers.some((take) => take({ host, port: Number(port) }, connection))) connection.destroy();
    });
  }

  /** Only the API server that has these keys is let in. */
  static async open({ ca, server: { certificate: cert, privateKey: key } }: Pick<InternalKeys, "ca" | "server">): Promise<Egress> {
    const { createServer } = process.getBuiltinModule("node:https");
    const options = { ca, cert, key, requestCert: true, rejectUnauthorized: true };
    const server = createServer(options, (_, response) => response.writeHead(405).end());
    server.listen({ port: 0, host: loopback });
    await once(server, "listening");
    return new Egress(server);
  }

  /** As the API server reads it (EgressSelectorConfiguration). */
  get configuration(): string {
    // A server that listens on a port has an address of this kind.
    const { port } = this.#server.address() as AddressInfo;
    const tlsConfig = { caBundle: "internal-ca.crt", clientCert: "egress.crt", clientKey: "egress.key" };
    const connection = { proxyProtocol: "HTTPConnect", transport: { tcp: { url: `https://${loopback}:${port}`, tlsConfig } } };
    return JSON.stringify({
      apiVersion: "apiserver.k8s.io/v1beta1",
      kind: "EgressSelectorConfiguration",
      egressSelections: [{ name: "cluster", connection }],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** A server in the network of a cluster: it has a certificate, which API servers do not check there, and no port. */
export async function serverInCluster(name: string, answer: RequestListener): Promise<Server> {
  const now = Date.now() - 60_000;
  const authority = await makeAuthority(name, randomBytes(32), now);
  const { certificate, privateKey } = await certify(authority, { subject: name, kind: "server", from: now }, randomBytes(32));
  return process.getBuiltinModule("node:https").createServer({ cert: certificate, key: privateKey }, answer);
}

function splitPort(target: string): readonly [string, string] {
  const colon = target.lastIndexOf(":");
  return [target.slice(0, colon).replace(/^\[|\]$/g, ""), target.slice(colon + 1)];
}
