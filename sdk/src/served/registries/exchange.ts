import type { IncomingMessage, ServerResponse } from "node:http";
import { recordImageEvent } from "../../local/audit/events.ts";
import type { User } from "../../local/registry/access/container-client.ts";
import { immutableTagWith, overflowOf, type Repository, repositoryIn } from "../../local/registry/content/images.ts";
import { applyRetention } from "../../local/registry/content/retention.ts";
import type { NamespaceRow } from "../../local/registry/tables.ts";
import type { World } from "../../local/store/world.ts";
import { registryRules } from "../../rules/registry.ts";
import type { AccessControl, Caller, Need, Identity } from "./access.ts";
import { type Digest, Refusal, shown } from "./protocol.ts";
import type { ContentStore, Uploads } from "./store.ts";

/** The world, which decides, and the stores of the bytes that it does not hold. */
export interface RegistryContext {
  readonly world: World;
  readonly content: ContentStore;
  readonly uploads: Uploads;
  readonly access: AccessControl;
}

/** A client, and the access control that decides about it. */
export interface Asking {
  readonly context: Pick<RegistryContext, "world" | "access">;
  readonly caller: Caller;
}

/** One request of an image client. */
export interface Exchange extends Asking {
  readonly context: RegistryContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

/** A repository, and who does something in it. It need not exist yet. */
export interface Permitted extends Repository {
  readonly name: string;
  readonly user: User | undefined;
  readonly namespace: NamespaceRow;
}

/**
 * Does work of a client in a repository, in one transaction of the world.
 *
 * @throws Refusal if the client may not do that there
 */
export function within<T>({ context, caller }: Asking, need: Need, work: (repository: Permitted) => Promise<T> | T): Promise<T> {
  return context.world.transaction(() => {
    const identity = context.access.authenticate(caller);
    const namespace = context.access.authorize(caller, identity, need);
    const repository = repositoryOf(identity, need.name);
    applyRetention(repository.at, identity.place.registry.id);
    return work({ ...repository, name: need.name, user: identity.user, namespace });
  });
}

export function repositoryOf({ place: { at, registry } }: Identity, name: string): Repository {
  const [namespace = "", ...rest] = name.split("/");
  return repositoryIn(at, { registryId: registry.id, namespace, repository: rest.join("/") });
}

/** @throws Refusal for a repository that the platform does not take. */
export function refuseName(repository: string): void {
  if (registryRules.repositoryName.allows(repository)) return;
  const rule = registryRules.repositoryName.takes;
  throw new Refusal(400, "NAME_INVALID", `${shown(repository)} is no repository of a namespace: it takes ${rule}, as in team/web`);
}

/** @throws Refusal for content for which the registry has no room. */
export function refuseOverflow(repository: Repository, content: Parameters<typeof overflowOf>[1]): void {
  const overflow = overflowOf(repository, content);
  if (overflow)
    throw new Refusal(
      403,
      "DENIED",
      `the storage quota of the registry is ${overflow.quota} bytes, and with this content it would have ${overflow.used}: delete images first`,
    );
}

/** @throws Refusal for content of an immutable image, which would be none without it. */
export function refuseTakenApart(repository: Permitted, { text }: Digest): void {
  const tag = immutableTagWith(repository, text);
  if (tag !== undefined)
    throw new Refusal(403, "DENIED", `the tag ${repository.name}:${tag} is immutable, and its image has ${text}; it cannot be deleted`);
}

/** Writes down what a client changed. */
export function record({ at, path, name, user }: Permitted, action: string, names: readonly string[]): void {
  recordImageEvent(at, {
    user: user?.name ?? "anonymous",
    action,
    effect: "write",
    names: [path.registryId, path.namespace, path.repository, name, ...names],
    code: "",
    parameters: { RegistryId: path.registryId, NamespaceName: path.namespace, RepositoryName: path.repository },
  });
}

type Headers = Readonly<Record<string, string | number | readonly string[]>>;

/** Answers without a body. */
export function answerEmpty({ response }: Exchange, status: number, headers: Headers = {}): void {
  response.writeHead(status, withVersion({ ...headers, ...(status !== 204 && { "content-length": 0 }) }));
  response.end();
}

/** Answers with a body, which a HEAD leaves out. */
export function answerBytes({ request, response }: Exchange, status: number, headers: Headers, bytes: Uint8Array): void {
  response.writeHead(status, withVersion({ ...headers, "content-length": bytes.byteLength }));
  response.end(request.method === "HEAD" ? undefined : bytes);
}

export function answerJson(exchange: Exchange, body: object, headers: Headers = {}, status = 200): void {
  answerBytes(exchange, status, { "content-type": "application/json", ...headers }, Buffer.from(JSON.stringify(body)));
}

export function withVersion(headers: Headers): Record<string, string | number | string[]> {
  const lists = Object.entries(headers).map(([name, value]) => [name, typeof value === "object" ? [...value] : value] as const);
  return { "docker-distribution-api-version": "registry/2.0", ...Object.fromEntries(lists) };
}

/**
 * The body of a request that may have so many bytes.
 *
 * @param what what it is, in words
 * @throws Refusal if it has more. The rest is read and dropped: many clients read no answer before they have sent all.
 */
export async function bodyOf(request: AsyncIterable<Uint8Array>, most: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.byteLength;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > most) throw new Refusal(413, "SIZE_INVALID", `${what} has more than ${most} bytes`);
  return Buffer.concat(chunks);
}
