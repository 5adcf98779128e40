import { type Fields, Secret, type Unknown } from "../../plan/values.ts";
import { about, type Case, unknown } from "./case.fixture.ts";

const password = new Secret("defined", "3f8a0c1e");
const harmless = new Secret("script", "5d20b7c4");
const telling = new Secret("credential", "9c1e77aa");
/** A script that the engine does not show. */
const notShown = new Secret("marked", undefined);

type Given = (...args: readonly (string | Unknown)[]) => Fields;
const apiServer: Given = (...args) => ({ extraArgs: { kubeApiServer: args } });
const kubelet: Given = (...args) => ({ native: { kubeletArgs: args } });

function argumentCase(given: Given, passes: string, fails: string, path: string): Case {
  return { passes: given(passes), fails: given(passes, fails), at: `${path}[1]`, open: given(passes, unknown), lacks: `${path}[1]` };
}
const ofApiServer = (passes: string, fails: string): Case => argumentCase(apiServer, passes, fails, "extraArgs.kubeApiServer");
const ofKubelet = (passes: string, fails: string): Case => argumentCase(kubelet, passes, fails, "native.kubeletArgs");

/** Inputs with which each rule holds, is broken, and cannot be decided. */
export const clusterCases: Readonly<Record<string, Case>> = {
  "CP-CLU-001": about("deletionProtection", true, false),
  "CP-CLU-002": about("clusterVersion", "1.32.2"),
  "CP-CLU-003": about("clusterVersion", "1.30.0", "1.28.3"),
  "CP-CLU-004": about("upgradeNodes", true, false, { beside: { clusterVersion: "1.32.2" } }),
  "CP-CLU-005": about("containerRuntime", "containerd", "docker"),
  "CP-CLU-006": about("clusterType", "MANAGED_CLUSTER", "INDEPENDENT_CLUSTER"),
  "CP-CLU-007": about("instanceDeleteMode", "retain", "terminate"),
  "CP-CLU-008": {
    passes: { resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: "retain" }] },
    fails: { resourceDeleteOptions: ["CLB", "CBS"].map((resourceType) => ({ resourceType, deleteMode: "terminate" })) },
    at: "resourceDeleteOptions[1].deleteMode",
    open: { resourceDeleteOptions: [{ resourceType: "CBS", deleteMode: unknown }] },
    lacks: "resourceDeleteOptions[0].deleteMode",
  },
  "CP-CLU-009": about("serviceAccounts.jwksUri", "https://issuer.example/keys", "http://issuer.example/keys", {
    beside: { issuer: "https://issuer.example" },
    open: { serviceAccounts: { issuer: unknown, jwksUri: "https://issuer.example/keys" } },
    lacks: "serviceAccounts.issuer",
  }),
  "CP-CLU-010": about("autoUpgradeClusterLevel", true, false),
  "CP-END-001": about("isExtranet", false, true),
  "CP-END-002": about("allowedCidrBlocks", ["203.0.113.7/32"], [], { beside: { isExtranet: true } }),
  "CP-END-003": {
    passes: { allowedCidrBlocks: ["203.0.113.0/24", "10.0.0.0/8", "2001:db8::/48"] },
    fails: { allowedCidrBlocks: ["203.0.113.0/24", "128.0.0.0/1"] },
    at: "allowedCidrBlocks[1]",
    open: { allowedCidrBlocks: ["203.0.113.0/24", unknown] },
    lacks: "allowedCidrBlocks[1]",
  },
  "CP-END-004": about("allowedCidrBlocks", ["203.0.113.1/32", "203.0.113.2/32"], ["203.0.113.1/32", "203.0.113.2/32", "203.0.113.3/32"], {
    parameters: { most: 2 },
  }),
  "CP-END-005": about("renewBefore", "720h", "24h"),
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
  "CP-API-009": about("extraArgs.kubeScheduler[0]", "profiling=false", "--profiling", {
    open: { extraArgs: { kubeControllerManager: unknown } },
    lacks: "extraArgs.kubeControllerManager",
  }),
  "CP-API-010": about(
    "extraArgs.kubeControllerManager[0]",
    "use-service-account-credentials=true",
    "use-service-account-credentials=false",
  ),
  "CP-API-011": about("extraArgs.kubeScheduler[0]", "bind-address=127.0.0.1", "bind-address=0.0.0.0", {
    open: { extraArgs: unknown },
    lacks: "extraArgs.kubeControllerManager",
  }),
  "CP-API-012": about("extraArgs.etcd[0]", "client-cert-auth=true", "peer-auto-tls=true"),
  "CP-POOL-001": about("native.internetAccessible.maxBandwidthOut", 0, 10, {
    beside: { chargeType: "TRAFFIC_POSTPAID_BY_HOUR" },
    open: { native: unknown },
    lacks: "native.internetAccessible",
  }),
  "CP-POOL-002": { ...about("native.password", undefined, password), passes: { native: { keyIds: ["key-3f8a0c1e"] } } },
  "CP-POOL-003": {
    ...about("existingInstances[0].loginSettings.password", undefined, password),
    passes: { existingInstances: [{ instanceIds: ["ins-3f8a0c1e"], loginSettings: { keyIds: ["key-3f8a0c1e"] } }] },
    open: { existingInstances: [{ instanceIds: ["ins-3f8a0c1e"], loginSettings: unknown }] },
  },
  "CP-POOL-004": {
    passes: { native: { lifecycle: { preInit: harmless } } },
    fails: { native: { lifecycle: { preInit: harmless, postInit: telling } } },
    at: "native.lifecycle.postInit",
    open: { native: { lifecycle: { preInit: notShown } } },
    lacks: "native.lifecycle.preInit",
  },
  "CP-POOL-005": about("existingInstances[0].instanceAdvancedSettings.userScript", harmless, telling, {
    open: { existingInstances: [{ instanceAdvancedSettings: { preStartUserScript: unknown } }] },
    lacks: "existingInstances[0].instanceAdvancedSettings.preStartUserScript",
  }),
  "CP-POOL-006": about("native.autoRepair", true),
  "CP-POOL-007": about("native.upgradeSettings.autoUpgrade", true, false, { open: { native: { upgradeSettings: unknown } } }),
  "CP-POOL-008": about("native.subnetIds", [unknown, unknown], ["subnet-3f8a0c1e"]),
  "CP-POOL-009": about("native.scaling.createPolicy", "ZoneEquality", "ZonePriority", { open: { native: { scaling: unknown } } }),
  "CP-POOL-010": {
    passes: { native: { scaling: { minReplicas: 2, maxReplicas: 5 } } },
    fails: { native: { replicas: 1 } },
    at: "native.replicas",
    open: { native: { scaling: { minReplicas: unknown } } },
    lacks: "native.scaling.minReplicas",
  },
  "CP-POOL-011": about("native.scaling.maxReplicas", 100, 5000, {
    beside: { minReplicas: 2 },
    open: { native: { replicas: unknown } },
    lacks: "native.replicas",
  }),
  "CP-POOL-012": about("native.securityGroupIds", [unknown], []),
  "CP-POOL-013": {
    passes: { native: { systemDisk: { diskSize: 50 }, dataDisks: [{ diskSize: 200 }] } },
    fails: { native: { systemDisk: { diskSize: 50 }, dataDisks: [{ diskSize: 20 }] } },
    at: "native.dataDisks[0].diskSize",
    open: { native: { systemDisk: { diskSize: unknown } } },
    lacks: "native.systemDisk.diskSize",
  },
  "CP-POOL-014": about("native.instanceChargePrepaid.renewFlag", "NOTIFY_AND_AUTO_RENEW", "DISABLE_NOTIFY_AND_MANUAL_RENEW", {
    beside: { period: 12 },
  }),
  "CP-POOL-015": about("native.updateExistedNode", false, true),
  "CP-POOL-016": about("deletionProtection", true, false),
  "CP-POOL-017": {
    passes: { native: { replicas: 500 } },
    fails: { native: { replicas: 500 } },
    at: "native.replicas",
    warned: [{ code: "TooFewAddresses", path: "native.replicas", message: "native.replicas: 500 nodes …" }],
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
