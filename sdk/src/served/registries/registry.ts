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
import { decoded, digestFrom, HungUp, nameFrom, referenceFrom, Refusal, shown } from "./protocol.ts";
import { ContentStore, Uploads } from "./store.ts";

/** What is done at a path, by method. */
type Methods = Readonly<Record<string, () => Promise<void> | void>>;

const reading = (answer: () => Promise<void> | void): Methods => ({ GET: answer, HEAD: answer });

/** The paths below `/v2/`, with what is done there. The name of a repository may have the words of the others in it. */
const routes: readonly (readonly [path: RegExp, methods: (exchange: Exchange, name: string, last: string) => Methods])[] = [
  [/^$/, (exchange) => reading(() => welcome(exchange))],
  [/^_catalog$/, (exchange) => reading(() => listRepositories(exchange))],
  [/^(.+)\/tags\/list$/, (exchange, name) => reading(() => listTags(exchange, { name }))],
  [/^(.+)\/blobs\/uploads\/?$/, (exchange, name) => ({ POST: () => beginUpload(exchange, { name }) })],
  [
    /^(.+)\/blobs\/uploads\/([^/]+)$/,
    (exchange, name, id) => ({
      ...reading(() => tellUpload(exchange, { name, id })),
      PATCH: () => addChunk(exchange, { name, id }),
      PUT: () => endUpload(exchange, { name, id }),
      DELETE: () => cancelUpload(exchange, { name, id }),
    }),
  ],
  [
    /^(.+)\/blobs\/([^/]+)$/,
    (exchange, name, last) => {
      const asked = { name, digest: digestFrom(last) };
      return { ...reading(() => pullBlob(exchange, asked)), DELETE: () => removeBlob(exchange, asked) };
    },
  ],
  [
    /^(.+)\/manifests\/([^/]+)$/,
    (exchange, name, last) => {
      const asked = { name, reference: referenceFrom(last) };
      const changing = { PUT: () => pushManifest(exchange, asked), DELETE: () => removeManifest(exchange, asked) };
      return { ...reading(() => pullManifest(exchange, asked)), ...changing };
    },
  ],
  [
    /^(.+)\/referrers\/([^/]+)$/,
    (exchange, name, last) => {
      const asked = { name, digest: digestFrom(last) };
      return reading(() => listReferrers(exchange, asked));
    },
  ],
];

/** @throws Refusal for a path that the protocol does not have, an invalid name, and an invalid digest or tag. */
function methodsAt(path: string, exchange: Exchange): Methods {
  const [whole, rest = ""] = /^\/v2(?:\/(.*))?$/s.exec(decoded(path)) ?? [];
  const route = whole === undefined ? undefined : routes.find(([pattern]) => pattern.test(rest));
  if (!route) throw new Refusal(404, "UNSUPPORTED", `the distribution protocol has no path ${shown(path)}`);
  const [pattern, methodsOf] = route;
  const [, name, last = ""] = pattern.exec(rest) ?? [];
  return methodsOf(exchange, name === undefined ? "" : nameFrom(name), last);
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
      else await answerAt(pathname, exchange);
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

function answerAt(path: string, exchange: Exchange): Promise<void> | void {
  const methods = methodsAt(path, exchange);
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
