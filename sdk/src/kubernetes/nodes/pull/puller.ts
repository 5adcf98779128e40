import { HungUp, Refusal } from "../../../images/protocol/refusal.ts";
import { pull, type Pulling } from "../../../images/pull.ts";
import type { ClientLocation } from "../../../local/registry/access/container-client.ts";
import { askedFrom, imageName } from "./image-name.ts";
import { isFor, type Login, loginsIn } from "./logins.ts";
import type { SecretObject } from "../api/objects.ts";
import { serverAt, type Standpoint, whyUnreachable } from "./reachability.ts";

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
