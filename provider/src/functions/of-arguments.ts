import { cidrSubnet as partOf, InputError } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { idElsewhere } from "../definition/ids.ts";
import { publicAccessSchema } from "../resources/registry/access/public-access.ts";
import { dockerConfig, serverFor } from "../resources/registry/pulling/pull-server.ts";
import type { AnyFunction, OfArguments } from "./asking.ts";

// What the classes of the resources can do besides, as functions of the native plugin. In programs with classes it is `cidrSubnet`, a
// method of a resource, or `pullSecret`.

function ofArguments<Args extends object, Result>(computed: OfArguments<Args, Result>): AnyFunction;
// The types of the arguments are erased: the schemas check them.
function ofArguments(computed: AnyFunction): AnyFunction {
  return computed;
}

export interface CidrSubnetArgs {
  /** The CIDR block to divide, such as `10.0.0.0/16` or `2001:db8:0:ff00::/56`. */
  readonly range: string;
  /** Prefix length of each part, such as 24. */
  readonly prefix: number;
  /** Index of the part, from 0. */
  readonly index: number;
}

/** Returns the index-th subnet of a CIDR block with a prefix length: index 255 of `10.0.0.0/16` with prefix 24 is `10.0.255.0/24`. */
export const cidrSubnet = ofArguments<CidrSubnetArgs, string>({
  name: "cidrSubnet",
  args: { range: z.string(), prefix: z.int().min(0).max(128), index: z.int().min(0) },
  result: "cidrBlock",
  compute: ({ range, prefix, index }) => partOf(range, prefix, index),
});

export interface SubnetCidrBlockArgs {
  /** The `ipv6CidrBlock` of an `Ipv6Block`, such as `2001:db8:0:ff00::/56`. */
  readonly ipv6CidrBlock: string;
  /** Index of the part, 0 to 255. */
  readonly index: number;
}

/** Returns the index-th /64 of a VPC's IPv6 block, for `ipv6SubnetCidrBlock` of a subnet. The same index always returns the same CIDR block. */
export const subnetCidrBlock = ofArguments<SubnetCidrBlockArgs, string>({
  name: "subnetCidrBlock",
  args: { ipv6CidrBlock: z.string(), index: z.int().min(0).max(255) },
  result: "cidrBlock",
  compute: ({ ipv6CidrBlock, index }) => partOf(ipv6CidrBlock, 64, index),
});

export interface PullServerArgs {
  /** The `registryName` of the `RegistryInstance`. */
  readonly registryName: string;
  /** The VPC of the pulls. Default: none, pulls over the internet, which cost a traffic fee. */
  readonly vpcId?: string;
  /** Its `internalDomains`, to pull from a VPC. */
  readonly internalDomains?: Readonly<Record<string, string>>;
  /** Its `internalEndpoint`, to pull from a VPC. */
  readonly internalEndpoint?: string;
  /** Its `publicDomain`, to pull over the internet. */
  readonly publicDomain?: string;
  /** Its `publicAccess`, to pull over the internet. */
  readonly publicAccess?: z.output<typeof publicAccessSchema>;
}

/**
 * Returns the server of a registry for the login and the pulls of container clients: the private domain of a VPC, or the public domain.
 *
 * @throws Error if the registry has no endpoint there
 */
export const pullServer = ofArguments<PullServerArgs, string>({
  name: "pullServer",
  args: {
    registryName: z.string().min(1),
    vpcId: idElsewhere("vpc").optional(),
    internalDomains: z.record(z.string(), z.string()).optional(),
    internalEndpoint: z.string().optional(),
    publicDomain: z.string().optional(),
    publicAccess: publicAccessSchema,
  },
  result: "server",
  compute: (given) => {
    const { registryName, vpcId, internalDomains = {}, internalEndpoint = "", publicDomain = "", publicAccess } = given;
    if (vpcId === undefined && publicDomain === "") throw new InputError("publicDomain: is required without vpcId");
    if (vpcId !== undefined && given.internalDomains === undefined) throw new InputError("internalDomains: is required with vpcId");
    return serverFor({ registryName, vpcId, internalDomains, internalEndpoint, publicDomain, publicAccess });
  },
});

export interface PullSecretArgs {
  /** The result of `pullServer`. */
  readonly server: string;
  /** The `username` of a `Token` or a `ServiceAccount`. */
  readonly username: string;
  /** The `token` of a `Token`, or the `password` of a `ServiceAccount`. */
  readonly password: string;
}

/**
 * Returns the content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, with which a workload pulls private images of the
 * registry. The result is a secret.
 */
export const pullSecret = ofArguments<PullSecretArgs, string>({
  name: "pullSecret",
  args: { server: z.string().min(1), username: z.string().min(1), password: z.string() },
  secret: true,
  result: "dockerConfigJson",
  compute: (login) => {
    if (login.password === "")
      throw new InputError(
        "the password is not known: the platform returns it only when a token or a service account is created, and this one was imported; create a new Token, or change the passwordVersion of the ServiceAccount",
      );
    return dockerConfig(login);
  },
});
