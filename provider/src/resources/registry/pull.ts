import { type Input, type Output, output, secret } from "@pulumi/pulumi";
import type { RegistryInstance } from "./registry-instance.ts";
import type { Token } from "./token.ts";

/** How images are pulled: from the internet, or from a VPC. */
export type PullWay = "public" | { readonly vpcId: Input<string> };

interface Reach {
  readonly registryName: string;
  readonly publicDomain: string;
  readonly publicAccess: object | undefined;
  readonly internalEndpoint: string;
  readonly internalDomains: Readonly<Record<string, string>>;
  /** The VPC to pull from; from the internet unless given. */
  readonly vpcId: string | undefined;
}

/**
 * The server to pull from. The address of the internal access is never one (specification, "What the service does", 6).
 *
 * @throws Error if that way is not open.
 */
export function serverFor({ registryName, publicDomain, publicAccess, internalEndpoint, internalDomains, vpcId }: Reach): string {
  if (vpcId === undefined) {
    if (publicAccess) return publicDomain;
    throw new Error(`registry ${registryName} cannot be pulled from over the internet: its public endpoint is closed; set publicAccess`);
  }
  const domain = internalDomains[vpcId];
  if (domain !== undefined) return domain;
  const lack =
    internalEndpoint === ""
      ? "it is not Running, or no VPC is connected; wait for it, and name the VPC in internalAccess"
      : `${vpcId} is not connected, or does not resolve its domain; name it in internalAccess, with dns`;
  throw new Error(`registry ${registryName} cannot be pulled from in ${vpcId}: ${lack}`);
}

/** What `pullSecret` needs. */
export interface PullSecretArgs {
  /** The registry to pull from. */
  registry: RegistryInstance;
  /** The token to log in with. */
  token: Token;
  /** From the internet, which costs a traffic fee, or from a VPC. */
  via: PullWay;
}

/**
 * The content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, which lets a workload pull the registry's private
 * images. A secret output; it changes with the token.
 *
 * @example
 * const content = pullSecret({ registry, token, via: { vpcId: vpc.vpcId } });
 */
export function pullSecret({ registry, token, via }: PullSecretArgs): Output<string> {
  const login = output({ server: registry.pullServer(via), username: token.username, password: token.token });
  return secret(
    login.apply(({ server, username, password }) => {
      if (!password)
        throw new Error(
          "the token's password is not known: it was told when the token was made, and this one was imported; make a new Token",
        );
      const auth = Buffer.from(`${username}:${password}`).toString("base64");
      return JSON.stringify({ auths: { [server]: { username, password, auth } } });
    }),
  );
}
