import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { InputError } from "../operation/errors.ts";
import type { World } from "../local/store/world.ts";
import { bodyOf, controlPath, dashboardPath, Departure, type Handler, type Incoming, type Outgoing } from "./http-messages.ts";
import { answerCall, broken, mostBytes, tooLarge } from "./calls.ts";
import type { RegistryLogin } from "./registry-login.ts";
import { realm } from "../served/registries/realm.ts";
import type { ImagesOptions, ServedImages } from "../served/registries/open.ts";
import type { KubernetesOptions, ServedKubernetes } from "../served/clusters/open.ts";
import type { DashboardOptions } from "./dashboard-endpoint.ts";

export type { ServedPort } from "../served/registries/ports.ts";

/** The most bytes of a control command: a snapshot of a large world fits in. */
const mostControlBytes = 256 * 1024 * 1024;

/** Timeouts of the server, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request. */
  readonly headers: number;
  /** For a whole request. */
  readonly request: number;
  /** For a connection without traffic, and for the next request on it. */
  readonly idle: number;
  /** For the answers under way when the server stops. */
  readonly stopping: number;
}

const usualTimeouts: Timeouts = { headers: 10_000, request: 60_000, idle: 75_000, stopping: 5000 };

export interface ServeOptions {
  /** A free port unless given. */
  readonly port?: number;
  /** The address to listen on: the loopback, 127.0.0.1, unless given. */
  readonly host?: string;
  readonly timeouts?: Partial<Timeouts>;
  /** Serves registries to image clients as well, each at ports of its own, and at its domain on the server's port. */
  readonly images?: ImagesOptions;
  /** Serves clusters to Kubernetes' clients as well, at ports of their own. */
  readonly kubernetes?: KubernetesOptions;
  /** Serves a page that shows the world, at `/`. It is for this machine alone: the server has to listen on the loopback. */
  readonly dashboard?: boolean;
  /** Is called with errors of the platform itself; without it, they are emitted as warnings of Node. */
  readonly report?: (mistake: unknown) => void;
}

/**
 * Serves the platform of a world over HTTP. Calls are signed with an access key of the world.
 *
 * @example
 * const world = World.open("world.db");
 * await using server = await serve(world);
 * const transport = await connect(server.url, { credentials: accessKeyOf(world) });
 *
 * @throws InputError if the server cannot listen on the address, or its dashboard would be open to other machines.
 * @throws ConfigurationError if another server has the world's registries or clusters, or if nothing can serve clusters here.
 */
export async function serve(world: World, options: ServeOptions = {}): Promise<PlatformServer> {
  const { host = "127.0.0.1", port = 0 } = options;
  if (options.dashboard && !isLoopback(host)) throw new InputError(`the dashboard is for this machine alone: it is not served at ${host}`);
  const timeouts = { ...usualTimeouts, ...options.timeouts };
  const report = options.report ?? ((mistake) => process.emitWarning(mistake instanceof Error ? mistake : String(mistake)));
  // First, as they may be refused, and take minutes when they are used for the first time.
  const { images, kubernetes } = await openClients(world, options, report);
  // An import would load the HTTP client as well, which takes as long as all the rest.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer({
    headersTimeout: timeouts.headers,
    // The upload of an image takes as long as it takes.
    requestTimeout: options.images ? 0 : timeouts.request,
    keepAliveTimeout: timeouts.idle,
    // How often Node checks the first two.
    connectionsCheckingInterval: Math.min(1000, timeouts.headers),
  });
  server.setTimeout(timeouts.idle);
  // Many clients may connect before the first connection is accepted.
  server.listen({ port, host, backlog: 2048 });
  await once(server, "listening").catch(async (error: unknown) => {
    await Promise.all([images?.[Symbol.asyncDispose](), kubernetes?.[Symbol.asyncDispose]()]);
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError(`the server cannot listen on port ${port} of ${host}: ${why}. Choose another port, or end what listens there`);
  });
  for (const clients of [images, kubernetes]) clients?.held.tellAddress(urlOf(server));
  const token = options.dashboard ? randomBytes(24).toString("base64url") : undefined;
  const answer = handlerOf(world, token === undefined ? undefined : { token, ports: async () => (await images?.ports.all()) ?? [] });
  const answering = async (incoming: Incoming) => {
    try {
      return await answer(incoming);
    } catch (mistake) {
      report(mistake);
      return broken();
    }
  };
  return new PlatformServer(server, timeouts, answering, { images, kubernetes, token });
}

/** What is served to clients of other kinds. */
async function openClients(
  world: World,
  options: Pick<ServeOptions, "images" | "kubernetes">,
  report: (mistake: unknown) => void,
): Promise<{ images: ServedImages | undefined; kubernetes: ServedKubernetes | undefined }> {
  const images = options.images && (await (await import("../served/registries/open.ts")).openImages(world, options.images, report));
  if (!options.kubernetes) return { images, kubernetes: undefined };
  try {
    const { openKubernetes } = await import("../served/clusters/open.ts");
    return { images, kubernetes: await openKubernetes(world, options.kubernetes, report, images?.registry.context.content) };
  } catch (error) {
    await images?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** Whether only this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

const imagePath = new RegExp(`^(/v2/|${realm}$)`);

/** The handlers by path. All but that of calls are loaded at their first request, as few servers need them. */
function handlerOf(world: World, dashboard: DashboardOptions | undefined): Handler {
  const show = (incoming: Incoming, options: DashboardOptions) =>
    import("./dashboard-endpoint.ts").then(({ answerDashboard }) => answerDashboard(world, options, incoming));
  let loaded: Promise<RegistryLogin> | undefined;
  const registryLogin = () => (loaded ??= import("./registry-login.ts").then(({ RegistryLogin }) => new RegistryLogin(world)));
  const handlers: readonly (readonly [path: RegExp, handler: Handler])[] = [
    [/^\/$/, (incoming) => (dashboard && isOfBrowser(incoming) ? show(incoming, dashboard) : answerCall(world, incoming))],
    ...(dashboard ? [[new RegExp(`^${dashboardPath}`), (incoming: Incoming) => show(incoming, dashboard)] as const] : []),
    [/^\/v2\//, (incoming) => registryLogin().then((login) => login.exchange(incoming))],
    [new RegExp(`^${realm}$`), (incoming) => registryLogin().then((login) => login.login(incoming))],
    [
      new RegExp(`^${controlPath}$`),
      (incoming) => import("./control-endpoint.ts").then(({ answerControl }) => answerControl(world, incoming)),
    ],
  ];
  return (incoming) => {
    const handler = handlers.find(([path]) => path.test(incoming.path))?.[1];
    return handler ? handler(incoming) : { status: 404, headers: { "content-type": "text/plain" }, body: "a call is a POST of /\n" };
  };
}

/** A call that is sent as a GET by mistake asks for no page. */
function isOfBrowser({ method, headers }: Incoming): boolean {
  return method === "GET" && (headers.accept ?? "").includes("text/html");
}

/** A platform that is being served. */
export class PlatformServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #timeouts: Timeouts;
  readonly #answer: (incoming: Incoming) => Promise<Outgoing | undefined>;
  /** The registries that are served to image clients, if they are. */
  readonly images: ServedImages | undefined;
  /** The clusters that are served to Kubernetes' clients, if they are. */
  readonly kubernetes: ServedKubernetes | undefined;
  /** The address, such as `http://127.0.0.1:4577`. Clients take it as their endpoint. */
  readonly url: string;
  /** The address of the page that shows the world, if it is served. It has a token in it, which another server does not take. */
  readonly dashboardUrl: string | undefined;
  #answering = 0;
  #stopping = false;
  #stopped: Promise<void> | undefined;

  /** @param token that of the dashboard, if it is served */
  constructor(
    server: Server,
    timeouts: Timeouts,
    answer: (incoming: Incoming) => Promise<Outgoing | undefined>,
    { images, kubernetes, token }: Pick<PlatformServer, "images" | "kubernetes"> & { readonly token: string | undefined },
  ) {
    this.#server = server;
    this.images = images;
    this.kubernetes = kubernetes;
    this.#timeouts = timeouts;
    this.#answer = answer;
    this.url = urlOf(server);
    this.dashboardUrl = token === undefined ? undefined : `${this.url}/#token=${token}`;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response));
  }

  /** Stops the server: it accepts no more connections, and answers the calls under way. */
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
    }, this.#timeouts.stopping);
    this.#endConnections();
    await Promise.all([stopped, this.images?.[Symbol.asyncDispose](), this.kubernetes?.[Symbol.asyncDispose]()]);
    clearTimeout(over);
  }

  /** Once the server stops and has answered all calls, closes the connections that are left, whatever they have sent. */
  #endConnections(): void {
    if (this.#stopping && this.#answering === 0) this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? "");
    if (this.images && imagePath.test(path)) {
      this.#begin(response);
      const server = (request.headers.host ?? "").toLowerCase().replace(/:\d+$/, "");
      await this.images.registry.answer(request, response, { from: { clientIp: addressOf(request) }, server });
      return;
    }
    const body = await bodyOf(request, request.url === controlPath ? mostControlBytes : mostBytes);
    if (body === "gone") return;
    const departure = this.#begin(response);
    const { method = "", headers } = request;
    const outgoing =
      body === "too large" ? tooLarge() : await this.#answer({ method, path, headers, body, clientIp: addressOf(request), departure });
    if (!outgoing) {
      response.destroy();
      return;
    }
    const ending = this.#stopping ? { connection: "close" } : {};
    response.writeHead(outgoing.status, { ...outgoing.headers, ...ending, "content-length": Buffer.byteLength(outgoing.body) });
    response.end(outgoing.body);
  }

  #begin(response: ServerResponse): Departure {
    this.#answering++;
    const departure = new Departure();
    response.on("close", () => {
      this.#answering--;
      if (!response.writableFinished) departure.note();
      this.#endConnections();
    });
    return departure;
  }
}

function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no address");
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}

function addressOf({ socket }: Pick<IncomingMessage, "socket">): string {
  return (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
}

/** Without a query. A client that takes the server for a proxy sends the whole URL. */
function pathOf(url: string): string {
  const path = url.startsWith("/") ? url : URL.canParse(url) ? new URL(url).pathname : "";
  return path.split("?", 1)[0] ?? "";
}
