import type { Cloud } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { type IdPrefix, marked } from "../schema/marks.ts";
import { allowed } from "./inputs.ts";

/** How the id of a kind is composed of properties. */
export interface IdForm<Parts> {
  /** An example, for error messages. */
  readonly looks: string;
  /** The properties that the id is composed of. */
  readonly names: readonly (keyof Parts & string)[];
  readonly of: (parts: Parts) => string;
  /** The properties in an id; `undefined` if it is no id of this kind. */
  readonly parts: (id: string) => Parts | undefined;
}

/** Whether a text may be an id of a kind, as far as its form tells: with as many parts, and the platform's ids where it has some. */
export function isLike({ looks, parts }: Pick<IdForm<unknown>, "looks" | "parts">, id: string): boolean {
  if (parts(id) === undefined) return false;
  const words = id.split("/");
  return looks.split(" or ").some((example) =>
    example.split("/").every((word, index) => {
      const [, prefix] = /^([a-z]+-)3f8a0c1e$/.exec(word) ?? [];
      return prefix === undefined || words[index]?.startsWith(prefix) === true;
    }),
  );
}

/** An id that is one property, or several joined by `/`. */
export function joined<const Key extends string>(looks: string, ...keys: readonly Key[]): IdForm<Record<Key, string>> {
  return {
    looks,
    names: keys,
    of: (parts) => keys.map((key) => parts[key]).join("/"),
    parts: (id) => {
      const words = id.split("/");
      if (words.length !== keys.length || words.includes("")) return undefined;
      return Object.fromEntries(keys.map((key, index) => [key, words[index]])) as Record<Key, string>;
    },
  };
}

interface Owner {
  readonly noun: string;
  /** Its kind, if a program can have it. */
  readonly type?: string;
  /** Finds it. Left out where nothing fails if it is not there: it is named for the order alone. */
  readonly find?: (cloud: Cloud, id: string) => Promise<unknown>;
}

// Loaded when something is looked for.
const network = () => import("@container-platform/sdk/finders/vpc");
const clusters = () => import("@container-platform/sdk/finders/cluster");
const registries = () => import("@container-platform/sdk/finders/registry");
const computeCalls = () => import("@container-platform/sdk/compute");

/** Whose an id is, by what it begins with. */
export const owners: Readonly<Record<IdPrefix, Owner>> = {
  vpc: { noun: "VPC", type: "Vpc", find: async (cloud, id) => (await network()).vpcFinder.find(cloud, id) },
  subnet: { noun: "subnet", type: "Subnet", find: async (cloud, id) => (await network()).subnetFinder.find(cloud, id) },
  rtb: { noun: "route table", type: "RouteTable", find: async (cloud, id) => (await network()).routeTableFinder.find(cloud, id) },
  nat: { noun: "NAT gateway", type: "NatGateway", find: async (cloud, id) => (await network()).natGatewayFinder.find(cloud, id) },
  sg: { noun: "security group", type: "SecurityGroup", find: async (cloud, id) => (await network()).securityGroupFinder.find(cloud, id) },
  cls: { noun: "cluster", type: "Cluster", find: async (cloud, id) => (await clusters()).clusterFinder.find(cloud, id) },
  np: { noun: "node pool" },
  tcr: { noun: "registry", type: "RegistryInstance", find: async (cloud, id) => (await registries()).registryFinder.find(cloud, id) },
  ins: {
    noun: "machine",
    find: async (cloud, id) => (await cloud.find((await computeCalls()).describeInstances, { instanceIds: [id] }))?.instanceSet[0],
  },
  skey: {
    noun: "key pair",
    find: async (cloud, id) => (await cloud.find((await computeCalls()).describeKeyPairs, { keyIds: [id] }))?.keyPairSet[0],
  },
};

/** The platform's id of a resource of one kind, such as `vpc-3f8a0c1e`. One that is not there is refused in the preview. */
export function idOf(prefix: IdPrefix): z.ZodString {
  return marked(idElsewhere(prefix), { idOf: prefix });
}

/** The same, of a resource that may be in another region. */
export function idElsewhere(prefix: IdPrefix): z.ZodString {
  return allowed(z.string(), {
    takes: `the id of a ${owners[prefix].noun}, such as ${prefix}-3f8a0c1e`,
    allows: (text) => text.startsWith(`${prefix}-`) && /^[\w-]+$/.test(text),
  });
}

/** A text that is the id of a resource of one kind, or something else: an id is treated as that of `idOf`. */
export function idOrText(prefix: IdPrefix): z.ZodString {
  return marked(z.string().min(1), { idOf: prefix });
}
