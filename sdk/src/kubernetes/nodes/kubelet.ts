import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Duplex } from "node:stream";
import { certify, makeAuthority } from "../../local/cluster/access/certificates.ts";

/** The port that nodes tell for their kubelets. */
export const kubeletPort = 10_250;

const noLogs =
  "there are no logs: pods of a local platform are stand-ins in which nothing runs. What they wait for is real: kubectl describe pod tells it";
const noCommands = "no command can run here: pods of a local platform are stand-ins in which nothing runs";

/** The kubelets of a cluster, as far as an API server asks them: it has no logs of pods from them, and no commands run there. */
export async function kubeletServer(): Promise<Server> {
  const now = Date.now() - 60_000;
  const authority = await makeAuthority("kubelets", randomBytes(32), now);
  const { certificate, privateKey } = await certify(authority, { subject: "kubelet", kind: "server", from: now }, randomBytes(32));
  const server = process.getBuiltinModule("node:https").createServer({ cert: certificate, key: privateKey }, answer);
  return server.on("upgrade", (_request: IncomingMessage, connection: Duplex) => {
    const headers = [
      "HTTP/1.1 405 Method Not Allowed",
      "Content-Type: text/plain",
      `Content-Length: ${noCommands.length}`,
      "Connection: close",
    ];
    connection.end(`${headers.join("\r\n")}\r\n\r\n${noCommands}`);
  });
}

function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(405, { "content-type": "text/plain", connection: "close" });
  response.end(url.startsWith("/containerLogs/") ? noLogs : noCommands);
}
