import { AccessControl, domainOf, type Caller } from "../served/registries/access.ts";
import { HungUp, Refusal } from "../served/registries/protocol.ts";
import type { World } from "../local/store/world.ts";
import { type Incoming, json, type Outgoing } from "./http-messages.ts";

/** The log-in of container clients at the domains of registries, where no images are served. */
export class RegistryLogin {
  readonly #access: AccessControl;

  constructor(world: World) {
    this.#access = new AccessControl(world);
  }

  /** `/v2/` and the paths below: 401 without a log-in, 403 from outside of the whitelist (specification, Registry access rules). */
  exchange(incoming: Incoming): Outgoing | undefined {
    return answering(() => {
      this.#access.authenticateUser(callerOf(incoming));
      if (incoming.path === "/v2/") return {};
      throw new Refusal(404, "UNSUPPORTED", "images are not served here: `cpcli serve --registry` serves them");
    });
  }

  /** The token realm: starts a session for the user name and secret of a token or a service account. */
  login(incoming: Incoming): Outgoing | undefined {
    return answering(() => this.#access.login(callerOf(incoming), { scopes: [] }));
  }
}

function callerOf({ headers, clientIp }: Incoming): Caller {
  const host = (headers.host ?? "").toLowerCase();
  return { authorization: headers.authorization, host, server: domainOf(host), from: { clientIp } };
}

/** The connection is closed without an answer where nobody answers. */
function answering(work: () => object): Outgoing | undefined {
  try {
    return json(200, work(), version);
  } catch (error) {
    if (error instanceof HungUp) return undefined;
    if (!(error instanceof Refusal)) throw error;
    return json(error.status, { errors: [{ code: error.code, message: error.message }] }, { ...version, ...error.headers });
  }
}

const version = { "docker-distribution-api-version": "registry/2.0" };
