import { AccessControl, domainOf, type Caller } from "../served/registries/access.ts";
import { HungUp, Refusal } from "../served/registries/protocol.ts";
import type { World } from "../local/store/world.ts";
import type { Incoming, Outgoing } from "./http-messages.ts";

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
    return answered(200, work());
  } catch (error) {
    if (error instanceof HungUp) return undefined;
    if (!(error instanceof Refusal)) throw error;
    return answered(error.status, { errors: [{ code: error.code, message: error.message }] }, error.headers);
  }
}

function answered(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Outgoing {
  const always = { "content-type": "application/json", "docker-distribution-api-version": "registry/2.0" };
  return { status, headers: { ...always, ...headers }, body: JSON.stringify(body) };
}
