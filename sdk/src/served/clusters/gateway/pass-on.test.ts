import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createApiServer } from "node:https";
import { connect, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { certify, makeAuthority } from "../../../local/cluster/access/certificates.ts";
import { listening } from "../../../transport/listening.fixture.ts";
import { passUpgrade } from "./pass-on.ts";

const at = Date.now() - 60_000;

const portOf = async (server: Server) => Number(new URL(await listening(server)).port);

/** A front before an API server that keeps its connections, and changes to `echo` alone; with all requests that the API server has got. */
async function start() {
  const authority = await makeAuthority("test", randomBytes(32), at);
  const server = { subject: "api", kind: "server", from: at, addresses: ["127.0.0.1"] } as const;
  const { certificate: cert, privateKey: key } = await certify(authority, server, randomBytes(32));
  const asked: string[] = [];
  const note = ({ url = "", headers }: IncomingMessage) => asked.push(`${url} as ${String(headers["x-remote-user"] ?? "nobody")}`);
  const api = createApiServer({ cert, key }, (request, response) => {
    note(request);
    response.end("no change");
  });
  api.on("upgrade", (request, socket) => {
    note(request);
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n");
    socket.pipe(socket);
  });
  const access = {
    port: await portOf(api),
    ca: authority.certificate,
    front: await certify(authority, { ...server, kind: "client" }, randomBytes(32)),
  };
  const front = createServer();
  front.on("upgrade", (request, socket, head) => {
    passUpgrade({ running: access, identity: { user: "somebody", groups: [] } }, request, socket, head);
  });
  const port = await portOf(front);
  const say = async (...parts: string[]) => {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const heard = text(socket);
    const [first = "", ...others] = parts;
    socket.write(first);
    for (const part of others) {
      await sleep(200);
      socket.write(part);
    }
    setTimeout(() => socket.end(), 500);
    return heard;
  };
  return { api, asked, say };
}

const asking = (path: string, ...headers: string[]) => [`GET ${path} HTTP/1.1`, "host: a", ...headers, "", ""].join("\r\n");
const changing = (path: string) => asking(path, "connection: upgrade", "upgrade: echo");
/** What the API server would take, as the front alone may say who somebody is. */
const forged = asking("/forged", "x-remote-user: root", "x-remote-group: system:masters");

test("a connection that the API server does not change carries no other request, when ever it is sent", async () => {
  const { api, asked, say } = await start();
  // An API server that takes no part in it, as Kubernetes' own where nothing can be changed to.
  api.removeAllListeners("upgrade");
  for (const parts of [[changing("/version") + forged], [changing("/version"), forged]]) {
    const heard = await say(...parts);
    expect(heard).toMatch(/^HTTP\/1\.1 200 /);
    expect(heard).toContain("no change");
  }
  expect(asked).toEqual(["/version as somebody", "/version as somebody"]);
});

test("a connection that the API server changes is passed on both ways, with what its client has sent already", async () => {
  const { asked, say } = await start();
  const heard = await say(`${changing("/watch")}early `, "late");
  expect(heard).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nearly late$/);
  expect(asked).toEqual(["/watch as somebody"]);
});

test("without an API server, it is refused in words", async () => {
  const { api, say } = await start();
  api.close();
  await once(api, "close");
  expect(await say(changing("/watch"))).toMatch(/^HTTP\/1\.1 502 [^]*the connection to the control plane was lost$/);
});
