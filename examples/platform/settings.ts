import { Config } from "@pulumi/pulumi";

const config = new Config("platform");
const region = new Config("container-platform").require("region");

/** The settings of a stack, as in `npm run pulumi -- config set platform:nodes 5`. */
export const settings = {
  /** IPv4 range of the VPC, a /16. */
  cidrBlock: config.get("cidrBlock") ?? "10.0.0.0/16",
  /** Zones that nodes are spread over, as a JSON list. */
  zones: config.getObject<[string, ...string[]]>("zones") ?? ([`${region}-1`, `${region}-2`, `${region}-3`] as const),
  /** Range of Kubernetes services, outside of the VPC's range. */
  serviceCidr: config.get("serviceCidr") ?? "172.20.0.0/16",
  /** Ranges that may reach the API server from the internet, as a JSON list. */
  allowedCidrBlocks: config.getObject<string[]>("allowedCidrBlocks") ?? ["203.0.113.0/24"],
  /** Number of nodes. */
  nodes: config.getNumber("nodes") ?? 3,
  /** Instance type of the nodes. */
  instanceType: config.get("instanceType") ?? "SA5.MEDIUM4",
  /** Name of the registry, unique over the whole platform. */
  registryName: config.get("registryName") ?? "platform-images",
  /** The team's namespace, in the registry and in the cluster. */
  team: config.get("team") ?? "team",
  /** Sub-accounts that may work in the team's namespace of the cluster, as a JSON list. */
  developers: config.getObject<string[]>("developers") ?? ["100000000002"],
  /** Sub-accounts that may read everything in the cluster, as a JSON list. */
  auditors: config.getObject<string[]>("auditors") ?? ["100000000003"],
};
