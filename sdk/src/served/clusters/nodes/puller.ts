import { z } from "zod";
import { fitsPattern, jsonIn } from "../../../formats/texts.ts";
import { type ClientLocation, everyRegistry, type Place } from "../../../local/registry/access/container-client.ts";
import { dedicatedDomainOf, isRegistryDomain, publicDomainOf, servedRegistry } from "../../../local/registry/access/endpoints.ts";
import { externalEndpointStateAt, internalEndpointStateAt, registryStatusAt } from "../../../local/registry/states.ts";
import { internalEndpoints } from "../../../local/registry/tables.ts";
import type { World } from "../../../local/store/world.ts";
import { digestFrom, HungUp, nameFrom, type Reference, Refusal, tagFrom } from "../../registries/protocol.ts";
import { pull, type Pulling } from "../../registries/pull.ts";
import type { SecretObject } from "./api.ts";

/**
 * The server of an image, in lower case and with its port, and the rest of its name, as in `acme-vpc.registry.container-platform.internal/team/web:v1`.
 * The server is what stands before the first slash, if that is a domain, an address, or has a port. Other names are those of Docker Hub.
 */
export function imageName(image: string) {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = /[.:]/.test(first) || first === "localhost";
  return isHost ? { host: first.toLowerCase(), rest: image.slice(slash + 1) } : { host: "docker.io", rest: image };
}

/**
 * The repository of an image, and what of it is meant: a digest counts before a tag, and without both it is the tag `latest`.
 *
 * @throws Refusal for an invalid one
 */
export function askedFrom(rest: string): { name: string; reference: Reference } {
  const [tagged = "", digest] = rest.split("@", 2);
  const [, path = tagged, tag] = /^(.*):([^:/]*)$/.exec(tagged) ?? [];
  const name = nameFrom(path);
  return { name, reference: digest === undefined ? { tag: tagFrom(tag ?? "latest") } : { digest: digestFrom(digest) } };
}

/** What a pod's secret logs in with, at servers whose names match a pattern. */
export interface Login {
  readonly pattern: string;
  readonly username: string;
  readonly password: string;
}

const entry = z.object({ username: z.string().optional(), password: z.string().optional(), auth: z.string().optional() });
const auths = z.record(z.string(), entry);
const config = z.object({ auths });

/** How the types of secrets keep logins. */
const forms = {
  "kubernetes.io/dockerconfigjson": { key: ".dockerconfigjson", read: (json: unknown) => config.safeParse(json).data?.auths },
  "kubernetes.io/dockercfg": { key: ".dockercfg", read: (json: unknown) => auths.safeParse(json).data },
} as const;

function isForm(type: string): type is keyof typeof forms {
  return Object.hasOwn(forms, type);
}

/** The logins of a secret; a sentence if it has none to be read. */
export function loginsIn({ type, data }: SecretObject): readonly Login[] | string {
  if (!isForm(type)) return `is of type ${type || "Opaque"}; a pull secret is of type ${Object.keys(forms).join(" or ")}`;
  const { key, read } = forms[type];
  const found = read(jsonIn(Buffer.from(data[key] ?? "", "base64").toString()));
  if (!found) return `has no logins in ${key}: it takes {"auths": {"<server>": {"username": "…", "password": "…"}}}`;
  return Object.entries(found).map(([pattern, { username, password, auth }]) => {
    const [, user = "", secret = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(auth ?? "", "base64").toString()) ?? [];
    return { pattern, username: username ?? user, password: password ?? secret };
  });
}

/** Whether a login is for an image: its server is the image's, `*` stands for a part of a domain, and its path begins the image's. */
export function isFor({ pattern }: Login, host: string, repository: string): boolean {
  const [wanted = "", ...path] = pattern
    .replace(/^https?:\/\//, "")
    .replace(/\/v[12]\/?$/, "")
    .split("/");
  const [parts, given] = [wanted.toLowerCase().split("."), host.split(".")];
  const fits = parts.length === given.length && parts.every((part, index) => fitsPattern(part, given[index] ?? ""));
  return fits && repository.startsWith(path.join("/"));
}

/** Where a node stands. */
export interface Standpoint {
  readonly region: string;
  readonly vpcId: string;
}

/** The address with which nodes come from the internet: this machine's own, on which they are. */
const publicAddressOfNodes = "127.0.0.1";

/** What an image's server is to a node. `elsewhere` is no registry of the platform. */
export type Server =
  | { readonly kind: "elsewhere" }
  /** With the ways by which the node tries it, and the registry, if there is one. */
  | { readonly kind: "registry"; readonly place: Place | undefined; readonly ways: readonly ClientLocation[] }
  /** The address of a connection, which proves that there is one, and is no server to pull from. */
  | { readonly kind: "endpoint"; readonly place: Place };

function serverAt(world: World, host: string, from: Standpoint): Server {
  const all = everyRegistry(world);
  const connected = all.find((place) => connectionsOf(place, from.vpcId).some(({ address }) => address === withoutPort(host)));
  if (connected) return { kind: "endpoint", place: connected };
  const served = servedRegistry(world, host);
  if (served === undefined && !isRegistryDomain(host) && !isLoopback(host)) return { kind: "elsewhere" };
  const place = all.find(
    ({ registry }) => registry.id === served || [publicDomainOf(registry), dedicatedDomainOf(registry)].includes(host),
  );
  const isPublic = place !== undefined && host !== dedicatedDomainOf(place.registry);
  return { kind: "registry", place, ways: [from, ...(isPublic ? [{ clientIp: publicAddressOfNodes }] : [])] };
}

/** Why a node does not reach a registry. */
function whyUnreachable(world: World, host: string, from: Standpoint, { place, ways }: Extract<Server, { kind: "registry" }>): string {
  if (!place) return `no registry of the platform is at ${host}: no such host`;
  const { registry } = place;
  const now = world.now();
  const status = registryStatusAt(registry.timeline, now);
  if (status !== "Running") return `registry ${registry.name} is ${status}; images are pulled from one that is Running`;
  const inside = insideLack(world, place, host, from);
  if (ways.length === 1) return inside;
  return `${inside}; and its public endpoint is ${externalEndpointStateAt(registry.publicAccess, now)}, which would have to be Opened to pull over the internet`;
}

function insideLack(world: World, place: Place, host: string, { vpcId }: Standpoint): string {
  const { name, id } = place.registry;
  const states = connectionsOf(place, vpcId).map(({ timeline }) => internalEndpointStateAt(timeline, world.now()));
  if (states.includes("Running"))
    return `${vpcId} does not resolve ${host}: registry ${name} is connected to it, but its DNS is not (CreateInternalEndpointDns)`;
  const state = states[0] === undefined ? "not connected to it" : `still ${states[0]}`;
  return `access to registry ${name} (${id}) from ${vpcId}, where the node is, is not enabled: the registry is ${state} (ManageInternalEndpoint)`;
}

function connectionsOf({ at, registry }: Place, vpcId: string) {
  return at.list(internalEndpoints, registry.id).filter((endpoint) => endpoint.vpcId === vpcId);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, "");
}

/** To a node, that is itself: nobody but a registry that is served answers there. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3})$/.test(withoutPort(host));
}

/** A pull secret that a pod names. */
export interface PullSecret {
  /** With its namespace. */
  readonly name: string;
  /** `undefined` if it is not there. */
  readonly object: SecretObject | undefined;
}

/** What came of a pull: the digest, where the registry is one of the platform's; or why there is none. */
export type Pulled = { readonly digest: string | undefined } | { readonly complaint: string };

type Named = Login & { readonly secret: string };

/** Pulls images for the nodes of a world as a kubelet does: with the pod's secrets, from where the node stands. Other registries' images count as pulled. */
export class Puller {
  readonly #pulling: Pulling;

  constructor(pulling: Pulling) {
    this.#pulling = pulling;
  }

  async pull(image: string, from: Standpoint, secrets: readonly PullSecret[]): Promise<Pulled> {
    const { world } = this.#pulling;
    const { host, rest } = imageName(image);
    const server = serverAt(world, host, from);
    if (server.kind === "elsewhere") return { digest: undefined };
    if (server.kind === "endpoint")
      return {
        complaint: `${host} is the internal endpoint of registry ${server.place.registry.name}, which shows that it is connected and is never the server of a pull: name its dedicated domain`,
      };
    const logins = loginsFor(secrets, host, rest);
    for (const way of server.ways) {
      const pulled = await this.#tryLogins(host, rest, way, { secrets, logins });
      if (pulled) return pulled;
    }
    return { complaint: whyUnreachable(world, host, from, server) };
  }

  /** `undefined` if the registry is not reached this way. */
  async #tryLogins(
    host: string,
    rest: string,
    from: ClientLocation,
    { secrets, logins }: { secrets: readonly PullSecret[]; logins: readonly Named[] },
  ): Promise<Pulled | undefined> {
    let complaint = "";
    for (const login of logins.length > 0 ? logins : [undefined]) {
      const authorization = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
      try {
        return { digest: await pull(this.#pulling, { authorization, host, server: host, from }, askedFrom(rest)) };
      } catch (error) {
        if (error instanceof HungUp) return undefined;
        if (!(error instanceof Refusal)) throw error;
        complaint = login ? withLogin(error, login) : withoutLogin(error, host, secrets);
      }
    }
    return { complaint };
  }
}

/** The logins for an image; those of longer patterns, which say more, come first. */
function loginsFor(secrets: readonly PullSecret[], host: string, rest: string): Named[] {
  const all = secrets.flatMap(({ name, object }) => {
    const found = object ? loginsIn(object) : [];
    return typeof found === "string" ? [] : found.map((login) => ({ ...login, secret: name }));
  });
  return all.filter((login) => isFor(login, host, rest)).sort((one, other) => other.pattern.length - one.pattern.length);
}

function withLogin({ status, message }: Refusal, { username, secret }: Named): string {
  return status === 401 ? `${message} (log-in as ${username}, of secret ${secret})` : message;
}

function withoutLogin({ status, message }: Refusal, host: string, secrets: readonly PullSecret[]): string {
  if (status !== 401) return message;
  if (secrets.length === 0)
    return `${message}: neither the pod nor its service account names a secret in imagePullSecrets, and it needs one with a log-in for ${host}`;
  return `${message}: ${secrets.map((secret) => lackOf(secret, host)).join("; ")}`;
}

function lackOf({ name, object }: PullSecret, host: string): string {
  if (!object) return `there is no secret ${name}, which imagePullSecrets names`;
  const found = loginsIn(object);
  if (typeof found === "string") return `secret ${name} ${found}`;
  const servers = found.map(({ pattern }) => pattern).join(", ");
  return `secret ${name} has log-ins for ${servers || "no server"}, and the image is at ${host}`;
}
