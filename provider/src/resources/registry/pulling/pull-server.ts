import type { Input } from "@pulumi/pulumi";
import { programError } from "../../../definition/codes.ts";

/** The network that images are pulled from: the internet, or a VPC. */
export type PullSource = "public" | { readonly vpcId: Input<string> };

interface Reach {
  readonly registryName: string;
  readonly publicDomain: string;
  readonly publicAccess: object | undefined;
  readonly internalEndpoint: string;
  readonly internalDomains: Readonly<Record<string, string>>;
  /** The VPC to pull from; `undefined` for the internet. */
  readonly vpcId: string | undefined;
}

/**
 * The server to pull from. It is never the address of the internal access (specification, "What the service does", 6).
 *
 * @internal
 * @throws Error if the registry cannot be reached from there
 */
export function serverFor({ registryName, publicDomain, publicAccess, internalEndpoint, internalDomains, vpcId }: Reach): string {
  if (vpcId === undefined) {
    if (publicAccess) return publicDomain;
    throw programError(
      "UnmetRequirement",
      `registry ${registryName} cannot be pulled from over the internet: its public endpoint is closed; set publicAccess`,
    );
  }
  const domain = internalDomains[vpcId];
  if (domain !== undefined) return domain;
  const lack =
    internalEndpoint === ""
      ? "it is not Running, or no VPC is connected; wait for it, and name the VPC in internalAccess"
      : `${vpcId} is not connected, or does not resolve its domain; name it in internalAccess, with dns`;
  throw programError("UnmetRequirement", `registry ${registryName} cannot be pulled from in ${vpcId}: ${lack}`);
}

/** The configuration with which container clients log in: the content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`. */
export function dockerConfig({ server, username, password }: { server: string; username: string; password: string }): string {
  const auth = Buffer.from(`${username}:${password}`).toString("base64");
  return JSON.stringify({ auths: { [server]: { username, password, auth } } });
}
