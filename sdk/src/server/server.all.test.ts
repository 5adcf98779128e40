import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeVpcs } from "../catalogue/vpc.ts";
import { mostBytes } from "./calls.ts";
import { HttpControl } from "./http-control.ts";
import { serve } from "./server.ts";
import { heardOn, sent, signedCall, stage } from "./stage.fixture.ts";

const tooLarge = { Response: { Error: { Code: "RequestSizeLimitExceeded", Message: expect.any(String) }, RequestId: expect.any(String) } };

/** The text of a call on a connection. */
function written({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const all = { ...headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST / HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

test("a call of 10 MB is read, a larger one is refused, with or without a content length", async () => {
  const { url, key, cloudWith } = await stage();
  const padded = (bytes: number) => signedCall(url, { ...key, body: `{}${" ".repeat(bytes - 2)}` });
  expect((await sent(url, padded(mostBytes))).answer).toMatchObject({ Response: { TotalCount: 0 } });
  expect((await sent(url, padded(mostBytes + 1))).answer).toEqual(tooLarge);
  const chunks = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent <= 11; sent++) controller.enqueue(new Uint8Array(1024 * 1024));
      controller.close();
    },
  });
  const chunked = await fetch(url, { method: "POST", body: chunks, duplex: "half" });
  expect(await chunked.json()).toEqual(tooLarge);
  const cloud = await cloudWith();
  expect(await cloud.call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
});

test("the connection of a client that sends without end is closed", async () => {
  const { socketTo } = await stage();
  const socket = socketTo();
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
  const heard = heardOn(socket);
  const chunk = `100000\r\n${"x".repeat(0x10_0000)}\r\n`;
  for (let sent = 0; sent < 40 && !socket.destroyed; sent++)
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), heard]);
  expect(await heard).toContain("RequestSizeLimitExceeded");
});

test.each([
  ["no HTTP", "hello\r\n\r\n", /^HTTP\/1.1 400 /],
  ["an unknown method", "FETCH / HTTP/1.1\r\nhost: x\r\n\r\n", /^HTTP\/1.1 400 /],
  ["no host", "POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}", /^HTTP\/1.1 400 /],
  ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}", /^HTTP\/1.1 400 /],
  ["headers without end", `POST / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(100_000)}\r\n\r\n`, /^HTTP\/1.1 431 /],
  ["an invalid URL", "POST http:// HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n", /^HTTP\/1.1 404 /],
  ["a tunnel", "CONNECT elsewhere:443 HTTP/1.1\r\nhost: x\r\n\r\n", /^$/],
])("%s: refused, and the next client is served", async (_, text, answer) => {
  const { socketTo, cloudWith } = await stage();
  const socket = socketTo();
  socket.write(text);
  expect(await heardOn(socket)).toMatch(answer);
  expect(await (await cloudWith()).call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
});

test("connections of slow clients are closed after a timeout, and do not delay others", async () => {
  const { socketTo, cloudWith } = await stage({ timeouts: { headers: 300, request: 600, idle: 1500 } });
  const cloud = await cloudWith();
  const begun = performance.now();
  const [silent, slow, halting] = [socketTo(), socketTo(), socketTo()];
  slow.write("POST / HTTP/1.1\r\nhost: x\r\n");
  halting.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
  const ended = async (socket: Socket) => {
    await heardOn(socket);
    return performance.now() - begun;
  };
  const ends = Promise.all([ended(silent), ended(slow), ended(halting)]);
  expect(await cloud.call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
  for (const end of await ends) {
    expect(end).toBeGreaterThan(250);
    expect(end).toBeLessThan(4000);
  }
});

test("after a client disconnects in the middle of a call, others are served", async () => {
  const { socketTo, cloudWith } = await stage();
  const socket = socketTo();
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
  await sleep(50);
  socket.destroy();
  expect(await (await cloudWith()).call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
});

test("a thousand connections at once are all served", async () => {
  const { socketTo, url, key } = await stage();
  const call = signedCall(url, key);
  const sockets = Array.from({ length: 1000 }, socketTo);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const answers = await Promise.all(
    sockets.map((socket) => {
      socket.write(written({ ...call, headers: { ...call.headers, connection: "close" } }));
      return heardOn(socket);
    }),
  );
  expect(answers.filter((answer) => answer.includes('"TotalCount":0'))).toHaveLength(1000);
});

test("pipelined calls on one connection are answered in order", async () => {
  const { socketTo, url, key } = await stage();
  const [first, last] = ["DescribeVpcs", "DescribeSubnets"].map((action) => signedCall(url, { ...key, action }));
  if (!first || !last) throw new Error("there are two");
  const socket = socketTo();
  socket.write(written(first) + written({ ...last, headers: { ...last.headers, connection: "close" } }));
  expect(await heardOn(socket)).toMatch(/VpcSet[^]*SubnetSet/);
});

test("a server that stops answers the calls under way, closes other connections, and accepts no more", async () => {
  const { server, world, url, key, socketTo } = await stage();
  const [silent, halting, kept] = [socketTo(), socketTo(), socketTo()];
  halting.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
  kept.write(written(signedCall(url, key)));
  await once(kept, "data");
  // The call waits for another transaction of the world.
  const others = world.transaction(() => sleep(200));
  const waiting = sent(url, signedCall(url, key));
  await sleep(100);
  const begun = performance.now();
  const ended = Promise.all([heardOn(silent), heardOn(halting), heardOn(kept)]);
  await server.close();
  expect(performance.now() - begun).toBeLessThan(2000);
  expect((await waiting).answer).toMatchObject({ Response: { TotalCount: 0 } });
  await Promise.all([ended, others, server.close()]);
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
});

test("a server that stops waits for answers under way only until its timeout", async () => {
  const { server, world, url, key } = await stage({ timeouts: { stopping: 200 } });
  const others = world.transaction(() => sleep(800));
  const waiting = sent(url, signedCall(url, key));
  const lost = expect(waiting).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
  await sleep(100);
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(700);
  await Promise.all([lost, others]);
});

test("a fault's delay works over HTTP too, and ends when the client disconnects or the server stops", async () => {
  const mistakes: unknown[] = [];
  const { server, url, key, cloudWith } = await stage({ timeouts: { stopping: 50 }, report: (mistake) => mistakes.push(mistake) });
  const [cloud, control] = [await cloudWith(), new HttpControl(url, key)];
  const begun = performance.now();
  await control.addFault({ operation: describeVpcs, delay: 200 });
  await cloud.call(describeVpcs, {});
  expect(performance.now() - begun).toBeGreaterThan(190);
  await control.addFault({ operation: describeVpcs, delay: 300_000, times: 2 });
  await expect(cloud.call(describeVpcs, {}, { signal: AbortSignal.timeout(50) })).rejects.toThrow("aborted");
  const left = expect(cloud.call(describeVpcs, {})).rejects.toMatchObject({ kind: "unreachable" });
  await sleep(50);
  await server.close();
  await left;
  expect(mistakes).toEqual([]);
});

test("an address in use is refused with a message", async () => {
  const { url, world } = await stage();
  const port = Number(new URL(url).port);
  await expect(serve(world, { port })).rejects.toThrow(
    new RegExp(
      `^the server cannot listen on port ${port} of 127\\.0\\.0\\.1: .*EADDRINUSE.*\\. Choose another port, or end what listens there$`,
    ),
  );
});

test("it listens on an IPv6 address too", async () => {
  const { url, cloudWith } = await stage({ host: "::1" });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await (await cloudWith()).call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
});
