import { Namespace, pullSecret, RegistryInstance, Token, UserPermission } from "@container-platform/pulumi";
import { cluster } from "./cluster.ts";
import { controlSubnet, vpc } from "./network.ts";
import { settings } from "./settings.ts";

/** The team's own registry. The cluster's VPC reaches it, the internet does not. */
export const registry = new RegistryInstance("platform", {
  registryName: settings.registryName,
  internalAccess: [{ vpcId: vpc.vpcId, subnetId: controlSubnet.subnetId }],
  // So that no bucket is left, and billed, after the stack is destroyed.
  deleteBucket: true,
});

/** The team's images. The newest twenty of each repository are kept. */
export const images = new Namespace("team", {
  registryId: registry.registryId,
  namespaceName: settings.team,
  isPublic: false,
  autoScan: true,
  severity: "high",
  retentionRule: { key: "latestPushedK", value: 20, cronSetting: "weekly" },
});

/** The login of the nodes at the registry. */
const pull = new Token("pull", { registryId: registry.registryId, desc: `pulled by ${settings.team}` });

/** The content of a secret of type `kubernetes.io/dockerconfigjson`, with which workloads pull the team's images over the VPC. */
export const imagePullSecret = pullSecret({ registry, token: pull, via: { vpcId: vpc.vpcId } });

/** The team works in its own namespace of the cluster. */
for (const targetUin of settings.developers)
  new UserPermission(`developer-${targetUin}`, {
    targetUin,
    clusterId: cluster.clusterId,
    roleName: "svc:ns:dev",
    roleType: "namespace",
    namespace: settings.team,
  });

/** Auditors can read everything in the cluster, and change nothing. */
for (const targetUin of settings.auditors)
  new UserPermission(`auditor-${targetUin}`, { targetUin, clusterId: cluster.clusterId, roleName: "svc:ro", roleType: "cluster" });
