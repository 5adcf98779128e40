import { type Output, output, secret } from "@pulumi/pulumi";
import { programError } from "../../../definition/codes.ts";
import { dockerConfig, type PullSource } from "./pull-server.ts";
import type { RegistryInstance } from "../registry-instance.ts";
import type { ServiceAccount } from "../service-account.ts";
import type { Token } from "../token.ts";

/** What `pullSecret` needs. */
export interface PullSecretArgs {
  /** The registry to pull from. */
  registry: RegistryInstance;
  /** Login: a token, or a service account that may pull. */
  token: Token | ServiceAccount;
  /** From the internet, which costs a traffic fee, or from a VPC. */
  via: PullSource;
}

/**
 * The content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, with which a workload pulls the registry's private
 * images. It is a secret output, and changes when the password changes.
 *
 * @example
 * const content = pullSecret({ registry, token, via: { vpcId: vpc.vpcId } });
 */
export function pullSecret({ registry, token, via }: PullSecretArgs): Output<string> {
  const [known, whyUnknown] = "password" in token ? [token.password, ofAccount] : [token.token, ofToken];
  const login = output({ server: registry.pullServer(via), username: token.username, password: known });
  return secret(
    login.apply(({ server, username, password }) => {
      if (!password) throw programError("UnmetRequirement", whyUnknown);
      return dockerConfig({ server, username, password });
    }),
  );
}

const ofToken =
  "the token's password is not known: the platform returns it only when a token is created, and this one was imported; create a new Token";
const ofAccount =
  "the service account's password is not known: the platform returns it only when an account is created, and this one was imported; change its passwordVersion";
