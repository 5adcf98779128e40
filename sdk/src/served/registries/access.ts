import { randomBytes } from "node:crypto";
import {
  type ClientLocation,
  type Credentials,
  type Doing,
  type Place,
  placeOf,
  type User,
  userOf,
} from "../../local/registry/access/container-client.ts";
import { type NamespaceRow, namespaces } from "../../local/registry/tables.ts";
import type { World } from "../../local/store/world.ts";
import { HungUp, Refusal } from "./protocol.ts";
import { realm } from "./realm.ts";

/** What a request needs: an action in a repository. */
export interface Need {
  /** The full name of the repository. */
  readonly name: string;
  readonly doing: Doing;
}

/** What a session was asked for: actions, by what they are on, such as `repository:team/web`. */
export type Scopes = ReadonlyMap<string, ReadonlySet<string>>;

/** The scopes of a log-in, such as `repository:team/web:pull,push`; several are given one by one, or in one text with spaces between. */
function scopesFrom(texts: readonly string[]): Scopes {
  const scopes = new Map<string, Set<string>>();
  for (const text of texts.flatMap((each) => each.split(" "))) {
    const [, on, actions = ""] = /^(.+):([^:]*)$/.exec(text) ?? [];
    if (on === undefined) continue;
    const there = scopes.get(on) ?? new Set();
    scopes.set(on, there);
    for (const action of actions.split(",")) there.add(action);
  }
  return scopes;
}

function includes(scopes: Scopes, { name, doing }: Need): boolean {
  const there = scopes.get(`repository:${name}`);
  return there !== undefined && (there.has(doing) || there.has("*"));
}

/** The scopes that a client is told to ask for. Whoever pushes pulls, too: clients look first what is there. */
function scopeText(needs: readonly Need[]): string {
  return needs.map(({ name, doing }) => `repository:${name}:${doing === "push" ? "pull,push" : doing}`).join(" ");
}

const wrongLogin = "the user name and secret are none of this registry's, or disabled, or expired";

/** How long a session of a container client lasts, in seconds. Its credentials are checked again at each request. */
const sessionSeconds = 300;

/** A request of a container client, as far as access depends on it. */
export interface Caller {
  readonly authorization: string | undefined;
  /** As its `Host` header calls the registry. */
  readonly host: string;
  /** The domain or the address of the registry that is asked. */
  readonly server: string;
  readonly from: ClientLocation;
}

/** An authenticated client. */
export interface Identity {
  readonly place: Place;
  /** Nobody without a log-in. */
  readonly user: User | undefined;
  /** What its session was asked for; everything without one. */
  readonly scopes: Scopes | undefined;
}

interface Session {
  readonly registryId: string;
  readonly login: Credentials | undefined;
  readonly scopes: Scopes;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly until: number;
}

/** Authenticates container clients at the registries of a world, and authorizes what they do (specification, Registry access rules). */
export class AccessControl {
  readonly #world: World;
  readonly #sessions = new Map<string, Session>();

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Authenticates a client, with or without a log-in.
   *
   * @throws HungUp if it does not reach the registry, and Refusal if its address or its log-in is rejected.
   */
  authenticate(caller: Caller): Identity {
    const place = this.#reached(caller);
    const { login, scopes } = this.#credentials(caller, place);
    const user = login && userOf(place, login);
    if (login && !user) throw challenge(caller, wrongLogin);
    return { place, user, scopes };
  }

  /** As `authenticate`, but requires a log-in. */
  authenticateUser(caller: Caller): Identity & { readonly user: User } {
    const { user, ...identity } = this.authenticate(caller);
    if (!user) throw challenge(caller, "authentication required");
    return { ...identity, user };
  }

  /**
   * The namespace in which a client does something.
   *
   * @throws Refusal if it may not, and if there is no such namespace.
   */
  authorize(caller: Caller, { place, user, scopes }: Identity, need: Need, all: readonly Need[] = [need]): NamespaceRow {
    const name = need.name.split("/", 1)[0] ?? "";
    const namespace = place.at.rows(namespaces).get(`${place.registry.id}/${name}`);
    const isOpen = need.doing === "pull" && namespace?.isPublic === true;
    if (!isOpen) {
      if (!user) throw challenge(caller, "authentication required", all);
      if (scopes && !includes(scopes, need))
        throw challenge(caller, `the token is not for ${scopeText([need])}`, all, "insufficient_scope");
      if (!user.may({ doing: need.doing, namespace: name }))
        throw new Refusal(
          403,
          "DENIED",
          `requested access to the resource is denied: ${user.name} may not ${need.doing} in namespace ${name}`,
        );
    }
    if (!namespace)
      throw new Refusal(
        404,
        "NAME_UNKNOWN",
        `the registry has no namespace ${name}; a repository is named <namespace>/<name>, as in team/web`,
      );
    return namespace;
  }

  /**
   * Starts a session. Without a log-in, it may do what everyone may.
   *
   * @throws as `authenticate`
   */
  login(caller: Caller, given: { readonly login?: Credentials; readonly scopes: readonly string[] }) {
    const place = this.#reached(caller);
    const login = given.login ?? basicLogin(caller.authorization);
    const isAnonymous = !login && caller.authorization === undefined && given.scopes.length > 0;
    if (!isAnonymous && !(login && userOf(place, login))) throw challenge(caller, login ? wrongLogin : "authentication required");
    const now = Date.now();
    for (const [name, { until }] of this.#sessions) if (until <= now) this.#sessions.delete(name);
    const token = randomBytes(32).toString("base64url");
    const scopes = scopesFrom(given.scopes);
    this.#sessions.set(token, { registryId: place.registry.id, login, scopes, until: now + sessionSeconds * 1000 });
    return { token, access_token: token, expires_in: sessionSeconds, issued_at: new Date(now).toISOString() };
  }

  #reached({ server, from }: Caller): Place {
    const place = placeOf(this.#world, server, from);
    if (place === "timeout") throw new HungUp(`nobody answers at ${server}`);
    if (place === "403") {
      const who = "clientIp" in from ? from.clientIp : from.vpcId;
      throw new Refusal(403, "DENIED", `requested access to the resource is denied: ${who} is not in the whitelist`);
    }
    return place;
  }

  #credentials(caller: Caller, { registry }: Place): { login: Credentials | undefined; scopes: Scopes | undefined } {
    const { authorization } = caller;
    if (authorization === undefined) return { login: undefined, scopes: undefined };
    const login = basicLogin(authorization);
    if (login) return { login, scopes: undefined };
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const session = token === undefined ? undefined : this.#sessions.get(token);
    if (session?.registryId === registry.id && Date.now() < session.until) return session;
    throw challenge(caller, "authentication required");
  }
}

function challenge({ host, server }: Caller, reason: string, needs: readonly Need[] = [], error = ""): Refusal {
  const scope = needs.length === 0 ? "" : `,scope="${scopeText(needs)}"`;
  const value = `Bearer realm="http://${host}${realm}",service="${server}"${scope}${error && `,error="${error}"`}`;
  return new Refusal(401, "UNAUTHORIZED", `unauthorized: ${reason}`, { headers: { "www-authenticate": value } });
}

function basicLogin(authorization: string | undefined): Credentials | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The domain of a `Host` header in lower case, without its port. */
export function domainOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "");
}
