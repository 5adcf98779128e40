import { once } from "node:events";
import { connect, createServer } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { expect, test } from "vitest";
import { listening } from "../../../transport/listening.fixture.ts";
import { helloIn } from "./gateway.ts";

/** What a client sends first. */
async function helloOf(servername: string | undefined): Promise<Buffer> {
  const server = createServer();
  const { hostname, port } = new URL(await listening(server));
  const taken = once(server, "connection");
  const socket = connect(Number(port), hostname);
  const secured = connectSecurely({ socket, ...(servername !== undefined && { servername }) }).on("error", () => undefined);
  const [connection] = (await taken) as [typeof socket];
  const [bytes] = (await once(connection, "data")) as [Buffer];
  secured.destroy();
  connection.destroy();
  return bytes;
}

test("the name of the server is read once all of the hello is there", async () => {
  const hello = await helloOf("CLS-1.clusters.example");
  expect(helloIn(hello)).toEqual({ serverName: "cls-1.clusters.example" });
  for (let size = 0; size < hello.length; size++) expect(helloIn(hello.subarray(0, size))).toBe("more");
  expect(helloIn(await helloOf(undefined))).toEqual({ serverName: undefined });
});

test("what is no hello is told, whatever its lengths say", async () => {
  expect(helloIn(Buffer.from("GET / HTTP/1.1\r\n"))).toBe("no TLS");
  expect(helloIn(Buffer.from([22, 3, 1, 0xff, 0xff]))).toBe("no TLS");
  const hello = await helloOf("a.example");
  // The session's length leads beyond the end.
  const broken = Buffer.from(hello);
  for (let at = 43; at < broken.length; at++) broken[at] = 0xff;
  expect(helloIn(broken)).toBe("no TLS");
});
