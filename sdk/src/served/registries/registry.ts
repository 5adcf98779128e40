import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientLocation } from "../../local/registry/access/container-client.ts";
import { isDiskFull } from "../../local/store/sqlite.ts";
import type { World } from "../../local/store/world.ts";
import { answerJson, bodyOf, type RegistryContext, type Exchange } from "./exchange.ts";
import { addChunk, beginUpload, cancelUpload, endUpload, pullBlob, removeBlob, tellUpload } from "./blobs.ts";
import { listReferrers, listRepositories, listTags, pullManifest, pushManifest, removeManifest } from "./manifests.ts";
import { isConnectionLost } from "../ports.ts";
import { AccessControl } from "./access.ts";
import { realm } from "./realm.ts";
import { HungUp, Refusal, type Route, routeOf } from "./protocol.ts";
import { ContentStore, Uploads } from "./store.ts";

/** What is done at a path, by method. */
type Methods = Readonly<Record<string, () => Promise<void> | void>>;

function methodsOf(exchange: Exchange, route: Route): Methods {
  const reading = (answer: () => Promise<void> | void) => ({ GET: answer, HEAD: answer });
  switch (route.kind) {
    case "base":
      return reading(() => welcome(exchange));
    case "catalog":
      return reading(() => listRepositories(exchange));
    case "tags":
      return reading(() => listTags(exchange, route));
    case "referrers":
      return reading(() => listReferrers(exchange, route));
    case "manifest":
      return {
        ...reading(() => pullManifest(exchange, route)),
        PUT: () => pushManifest(exchange, route),
        DELETE: () => removeManifest(exchange, route),
      };
    case "blob":
      return { ...reading(() => pullBlob(exchange, route)), DELETE: () => removeBlob(exchange, route) };
    case "uploads":
      return { POST: () => beginUpload(exchange, route) };
    case "upload":
      return {
        ...reading(() => tellUpload(exchange, route)),
        PATCH: () => addChunk(exchange, route),
        PUT: () => endUpload(exchange, route),
        DELETE: () => cancelUpload(exchange, route),
      };
  }
}

/** Where the clients of a port stand, and which registry answers there. */
export interface Standpoint {
  readonly from: ClientLocation;
  /** The domain or the address of the registry. */
  readonly server: string;
}

/** The registries of a world for image clients: the distribution protocol of the Open Container Initiative. */
export class ImageRegistry {
  readonly context: RegistryContext;
  readonly report: (mistake: unknown) => void;

  /** @param folder where the content of images is kept */
  constructor(world: World, folder: string, report: (mistake: unknown) => void) {
    this.context = { world, content: new ContentStore(folder), uploads: new Uploads(folder), access: new AccessControl(world) };
    this.report = report;
  }

  /** Answers a request. It never throws: what goes wrong is answered, or reported. */
  async answer(request: IncomingMessage, response: ServerResponse, standpoint: Standpoint): Promise<void> {
    const [pathname = "", asked] = (request.url ?? "").split("?", 2);
    const query = new URLSearchParams(asked);
    const caller = { authorization: request.headers.authorization, host: request.headers.host ?? "", ...standpoint };
    const exchange: Exchange = { context: this.context, caller, request, response, query };
    try {
      if (pathname === realm) await logIn(exchange);
      else await answerRoute(exchange, routeOf(pathname));
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #fail(exchange: Exchange, error: unknown): void {
    const { response } = exchange;
    if (error instanceof HungUp || response.headersSent || response.destroyed) {
      const isOwn = !(error instanceof HungUp) && !isConnectionLost(error);
      if (isOwn) this.report(error);
      response.destroy();
      return;
    }
    const { status, code, message, detail, headers } = error instanceof Refusal ? error : this.#mistake(error);
    answerJson(exchange, { errors: [{ code, message, ...(detail !== undefined && { detail }) }] }, headers, status);
  }

  #mistake(error: unknown): Refusal {
    if (isDiskFull(error))
      return new Refusal(507, "UNKNOWN", `the disk of the registry is full (${this.context.content.folder}): make room, then try again`);
    this.report(error);
    return new Refusal(500, "UNKNOWN", "the platform made a mistake; whoever runs it was told which");
  }
}

function answerRoute(exchange: Exchange, route: Route): Promise<void> | void {
  const methods = methodsOf(exchange, route);
  const { method = "" } = exchange.request;
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (answer) return answer();
  throw new Refusal(405, "UNSUPPORTED", `${method} is nothing that this path takes`, {
    headers: { allow: Object.keys(methods).join(", ") },
  });
}

/** 401 without a log-in (specification, Registry access rules). */
function welcome(exchange: Exchange): void {
  exchange.context.access.authenticateUser(exchange.caller);
  answerJson(exchange, {});
}

/** Whoever reaches the registry may send one: a user, a secret and some scopes. */
const mostLoginBytes = 64 * 1024;

/** GET of the realm, and POST in the form of OAuth 2. */
async function logIn(exchange: Exchange): Promise<void> {
  const { request, query, context, caller } = exchange;
  const asked = request.method === "POST" ? new URLSearchParams((await bodyOf(request, mostLoginBytes, "the log-in")).toString()) : query;
  const login = { username: asked.get("username") ?? "", password: asked.get("password") ?? "" };
  const isGiven = asked.get("grant_type") === "password";
  answerJson(exchange, context.access.login(caller, { ...(isGiven && { login }), scopes: asked.getAll("scope") }));
}
