import { type Output, output, secret } from "@pulumi/pulumi";
import type { PullWay } from "./pull-server.ts";
import type { RegistryInstance } from "./registry-instance.ts";
import type { ServiceAccount } from "./service-account.ts";
import type { Token } from "./token.ts";

/** What `pullSecret` needs. */
export interface PullSecretArgs {
  /** The registry to pull from. */
  registry: RegistryInstance;
  /** What to log in with: a token, or a service account that may pull. */
  token: Token | ServiceAccount;
  /** From the internet, which costs a traffic fee, or from a VPC. */
  via: PullWay;
}

/**
 * The content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, which lets a workload pull the registry's private
 * images. A secret output; it changes with the token's password.
 *
 * @example
 * const content = pullSecret({ registry, token, via: { vpcId: vpc.vpcId } });
 */
export function pullSecret({ registry, token, via }: PullSecretArgs): Output<string> {
  const [told, untold] = "password" in token ? [token.password, ofAccount] : [token.token, ofToken];
  const login = output({ server: registry.pullServer(via), username: token.username, password: told });
  return secret(
    login.apply(({ server, username, password }) => {
      if (!password) throw new Error(untold);
      const auth = Buffer.from(`${username}:${password}`).toString("base64");
      return JSON.stringify({ auths: { [server]: { username, password, auth } } });
    }),
  );
}

const ofToken = "the token's password is not known: it was told when the token was made, and this one was imported; make a new Token";
const ofAccount =
  "the service account's password is not known: it was told when the account was made, and this one was imported; change its passwordVersion";
