import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { InputError } from "../operation/errors.ts";
import type { World } from "../local/store/world.ts";
import { bodyOf } from "./body.ts";
import { answerCall, broken, mostBytes, tooLarge } from "./calls.ts";
import type { Door, Incoming, Outgoing } from "./exchange.ts";
import type { FrontDoor } from "./front-door.ts";
import { controlPath, realm } from "./paths.ts";

/** Bytes that a command of control can have: a snapshot of a large world fits in. */
const mostControlBytes = 256 * 1024 * 1024;

/** How long clients are waited for, in milliseconds. */
export interface Patience {
  /** Until a request's headers are there. */
  readonly headers: number;
  /** Until a request is there as a whole. */
  readonly request: number;
  /** For something to happen on a connection, and for the next request on it. */
  readonly idle: number;
  /** When it stops, for answers that are under way. */
  readonly stopping: number;
}

const usualPatience: Patience = { headers: 10_000, request: 60_000, idle: 75_000, stopping: 5000 };

export interface ServeOptions {
  /** One that is free unless given. */
  readonly port?: number;
  /** The address to listen on: the loopback, 127.0.0.1, unless given. */
  readonly host?: string;
  readonly patience?: Partial<Patience>;
  /** Is told the platform's own mistakes; Node's warnings show them unless given. */
  readonly report?: (mistake: unknown) => void;
}

/**
 * Serves the platform of a world over HTTP, to whoever signs calls with a key of the world.
 *
 * @example
 * const world = World.open("world.db");
 * await using server = await serve(world);
 * const transport = await connect(server.url, { credentials: accessKeyOf(world) });
 *
 * @throws InputError if the address cannot be had.
 */
export async function serve(world: World, options: ServeOptions = {}): Promise<PlatformServer> {
  const { host = "127.0.0.1", port = 0 } = options;
  const patience = { ...usualPatience, ...options.patience };
  const answer = doorsOf(world);
  const report = options.report ?? ((mistake) => process.emitWarning(mistake instanceof Error ? mistake : String(mistake)));
  // An import of it would load the client side of HTTP as well, which takes as long as all the rest.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer({
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    // How often it is looked after those two.
    connectionsCheckingInterval: Math.min(1000, patience.headers),
  });
  server.setTimeout(patience.idle);
  // Many clients may come at once, before the first is let in.
  server.listen({ port, host, backlog: 2048 });
  await once(server, "listening").catch((error: unknown) => {
    throw new InputError(`port ${port} of ${host} cannot be listened on: ${error instanceof Error ? error.message : String(error)}`);
  });
  return new PlatformServer(server, patience, async (incoming) => {
    try {
      return await answer(incoming);
    } catch (mistake) {
      report(mistake);
      return broken();
    }
  });
}

/** What is served, by path. All but calls is loaded at the first visit: few servers have any. */
function doorsOf(world: World): Door {
  let loaded: Promise<FrontDoor> | undefined;
  const frontDoor = () => (loaded ??= import("./front-door.ts").then(({ FrontDoor }) => new FrontDoor(world)));
  const doors: readonly (readonly [path: RegExp, door: Door])[] = [
    [/^\/$/, (incoming) => answerCall(world, incoming)],
    [/^\/v2\//, (incoming) => frontDoor().then((door) => door.visit(incoming))],
    [new RegExp(`^${realm}$`), (incoming) => frontDoor().then((door) => door.login(incoming))],
    [new RegExp(`^${controlPath}$`), (incoming) => import("./control-door.ts").then(({ answerControl }) => answerControl(world, incoming))],
  ];
  return (incoming) => {
    const door = doors.find(([path]) => path.test(incoming.path))?.[1];
    return door ? door(incoming) : { status: 404, headers: { "content-type": "text/plain" }, body: "a call is a POST of /\n" };
  };
}

/** A platform that is being served. */
export class PlatformServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #patience: Patience;
  readonly #answer: (incoming: Incoming) => Promise<Outgoing | undefined>;
  /** Where it is, such as `http://127.0.0.1:4577`: an endpoint. */
  readonly url: string;
  #answering = 0;
  #stopping = false;
  #stopped: Promise<void> | undefined;

  constructor(server: Server, patience: Patience, answer: (incoming: Incoming) => Promise<Outgoing | undefined>) {
    this.#server = server;
    this.#patience = patience;
    this.#answer = answer;
    this.url = urlOf(server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response));
  }

  /** Stops: nobody is let in any more, and calls that are there are answered. */
  close(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #stop(): Promise<void> {
    this.#stopping = true;
    const stopped = once(this.#server, "close");
    this.#server.close();
    const over = setTimeout(() => {
      this.#server.closeAllConnections();
    }, this.#patience.stopping);
    this.#endConnections();
    await stopped;
    clearTimeout(over);
  }

  /** Nothing more is expected of connections on which nothing is being answered, whatever else they are about. */
  #endConnections(): void {
    if (this.#stopping && this.#answering === 0) this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request, request.url === controlPath ? mostControlBytes : mostBytes);
    if (body === "gone") return;
    this.#answering++;
    const gone = new AbortController();
    response.once("close", () => {
      this.#answering--;
      if (!response.writableFinished) gone.abort();
      this.#endConnections();
    });
    const outgoing = body === "too large" ? tooLarge() : await this.#answer(incomingOf(request, body, gone.signal));
    if (!outgoing) {
      response.destroy();
      return;
    }
    const ending = this.#stopping ? { connection: "close" } : {};
    response.writeHead(outgoing.status, { ...outgoing.headers, ...ending, "content-length": Buffer.byteLength(outgoing.body) });
    response.end(outgoing.body);
  }
}

function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no address");
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}

function incomingOf({ method = "", url = "", headers, socket }: IncomingMessage, body: Uint8Array, signal: AbortSignal): Incoming {
  // Who asks a proxy names the whole address.
  const path = url.startsWith("/") ? url : URL.canParse(url) ? new URL(url).pathname : "";
  const clientIp = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  return { method, path: path.split("?")[0] ?? "", headers, body, clientIp, signal };
}
