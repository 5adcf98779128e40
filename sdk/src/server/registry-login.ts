import { randomBytes } from "node:crypto";
import { loginComplaintOf } from "../local/registry/access/container-client.ts";
import type { World } from "../local/store/world.ts";
import type { Incoming, Outgoing } from "./http-messages.ts";
import { realm } from "./paths.ts";

/** How long a session of a container client lasts, in seconds. Its credentials are checked again at each request. */
const sessionSeconds = 300;

interface Login {
  readonly username: string;
  readonly password: string;
}

interface Session extends Login {
  readonly domain: string;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly until: number;
}

const nobody: Login = { username: "", password: "" };

/** The log-in of container clients at the domains of registries: who may log in, and from where. Images are not transferred. */
export class RegistryLogin {
  readonly #world: World;
  readonly #sessions = new Map<string, Session>();

  constructor(world: World) {
    this.#world = world;
  }

  /** `/v2/` and the paths below: 401 without a log-in, 403 from outside of the whitelist (specification, Registry access rules). */
  visit(incoming: Incoming): Outgoing | undefined {
    const { authorization } = incoming.headers;
    const login = basicLogin(authorization) ?? this.#session(incoming) ?? nobody;
    return this.#admit(incoming, login, () => (incoming.path === "/v2/" ? answered(200, {}) : noImages()));
  }

  /** The token realm: starts a session for the user name and secret of a token or a service account. */
  login(incoming: Incoming): Outgoing | undefined {
    const login = basicLogin(incoming.headers.authorization) ?? nobody;
    return this.#admit(incoming, login, () => {
      const now = Date.now();
      for (const [name, { until }] of this.#sessions) if (until <= now) this.#sessions.delete(name);
      const token = randomBytes(32).toString("base64url");
      this.#sessions.set(token, { ...login, domain: placeOf(incoming).domain, until: now + sessionSeconds * 1000 });
      return answered(200, { token, access_token: token, expires_in: sessionSeconds, issued_at: new Date(now).toISOString() });
    });
  }

  #admit(incoming: Incoming, login: Login, then: () => Outgoing): Outgoing | undefined {
    const { domain, port } = placeOf(incoming);
    const complaint = loginComplaintOf(this.#world, { server: domain, ...login, from: { clientIp: incoming.clientIp } });
    if (complaint === undefined) return then();
    // The connection is closed without an answer.
    if (complaint === "timeout") return undefined;
    if (complaint === "403")
      return refused(403, "DENIED", `requested access to the resource is denied: ${incoming.clientIp} is not in the whitelist`);
    const challenge = `Bearer realm="http://${domain}${port}${realm}",service="${domain}"`;
    return refused(401, "UNAUTHORIZED", "unauthorized: authentication required", { "www-authenticate": challenge });
  }

  #session(incoming: Incoming): Login | undefined {
    const token = /^Bearer +(\S+)$/i.exec(incoming.headers.authorization ?? "")?.[1];
    const session = token === undefined ? undefined : this.#sessions.get(token);
    return session?.domain === placeOf(incoming).domain && Date.now() < session.until ? session : undefined;
  }
}

/** The domain of the `Host` header in lower case, and its port with the colon. */
function placeOf({ headers }: Incoming): { domain: string; port: string } {
  const [, domain = "", port = ""] = /^(.*?)(:\d+)?$/.exec(headers.host ?? "") ?? [];
  return { domain: domain.toLowerCase(), port };
}

function basicLogin(authorization: string | undefined): Login | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function noImages(): Outgoing {
  return refused(404, "UNSUPPORTED", "images are not transferred by this platform");
}

function refused(status: number, code: string, message: string, headers: Record<string, string> = {}): Outgoing {
  return answered(status, { errors: [{ code, message }] }, headers);
}

function answered(status: number, body: object, headers: Record<string, string> = {}): Outgoing {
  const always = { "content-type": "application/json", "docker-distribution-api-version": "registry/2.0" };
  return { status, headers: { ...always, ...headers }, body: JSON.stringify(body) };
}
