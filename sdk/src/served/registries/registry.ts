import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientLocation } from "../../local/registry/access/container-client.ts";
import { isDiskFull } from "../../local/store/sqlite.ts";
import type { World } from "../../local/store/world.ts";
import { answerJson, bodyOf, type Counter, type Visit } from "./visit.ts";
import { addChunk, beginUpload, cancelUpload, endUpload, pullBlob, removeBlob, tellUpload } from "./blobs.ts";
import { listReferrers, listRepositories, listTags, pullManifest, pushManifest, removeManifest } from "./manifests.ts";
import { Door } from "./access.ts";
import { realm } from "./realm.ts";
import { HungUp, Refusal, type Route, routeOf } from "./protocol.ts";
import { ContentStore, Uploads } from "./store.ts";

/** What is done at a path, by method. */
type Methods = Readonly<Record<string, () => Promise<void> | void>>;

function methodsOf(visit: Visit, route: Route): Methods {
  const reading = (answer: () => Promise<void> | void) => ({ GET: answer, HEAD: answer });
  switch (route.kind) {
    case "base":
      return reading(() => welcome(visit));
    case "catalog":
      return reading(() => listRepositories(visit));
    case "tags":
      return reading(() => listTags(visit, route));
    case "referrers":
      return reading(() => listReferrers(visit, route));
    case "manifest":
      return {
        ...reading(() => pullManifest(visit, route)),
        PUT: () => pushManifest(visit, route),
        DELETE: () => removeManifest(visit, route),
      };
    case "blob":
      return { ...reading(() => pullBlob(visit, route)), DELETE: () => removeBlob(visit, route) };
    case "uploads":
      return { POST: () => beginUpload(visit, route) };
    case "upload":
      return {
        ...reading(() => tellUpload(visit, route)),
        PATCH: () => addChunk(visit, route),
        PUT: () => endUpload(visit, route),
        DELETE: () => cancelUpload(visit, route),
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
  readonly counter: Counter;
  readonly report: (mistake: unknown) => void;

  /** @param folder where the content of images is kept */
  constructor(world: World, folder: string, report: (mistake: unknown) => void) {
    this.counter = { world, content: new ContentStore(folder), uploads: new Uploads(folder), door: new Door(world) };
    this.report = report;
  }

  /** Answers a request. It never throws: what goes wrong is answered, or reported. */
  async answer(request: IncomingMessage, response: ServerResponse, standpoint: Standpoint): Promise<void> {
    const [pathname = "", asked] = (request.url ?? "").split("?", 2);
    const query = new URLSearchParams(asked);
    const knock = { authorization: request.headers.authorization, host: request.headers.host ?? "", ...standpoint };
    const visit: Visit = { counter: this.counter, knock, request, response, query };
    try {
      if (pathname === realm) await logIn(visit);
      else await answerRoute(visit, routeOf(pathname));
    } catch (error) {
      this.#fail(visit, error);
    }
  }

  #fail(visit: Visit, error: unknown): void {
    const { response } = visit;
    if (error instanceof HungUp || response.headersSent || response.destroyed) {
      const isOwn = !(error instanceof HungUp) && !isClientGone(error);
      if (isOwn) this.report(error);
      response.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : this.#mistake(error);
    const { status, code, message, detail, headers } = refusal;
    answerJson(visit, { errors: [{ code, message, ...(detail !== undefined && { detail }) }] }, headers, status);
  }

  #mistake(error: unknown): Pick<Refusal, "status" | "code" | "message" | "detail" | "headers"> {
    const nothing = { headers: {}, detail: undefined };
    if (isDiskFull(error))
      return {
        status: 507,
        code: "UNKNOWN",
        message: `the disk of the registry is full (${this.counter.content.folder}): make room, then try again`,
        ...nothing,
      };
    this.report(error);
    return { status: 500, code: "UNKNOWN", message: "the platform made a mistake; whoever runs it was told which", ...nothing };
  }
}

/** Whether a client has closed its connection before it had all. */
function isClientGone(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

function answerRoute(visit: Visit, route: Route): Promise<void> | void {
  const methods = methodsOf(visit, route);
  const { method = "" } = visit.request;
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (answer) return answer();
  throw new Refusal(405, "UNSUPPORTED", `${method} is nothing that this path takes`, {
    headers: { allow: Object.keys(methods).join(", ") },
  });
}

/** 401 without a log-in (specification, Registry access rules). */
function welcome(visit: Visit): void {
  visit.counter.door.enterAsUser(visit.knock);
  answerJson(visit, {});
}

/** Whoever reaches the registry may send one: a user, a secret and some scopes. */
const mostLoginBytes = 64 * 1024;

/** GET of the realm, and POST in the form of OAuth 2. */
async function logIn(visit: Visit): Promise<void> {
  const { request, query, counter, knock } = visit;
  const asked = request.method === "POST" ? new URLSearchParams((await bodyOf(request, mostLoginBytes, "the log-in")).toString()) : query;
  const login = { username: asked.get("username") ?? "", password: asked.get("password") ?? "" };
  const isGiven = asked.get("grant_type") === "password";
  answerJson(visit, counter.door.login(knock, { ...(isGiven && { login }), scopes: asked.getAll("scope") }));
}
