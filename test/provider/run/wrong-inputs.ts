import type { KindName } from "../../../provider/src/resources/reviews.ts";
import type { Props } from "../../support/structs.ts";

/** Why no text or number is wrong for an input. */
interface Free {
  readonly any: string;
}

/** Of each input of a kind, values that the platform does not take, whatever else there is. */
interface Wrong {
  /** Inputs that are right. */
  readonly base: Props;
  readonly of: Readonly<Record<string, readonly unknown[] | Free>>;
}

export function isFree(values: readonly unknown[] | Free): values is Free {
  return "any" in values;
}

const name = ["", " ", "\t", "a\u0000b", "x".repeat(61), 7, Number.NaN];
const tags = [
  { "": "a" },
  { " ": "a" },
  { "\u001b[2Jz": "a" },
  { ["k".repeat(128)]: "a" },
  { a: "v".repeat(256) },
  Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`key-${index}`, "a"])),
  { "container-platform/owner": "me" },
  { a: 7 },
];
const flag = ["yes", 1];
const id = (of: string) => [of === "vpc" ? "subnet-3f8a0c1e" : "vpc-3f8a0c1e", "", `my-${of}`, `${of}-1/2`, 7];
const text: Free = { any: "any text" };
const each = <Values>(values: Values, ...inputs: readonly string[]) => Object.fromEntries(inputs.map((input) => [input, values]));
const aCidr = ["ten", "10.0.0.1/16", "2001:db8::/32", "10.0.0.0/33"];
const anybody = [["0.0.0.0/0"], ["::/0"], ["10.0.0.7/24"], ["nobody"]];
const rule = { protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" };
const rules = [
  ...["99999", "0", "90-80", "http", "80;443"].map((port) => [{ ...rule, port }]),
  [{ ...rule, cidrBlock: "10.0.0.1/8" }],
  [{ ...rule, protocol: "IGMP" }],
  [{ ...rule, protocol: "ICMPV6", port: undefined }],
  [{ ...rule, protocol: "ICMP", port: undefined, cidrBlock: undefined, ipv6CidrBlock: "2001:db8::/32" }],
  [{ ...rule, cidrBlock: undefined, securityGroupId: "subnet-3f8a0c1e" }],
  [{ ...rule, policyDescription: "x".repeat(101) }],
  [rule, { ...rule, protocol: "tcp", policyDescription: "the same" }],
  Array.from({ length: 101 }, (_, index) => ({ ...rule, port: String(index + 1) })),
];

const subnetId = "subnet-3f8a0c1e";
const native = {
  subnetIds: [subnetId],
  instanceTypes: ["SA5.MEDIUM4"],
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  replicas: 1,
};
const pool = (...changes: readonly Props[]) => changes.map((change) => ({ ...native, ...change }));
const dataDisk = { diskType: "CLOUD_PREMIUM", diskSize: 50 };
const joining = (entry: Props) => [{ instanceIds: ["ins-3f8a0c1e"], ...entry }];
const permission = { resource: "team", actions: ["reg:PullRepository"] };
const registryId = "tcr-3f8a0c1e";
const clusterId = "cls-3f8a0c1e";

export const wrongInputs: Readonly<Record<KindName, Wrong>> = {
  Vpc: {
    base: { cidrBlock: "10.9.0.0/16" },
    of: {
      vpcName: name,
      cidrBlock: [...aCidr, "100.64.0.0/16", "10.0.0.0/8", "10.0.0.0/29", "11.0.0.0/16", "192.168.0.0/15"],
      dnsServers: [["nope"], ["2001:db8::1"], ["10.0.0.0/16"], [], [1, 2, 3, 4, 5].map((host) => `10.0.0.${host}`)],
      tags,
      enableRouteVpcPublishIpv6: flag,
    },
  },
  Ipv6Block: { base: { vpcId: "vpc-3f8a0c1e" }, of: { vpcId: id("vpc") } },
  SecurityGroup: {
    base: {},
    of: { groupName: name, groupDescription: ["x".repeat(101), 7], ingress: rules, egress: rules, tags },
  },
  Subnet: {
    base: { vpcId: "vpc-3f8a0c1e", cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" },
    of: {
      vpcId: id("vpc"),
      subnetName: name,
      cidrBlock: [...aCidr, "10.0.1.0/30", "100.64.1.0/24", "8.8.8.0/24"],
      // Of another region, not available, and none.
      zone: ["ap-singapore-1", "eu-frankfurt-4", "eu-frankfurt-9", "", 1],
      ipv6SubnetCidrBlock: ["2001:db8::/56", "10.0.1.0/24", "2001:0DB8::/64"],
      routeTableId: id("rtb"),
      tags,
    },
  },
  Cluster: {
    base: { vpcId: "vpc-3f8a0c1e", subnetId, clusterCidr: "172.16.0.0/16" },
    of: {
      clusterName: name,
      clusterType: ["MANAGED"],
      clusterVersion: ["1.99", "latest", "", "9.9.9", 1.32],
      clusterLevel: ["L7", "big", ""],
      clusterOs: ["windows", "tlinux2.4x86_64", ""],
      containerRuntime: ["rkt"],
      vpcId: id("vpc"),
      subnetId: id("subnet"),
      networkType: ["CNI"],
      clusterCidr: aCidr,
      serviceCidr: aCidr,
      maxNodePodNum: [15, 257, 64.5, Number.NaN],
      maxClusterServiceNum: [31, 32_769],
      eniSubnetIds: [[], ["vpc-3f8a0c1e"], [subnetId, subnetId], [subnetId]],
      isDualStack: [true, "yes"],
      kubeProxyMode: { any: "the platform takes any text" },
      extraArgs: [{ kubelet: ["a=b"] }, { etcd: "a=b" }],
      instanceDeleteMode: ["keep"],
      resourceDeleteOptions: [[{ resourceType: "VPC", deleteMode: "retain" }]],
      serviceAccounts: [
        { issuer: "https://issuer.example" },
        { useServiceDefault: true, issuer: "https://issuer.example" },
        { useServiceDefault: false },
        { useServiceDefault: false, issuer: "http://issuer.example" },
        { useServiceDefault: false, issuer: "https://issuer.example", jwksUri: "keys" },
      ],
      oidcConfig: [{ autoCreateClientId: "a" }],
      existingInstances: [
        joining({ instanceIds: ["vpc-3f8a0c1e"] }),
        joining({ instanceIds: [] }),
        joining({ instanceIds: ["ins-1", "ins-1"] }),
        joining({ instanceIds: Array.from({ length: 101 }, (_, index) => `ins-${index}`) }),
        joining({ loginSettings: { password: "Secret-123456", keyIds: ["skey-3f8a0c1e"] } }),
        joining({ loginSettings: { keyIds: ["skey-1", "skey-2"] } }),
        joining({ instanceAdvancedSettings: { userScript: "no base64!" } }),
      ],
      tags,
      ...each(text, "clusterDescription", "credentialsVersion"),
      ...each(flag, "upgradeNodes", "autoUpgradeClusterLevel", "ipvs", "deletionProtection"),
    },
  },
  NodePool: {
    base: { clusterId, native },
    of: {
      clusterId: id("cls"),
      name,
      type: ["Regular"],
      native: pool(
        { subnetIds: [] },
        { subnetIds: ["vpc-3f8a0c1e"] },
        { instanceTypes: [] },
        { instanceTypes: [""] },
        { instanceTypes: ["t3.medium"] },
        { systemDisk: { diskType: "gp3", diskSize: 50 } },
        { systemDisk: { diskType: "CLOUD_TSSD", diskSize: 50 } },
        { systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 4096 } },
        { dataDisks: [{ ...dataDisk, diskType: "gp3" }] },
        { dataDisks: [{ ...dataDisk, diskSize: 40_000 }] },
        { dataDisks: [{ ...dataDisk, fileSystem: "ntfs" }] },
        { replicas: Number.NaN },
        { replicas: 1.5 },
        { replicas: -1 },
        { replicas: undefined },
        { scaling: { minReplicas: 3, maxReplicas: 2 } },
        { scaling: { minReplicas: 3, maxReplicas: 4 } },
        { instanceChargeType: "PREPAID" },
        { instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 13 } },
        { securityGroupIds: ["subnet-3f8a0c1e"] },
        { keyIds: ["skey-nowhere"] },
        { keyIds: ["key"] },
        { gpuConfigs: [{ instanceType: "SA5.MEDIUM4", gpuParams: {} }] },
        { machineType: "Bare" },
      ),
      labels: [{ a: 7 }],
      annotations: [{ a: 7 }],
      taints: [[{ key: "a", value: "b", effect: "Never" }]],
      tags,
      ...each(flag, "unschedulable", "deletionProtection", "waitForNodes"),
    },
  },
  ClusterEndpoint: {
    base: { clusterId, isExtranet: true, securityGroup: "sg-3f8a0c1e" },
    of: {
      clusterId: id("cls"),
      securityGroup: [...id("sg"), undefined],
      subnetId: [...id("subnet"), subnetId],
      allowedCidrBlocks: anybody,
      nodePoolIds: [["vpc-3f8a0c1e"]],
      renewBefore: ["soon", ""],
      ...each(text, "domain", "credentialsVersion"),
      isExtranet: flag,
    },
  },
  UserPermission: {
    base: { targetUin: "100000000002", clusterId, roleName: "svc:ro", roleType: "cluster" },
    of: {
      // The last one is the main account.
      targetUin: ["root", "", "1".repeat(21), "100000000001"],
      clusterId: id("cls"),
      roleName: ["svc:nobody", "svc:ns:ro", "", " ", "a/b", "a\u0000b"],
      roleType: ["cls", "namespace"],
      namespace: ["team", "Team", ""],
    },
  },
  RegistryInstance: {
    base: { registryName: "acme-images" },
    of: {
      registryName: ["acme", "Acme-images", "acme_images", "-acme-images", "x".repeat(51), "system"],
      registryType: ["gold"],
      publicAccess: [
        ...anybody.map(([cidrBlock]) => ({ whitelist: [{ cidrBlock }] })),
        { whitelist: [{ cidrBlock: "203.0.113.7" }, { cidrBlock: "203.0.113.7/32" }] },
      ],
      internalAccess: [
        [{ vpcId: "subnet-3f8a0c1e", subnetId }],
        [{ vpcId: "vpc-3f8a0c1e", subnetId: "vpc-3f8a0c1e" }],
        ["subnet-1", "subnet-2"].map((one) => ({ vpcId: "vpc-3f8a0c1e", subnetId: one })),
      ],
      tags,
      ...each(flag, "deletionProtection", "deleteBucket", "enableCosVersioning", "enableCosMaz"),
    },
  },
  Namespace: {
    base: { registryId, namespaceName: "other", isPublic: false },
    of: {
      registryId: id("tcr"),
      namespaceName: ["t", "Team", ".team", "te--am", "x".repeat(31), " "],
      severity: ["critical"],
      cveWhitelist: [["2026-12345"]],
      retentionRule: [
        { key: "latestPushedK", value: 0, cronSetting: "weekly" },
        { key: "latestPushedK", value: Number.NaN, cronSetting: "weekly" },
        { key: "oldest", value: 1, cronSetting: "weekly" },
        { key: "latestPushedK", value: 1, cronSetting: "hourly" },
      ],
      tags,
      ...each(flag, "isPublic", "autoScan"),
    },
  },
  Repository: {
    base: { registryId, namespaceName: "team", repositoryName: "web" },
    of: {
      registryId: id("tcr"),
      namespaceName: ["t", "Team", "team/web"],
      repositoryName: ["w", "Web", "/web", "tools//web", "x".repeat(201)],
      ...each(text, "briefDescription", "description"),
      forceDelete: flag,
    },
  },
  ReplicationRule: {
    base: {
      sourceRegistryId: registryId,
      ruleName: "copy",
      destinationRegistryId: "tcr-5d20b7c4",
      destNamespace: "copies",
      filters: [{ type: "name", value: "**" }],
    },
    of: {
      sourceRegistryId: id("tcr"),
      ruleName: ["", " ", "to/far", "a\u0000b"],
      destinationRegistryId: [...id("tcr"), registryId],
      destinationRegion: ["atlantis", "eu-frankfurt-1", ""],
      destNamespace: ["", "Copies"],
      filters: [[], [{ type: "label" }]],
      description: text,
      ...each(flag, "override", "deletion", "enabled"),
    },
  },
  Token: {
    base: { registryId },
    of: {
      registryId: id("tcr"),
      tokenType: ["short"],
      renewBefore: ["20m", "soon"],
      desc: text,
      enabled: flag,
    },
  },
  ServiceAccount: {
    base: { registryId, name: "ci", permissions: [permission] },
    of: {
      registryId: id("tcr"),
      name: ["CI", "reg$ci", "-ci", "ci--two", ""],
      permissions: [
        [],
        [{ ...permission, resource: "team/web" }],
        [{ ...permission, resource: "t" }],
        [{ ...permission, actions: ["reg:Everything"] }],
        [{ ...permission, actions: [] }],
        [permission, { ...permission, resource: "team/" }],
      ],
      expiresAt: ["2020-01-01T00:00:00Z", "soon", "2099-01-01"],
      ...each(text, "description", "passwordVersion"),
      disable: flag,
    },
  },
};
