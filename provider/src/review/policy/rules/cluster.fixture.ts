import { Secret, Unknown } from "../../plan/values.ts";
import type { Case } from "./case.fixture.ts";

const unknown = new Unknown();
const password = new Secret("defined", "3f8a0c1e");
const harmless = new Secret("script", "5d20b7c4");
const telling = new Secret("credential", "9c1e77aa");
/** A script that the engine does not show. */
const notShown = new Secret("marked", undefined);

const apiServer = (...args: readonly (string | Unknown)[]) => ({ extraArgs: { kubeApiServer: args } });
const kubelet = (...args: readonly (string | Unknown)[]) => ({ native: { kubeletArgs: args } });

function argumentCase(
  given: (...args: readonly (string | Unknown)[]) => Case["passes"],
  passes: string,
  fails: string,
  path: string,
): Case {
  return { passes: given(passes), fails: given(passes, fails), at: `${path}[1]`, open: given(passes, unknown), lacks: `${path}[1]` };
}
const ofApiServer = (passes: string, fails: string): Case => argumentCase(apiServer, passes, fails, "extraArgs.kubeApiServer");
const ofKubelet = (passes: string, fails: string): Case => argumentCase(kubelet, passes, fails, "native.kubeletArgs");

/** Inputs with which each rule holds, is broken, and cannot be decided. */
export const clusterCases: Readonly<Record<string, Case>> = {
  "CP-CLU-001": {
    passes: { deletionProtection: true },
    fails: { deletionProtection: false },
    at: "deletionProtection",
    open: { deletionProtection: unknown },
    lacks: "deletionProtection",
  },
  "CP-CLU-002": {
    passes: { clusterVersion: "1.32.2" },
    fails: {},
    at: "clusterVersion",
    open: { clusterVersion: unknown },
    lacks: "clusterVersion",
  },
  "CP-CLU-003": {
    passes: { clusterVersion: "1.30.0" },
    fails: { clusterVersion: "1.28.3" },
    at: "clusterVersion",
    open: { clusterVersion: unknown },
    lacks: "clusterVersion",
  },
  "CP-CLU-004": {
    passes: { clusterVersion: "1.32.2", upgradeNodes: true },
    fails: { clusterVersion: "1.32.2", upgradeNodes: false },
    at: "upgradeNodes",
    open: { clusterVersion: "1.32.2", upgradeNodes: unknown },
    lacks: "upgradeNodes",
  },
  "CP-CLU-005": {
    passes: { containerRuntime: "containerd" },
    fails: { containerRuntime: "docker" },
    at: "containerRuntime",
    open: { containerRuntime: unknown },
    lacks: "containerRuntime",
  },
  "CP-CLU-006": {
    passes: { clusterType: "MANAGED_CLUSTER" },
    fails: { clusterType: "INDEPENDENT_CLUSTER" },
    at: "clusterType",
    open: { clusterType: unknown },
    lacks: "clusterType",
  },
  "CP-CLU-007": {
    passes: { instanceDeleteMode: "retain" },
    fails: { instanceDeleteMode: "terminate" },
    at: "instanceDeleteMode",
    open: { instanceDeleteMode: unknown },
    lacks: "instanceDeleteMode",
  },
  "CP-CLU-008": {
    passes: { resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: "retain" }] },
    fails: {
      resourceDeleteOptions: [
        { resourceType: "CLB", deleteMode: "terminate" },
        { resourceType: "CBS", deleteMode: "terminate" },
      ],
    },
    at: "resourceDeleteOptions[1].deleteMode",
    open: { resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: unknown }] },
    lacks: "resourceDeleteOptions[0].deleteMode",
  },
  "CP-CLU-009": {
    passes: { serviceAccounts: { issuer: "https://issuer.example", jwksUri: "https://issuer.example/keys" } },
    fails: { serviceAccounts: { issuer: "https://issuer.example", jwksUri: "http://issuer.example/keys" } },
    at: "serviceAccounts.jwksUri",
    open: { serviceAccounts: { issuer: unknown, jwksUri: "https://issuer.example/keys" } },
    lacks: "serviceAccounts.issuer",
  },
  "CP-CLU-010": {
    passes: { autoUpgradeClusterLevel: true },
    fails: { autoUpgradeClusterLevel: false },
    at: "autoUpgradeClusterLevel",
    open: { autoUpgradeClusterLevel: unknown },
    lacks: "autoUpgradeClusterLevel",
  },
  "CP-END-001": {
    passes: { isExtranet: false },
    fails: { isExtranet: true },
    at: "isExtranet",
    open: { isExtranet: unknown },
    lacks: "isExtranet",
  },
  "CP-END-002": {
    passes: { isExtranet: true, allowedCidrBlocks: ["203.0.113.7/32"] },
    fails: { isExtranet: true, allowedCidrBlocks: [] },
    at: "allowedCidrBlocks",
    open: { isExtranet: true, allowedCidrBlocks: unknown },
    lacks: "allowedCidrBlocks",
  },
  "CP-END-003": {
    passes: { allowedCidrBlocks: ["203.0.113.0/24", "10.0.0.0/8", "2001:db8::/48"] },
    fails: { allowedCidrBlocks: ["203.0.113.0/24", "128.0.0.0/1"] },
    at: "allowedCidrBlocks[1]",
    open: { allowedCidrBlocks: ["203.0.113.0/24", unknown] },
    lacks: "allowedCidrBlocks[1]",
  },
  "CP-END-004": {
    parameters: { most: 2 },
    passes: { allowedCidrBlocks: ["203.0.113.1/32", "203.0.113.2/32"] },
    fails: { allowedCidrBlocks: ["203.0.113.1/32", "203.0.113.2/32", "203.0.113.3/32"] },
    at: "allowedCidrBlocks",
    open: { allowedCidrBlocks: unknown },
    lacks: "allowedCidrBlocks",
  },
  "CP-END-005": {
    passes: { renewBefore: "720h" },
    fails: { renewBefore: "24h" },
    at: "renewBefore",
    open: { renewBefore: unknown },
    lacks: "renewBefore",
  },
  "CP-API-001": ofApiServer("anonymous-auth=false", "anonymous-auth=true"),
  "CP-API-002": ofApiServer("max-requests-inflight=500", "--token-auth-file=/etc/tokens.csv"),
  "CP-API-003": ofApiServer("authorization-mode=Node,RBAC", "authorization-mode=RBAC,AlwaysAllow"),
  // The values of an argument that takes a list are added up.
  "CP-API-004": {
    passes: apiServer("authorization-mode=Node", "authorization-mode=RBAC"),
    fails: apiServer("authorization-mode=Node,Webhook"),
    at: "extraArgs.kubeApiServer[0]",
    open: apiServer("authorization-mode=Node", unknown),
    lacks: "extraArgs.kubeApiServer[1]",
  },
  "CP-API-005": ofApiServer("enable-admission-plugins=NodeRestriction", "enable-admission-plugins=NodeRestriction,AlwaysAdmit"),
  "CP-API-006": ofApiServer("disable-admission-plugins=DefaultStorageClass", "disable-admission-plugins=NodeRestriction"),
  "CP-API-007": ofApiServer("insecure-port=0", "insecure-port=8080"),
  "CP-API-008": ofApiServer("service-account-lookup=true", "service-account-lookup=false"),
  "CP-API-009": {
    passes: { extraArgs: { kubeScheduler: ["profiling=false"] } },
    fails: { extraArgs: { kubeScheduler: ["--profiling"] } },
    at: "extraArgs.kubeScheduler[0]",
    open: { extraArgs: { kubeControllerManager: unknown } },
    lacks: "extraArgs.kubeControllerManager",
  },
  "CP-API-010": {
    passes: { extraArgs: { kubeControllerManager: ["use-service-account-credentials=true"] } },
    fails: { extraArgs: { kubeControllerManager: ["use-service-account-credentials=false"] } },
    at: "extraArgs.kubeControllerManager[0]",
    open: { extraArgs: { kubeControllerManager: [unknown] } },
    lacks: "extraArgs.kubeControllerManager[0]",
  },
  "CP-API-011": {
    passes: { extraArgs: { kubeScheduler: ["bind-address=127.0.0.1"] } },
    fails: { extraArgs: { kubeScheduler: ["bind-address=0.0.0.0"] } },
    at: "extraArgs.kubeScheduler[0]",
    open: { extraArgs: unknown },
    lacks: "extraArgs.kubeControllerManager",
  },
  "CP-API-012": {
    passes: { extraArgs: { etcd: ["client-cert-auth=true"] } },
    fails: { extraArgs: { etcd: ["peer-auto-tls=true"] } },
    at: "extraArgs.etcd[0]",
    open: { extraArgs: { etcd: [unknown] } },
    lacks: "extraArgs.etcd[0]",
  },
  "CP-POOL-001": {
    passes: { native: { internetAccessible: { maxBandwidthOut: 0, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" } } },
    fails: { native: { internetAccessible: { maxBandwidthOut: 10, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" } } },
    at: "native.internetAccessible.maxBandwidthOut",
    open: { native: unknown },
    lacks: "native.internetAccessible",
  },
  "CP-POOL-002": {
    passes: { native: { keyIds: ["key-3f8a0c1e"] } },
    fails: { native: { password } },
    at: "native.password",
    open: { native: { password: unknown } },
    lacks: "native.password",
  },
  "CP-POOL-003": {
    passes: { existingInstances: [{ instanceIds: ["ins-3f8a0c1e"], loginSettings: { keyIds: ["key-3f8a0c1e"] } }] },
    fails: { existingInstances: [{ instanceIds: ["ins-3f8a0c1e"], loginSettings: { password } }] },
    at: "existingInstances[0].loginSettings.password",
    open: { existingInstances: [{ instanceIds: ["ins-3f8a0c1e"], loginSettings: unknown }] },
    lacks: "existingInstances[0].loginSettings.password",
  },
  "CP-POOL-004": {
    passes: { native: { lifecycle: { preInit: harmless } } },
    fails: { native: { lifecycle: { preInit: harmless, postInit: telling } } },
    at: "native.lifecycle.postInit",
    open: { native: { lifecycle: { preInit: notShown } } },
    lacks: "native.lifecycle.preInit",
  },
  "CP-POOL-005": {
    passes: { existingInstances: [{ instanceAdvancedSettings: { userScript: harmless } }] },
    fails: { existingInstances: [{ instanceAdvancedSettings: { userScript: telling } }] },
    at: "existingInstances[0].instanceAdvancedSettings.userScript",
    open: { existingInstances: [{ instanceAdvancedSettings: { preStartUserScript: unknown } }] },
    lacks: "existingInstances[0].instanceAdvancedSettings.preStartUserScript",
  },
  "CP-POOL-006": {
    passes: { native: { autoRepair: true } },
    fails: { native: {} },
    at: "native.autoRepair",
    open: { native: { autoRepair: unknown } },
    lacks: "native.autoRepair",
  },
  "CP-POOL-007": {
    passes: { native: { upgradeSettings: { autoUpgrade: true } } },
    fails: { native: { upgradeSettings: { autoUpgrade: false } } },
    at: "native.upgradeSettings.autoUpgrade",
    open: { native: { upgradeSettings: unknown } },
    lacks: "native.upgradeSettings.autoUpgrade",
  },
  "CP-POOL-008": {
    passes: { native: { subnetIds: [unknown, unknown] } },
    fails: { native: { subnetIds: ["subnet-3f8a0c1e"] } },
    at: "native.subnetIds",
    open: { native: { subnetIds: unknown } },
    lacks: "native.subnetIds",
  },
  "CP-POOL-009": {
    passes: { native: { scaling: { createPolicy: "ZoneEquality" } } },
    fails: { native: { scaling: { createPolicy: "ZonePriority" } } },
    at: "native.scaling.createPolicy",
    open: { native: { scaling: unknown } },
    lacks: "native.scaling.createPolicy",
  },
  "CP-POOL-010": {
    passes: { native: { scaling: { minReplicas: 2, maxReplicas: 5 } } },
    fails: { native: { replicas: 1 } },
    at: "native.replicas",
    open: { native: { scaling: { minReplicas: unknown } } },
    lacks: "native.scaling.minReplicas",
  },
  "CP-POOL-011": {
    passes: { native: { scaling: { minReplicas: 2, maxReplicas: 100 } } },
    fails: { native: { scaling: { minReplicas: 2, maxReplicas: 5000 } } },
    at: "native.scaling.maxReplicas",
    open: { native: { replicas: unknown } },
    lacks: "native.replicas",
  },
  "CP-POOL-012": {
    passes: { native: { securityGroupIds: [unknown] } },
    fails: { native: { securityGroupIds: [] } },
    at: "native.securityGroupIds",
    open: { native: { securityGroupIds: unknown } },
    lacks: "native.securityGroupIds",
  },
  "CP-POOL-013": {
    passes: { native: { systemDisk: { diskSize: 50 }, dataDisks: [{ diskSize: 200 }] } },
    fails: { native: { systemDisk: { diskSize: 50 }, dataDisks: [{ diskSize: 20 }] } },
    at: "native.dataDisks[0].diskSize",
    open: { native: { systemDisk: { diskSize: unknown } } },
    lacks: "native.systemDisk.diskSize",
  },
  "CP-POOL-014": {
    passes: { native: { instanceChargePrepaid: { period: 12, renewFlag: "NOTIFY_AND_AUTO_RENEW" } } },
    fails: { native: { instanceChargePrepaid: { period: 12, renewFlag: "DISABLE_NOTIFY_AND_MANUAL_RENEW" } } },
    at: "native.instanceChargePrepaid.renewFlag",
    open: { native: { instanceChargePrepaid: { period: 12, renewFlag: unknown } } },
    lacks: "native.instanceChargePrepaid.renewFlag",
  },
  "CP-POOL-015": {
    passes: { native: { updateExistedNode: false } },
    fails: { native: { updateExistedNode: true } },
    at: "native.updateExistedNode",
    open: { native: { updateExistedNode: unknown } },
    lacks: "native.updateExistedNode",
  },
  "CP-POOL-016": {
    passes: { deletionProtection: true },
    fails: { deletionProtection: false },
    at: "deletionProtection",
    open: { deletionProtection: unknown },
    lacks: "deletionProtection",
  },
  "CP-KUB-001": ofKubelet("anonymous-auth=false", "anonymous-auth=true"),
  "CP-KUB-002": ofKubelet("authorization-mode=Webhook", "authorization-mode=AlwaysAllow"),
  "CP-KUB-003": ofKubelet("read-only-port=0", "read-only-port=10255"),
  "CP-KUB-004": ofKubelet("streaming-connection-idle-timeout=4h0m0s", "streaming-connection-idle-timeout=0h0m0s"),
  "CP-KUB-005": ofKubelet("make-iptables-util-chains=true", "make-iptables-util-chains=false"),
  "CP-KUB-006": ofKubelet("rotate-certificates=true", "rotate-certificates=false"),
  "CP-KUB-007": ofKubelet("max-pods=64", "hostname-override=node"),
  "CP-KUB-008": ofKubelet("protect-kernel-defaults=true", "protect-kernel-defaults=false"),
};
