import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect as dial, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { Cloud } from "../client/client.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import { isObject, type JsonObject } from "../operation/codec.ts";
import { connect } from "../transport/connect.ts";
import { type WireFormat, neutral, publicApi } from "../wire-format/wire-format.ts";
import { authorizationFor } from "../transport/signature.ts";
import { serve, type ServeOptions } from "./server.ts";

export const region = "eu-frankfurt";

/** A world that is served, and its first key. Server and world are closed at the end of the test. */
export async function served(world = World.open(":memory:", { timeScale: "instant", seed: "server" }), options: ServeOptions = {}) {
  const server = await serve(world, options);
  onTestFinished(async () => {
    await server.close();
    world.close();
  });
  return { world, server, url: server.url, key: accessKeyOf(world) };
}

export async function stage(options: ServeOptions = {}) {
  const { world, server, url, key } = await served(undefined, options);
  const cloudWith = async (credentials = key) => {
    const transport = await connect(url, { credentials });
    onTestFinished(() => transport.close());
    return new Cloud({ transport, region, retries: { attempts: 1, pause: 0, longest: 0 } });
  };
  /** A raw connection to the server. */
  const socketTo = () => {
    const { hostname, port } = new URL(url);
    const socket = dial({ host: hostname, port: Number(port) });
    // The server may close the connection while the test is sending.
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { world, server, url, key, cloudWith, socketTo };
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's own address. */
  readonly localAddress?: string;
}

/** Sends a request as it is: `fetch` would set some headers itself. */
export async function ask(url: string, path: string, { body = "", ...asked }: Asked = {}) {
  const sent = request(new URL(path, url), { agent: false, ...asked }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** All that a connection receives until its end. */
export async function heardOn(socket: Socket): Promise<string> {
  let heard = "";
  socket.setEncoding("utf8").on("data", (more: string) => (heard += more));
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return heard;
}

interface RawCall {
  readonly secretId: string;
  readonly secretKey: string;
  readonly product?: string;
  readonly action?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timestamp?: number;
  readonly wireFormat?: WireFormat;
  /** Names of the headers that are signed; all unless given. */
  readonly signed?: readonly string[];
}

/** A signed call for `fetch`, which a test can change before it is sent. */
export function signedCall(url: string, given: RawCall) {
  const { wireFormat = neutral, product: service = "vpc", action = "DescribeVpcs", body = "{}", headers: more = {} } = given;
  const timestamp = given.timestamp ?? Math.floor(Date.now() / 1000);
  const named = {
    [`${wireFormat.headers}action`]: action,
    [`${wireFormat.headers}version`]: "2017-03-12",
    [`${wireFormat.headers}region`]: region,
  };
  const headers: Record<string, string> = { "content-type": "application/json", host: new URL(url).host, ...named, ...more };
  const covered = Object.entries(headers).filter(([name]) => given.signed?.includes(name) ?? true);
  const authorization = authorizationFor(wireFormat, given, { headers: Object.fromEntries(covered), body, service, timestamp });
  return { body, headers: { ...headers, [`${wireFormat.headers}timestamp`]: String(timestamp), authorization } };
}

/** Sends a call, and reads the answer whether it is an error or not. */
export async function sent(url: string, { headers, body }: { headers: Record<string, string>; body: string }) {
  // `fetch` sets the host by itself.
  const { host: _, ...others } = headers;
  const response = await fetch(url, { method: "POST", headers: others, body });
  return { status: response.status, type: response.headers.get("content-type"), answer: await response.json() };
}

const response = z.object({ Response: z.record(z.string(), z.json()) });
const versions: Readonly<Record<string, string>> = { cloudaudit: "2019-03-19", tag: "2018-08-13", tcr: "2019-09-24", tke: "2018-05-25" };

/** Calls that clients of the public API make. They return the answer's `Response`. */
export function publicCalls({ url, key }: Pick<Awaited<ReturnType<typeof served>>, "url" | "key">) {
  return async (product: string, action: string, body: JsonObject, version = versions[product] ?? "2017-03-12", at = region) => {
    const headers = { "x-tc-version": version, "x-tc-region": at };
    const call = signedCall(url, { ...key, wireFormat: publicApi, product, action, headers, body: JSON.stringify(body) });
    return response.parse((await sent(url, call)).answer).Response;
  };
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
  if (typeof found !== "string") throw new Error(`there is no ${path.join(".")} in ${JSON.stringify(value)}`);
  return found;
}
