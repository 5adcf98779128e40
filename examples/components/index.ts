import { Platform } from "@container-platform/pulumi";
import { Config } from "@pulumi/pulumi";

const config = new Config("platform");
const instanceTypes = ["SA5.MEDIUM4"];

/** A dual-stack cluster in several zones, with two pools of nodes, private images, and access from one range of the internet. */
const platform = new Platform("prod", {
  network: {
    zones: config.getNumber("zones") ?? 3,
    // Nodes and pods have subnets of their own, so that neither can use up the other's addresses.
    subnets: { nodes: { prefix: 20 }, pods: { prefix: 19 } },
    // Nodes and pods reach the internet over IPv4, and cannot be reached from there.
    egress: "nat",
  },
  nodePools: {
    system: { instanceTypes },
    apps: { instanceTypes, max: config.getNumber("apps") ?? 6, labels: { pool: "apps" } },
  },
  access: { internet: config.getObject<string[]>("allowedCidrBlocks") ?? ["203.0.113.0/24"] },
  registry: { name: config.get("registryName") ?? "prod-images", namespaces: ["team"] },
  permissions: {
    "100000000002": { role: "svc:ns:dev", namespace: "team" },
    "100000000003": "svc:ro",
  },
  // Set it to false and run `up` before `destroy`.
  deletionProtection: config.getBoolean("deletionProtection") ?? true,
});

export const vpcId = platform.network.vpc.vpcId;
export const subnetIds = platform.network.subnetIds;
export const clusterVersion = platform.cluster.clusterVersion;
export const appsPool = platform.nodePools.apps.nodePoolId;
export const { kubeconfig, pullServer, pullSecret } = platform;
