import { carve as partOf, InputError } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { idElsewhere } from "../definition/ids.ts";
import { dockerConfig } from "../resources/registry/pulling/docker-config.ts";
import { publicAccessSchema } from "../resources/registry/access/public-access.ts";
import { serverFor } from "../resources/registry/pulling/pull-server.ts";
import type { AnyFunction, OfArguments } from "./asking.ts";

// What the classes of the resources can do besides, as functions of the native plugin. In programs with classes it is `carve`, a method of
// a resource, or `pullSecret`.

function ofArguments<Args extends object, Result>(computed: OfArguments<Args, Result>): AnyFunction;
// The types of the arguments are erased: the schemas check them.
function ofArguments(computed: AnyFunction): AnyFunction {
  return computed;
}

export interface CarveArgs {
  /** The range that is cut, such as `10.0.0.0/16` or `2001:db8:0:ff00::/56`. */
  readonly range: string;
  /** How many bits of each part are fixed, such as 24. */
  readonly prefix: number;
  /** Which part: 0 is the first. */
  readonly index: number;
}

/** The index-th part of a range that is cut into parts of `prefix` fixed bits: part 255 of `10.0.0.0/16` with prefix 24 is `10.0.255.0/24`. */
export const carve = ofArguments<CarveArgs, string>({
  name: "carve",
  args: { range: z.string(), prefix: z.int().min(0).max(128), index: z.int().min(0) },
  result: "cidrBlock",
  compute: ({ range, prefix, index }) => partOf(range, prefix, index),
});

export interface SubnetCidrBlockArgs {
  /** The `ipv6CidrBlock` of an `Ipv6Block`, such as `2001:db8:0:ff00::/56`. */
  readonly ipv6CidrBlock: string;
  /** Which part: 0 to 255. */
  readonly index: number;
}

/** The index-th /64 of a VPC's IPv6 block, for the `ipv6SubnetCidrBlock` of a subnet. The same index gives the same range each time. */
export const subnetCidrBlock = ofArguments<SubnetCidrBlockArgs, string>({
  name: "subnetCidrBlock",
  args: { ipv6CidrBlock: z.string(), index: z.int().min(0).max(255) },
  result: "cidrBlock",
  compute: ({ ipv6CidrBlock, index }) => partOf(ipv6CidrBlock, 64, index),
});

export interface PullServerArgs {
  /** The `registryName` of the `RegistryInstance`. */
  readonly registryName: string;
  /** The VPC to pull from. Default: none, over the internet, which costs a traffic fee. */
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
 * The server of a registry that container clients log in to and pull from: in a VPC the dedicated access domain, else the public domain.
 *
 * @throws Error if the registry cannot be reached from there
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
  /** What `pullServer` has told. */
  readonly server: string;
  /** The `username` of a `Token` or a `ServiceAccount`. */
  readonly username: string;
  /** The `token` of a `Token`, or the `password` of a `ServiceAccount`. */
  readonly password: string;
}

/**
 * The content of a Kubernetes secret of type `kubernetes.io/dockerconfigjson`, with which a workload pulls the registry's private images. It
 * is a secret.
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
