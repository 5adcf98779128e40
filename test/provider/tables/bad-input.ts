import { unknown } from "../../support/structs.ts";
import { type Case, refusedOfRegistriesAndGrants } from "./bad-input-registry.ts";

/** A password that must never be in a failure. */
export const password = "correct-horse-battery";
export const pool = {
  subnetIds: ["subnet-1"],
  instanceTypes: ["SA5.MEDIUM4"],
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  replicas: 1,
};
const ruleParts = "protocol, port, cidrBlock, ipv6CidrBlock, securityGroupId, self, action, policyDescription";
const open = { protocol: "TCP", port: "443", action: "ACCEPT" };
const place = { vpcId: "vpc-1", subnetId: "subnet-1" };
const subnet = { vpcId: "vpc-1", cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" };
const outside = { clusterId: "cls-1", isExtranet: true, securityGroup: "sg-1" };
const inside = { clusterId: "cls-1", isExtranet: false, subnetId: "subnet-1" };
const gr = { ...place, clusterCidr: "172.16.0.0/16" };
const long = "x".repeat(61);

/** Bad inputs of each resource, and the sentences that refuse them. */
export const refused: readonly Case[] = [
  // Names.
  ["Vpc", { vpcName: "", cidrBlock: "10.0.0.0/16" }, "vpcName: takes at least 1 character, not 0"],
  ["Vpc", { vpcName: long, cidrBlock: "10.0.0.0/16" }, "vpcName: takes at most 60 characters, not 61"],
  ["Subnet", { ...subnet, subnetName: "" }, "subnetName: takes at least 1 character, not 0"],
  ["Subnet", { ...subnet, subnetName: long }, "subnetName: takes at most 60 characters, not 61"],
  ["SecurityGroup", { groupName: "" }, "groupName: takes at least 1 character, not 0"],
  ["SecurityGroup", { groupName: long }, "groupName: takes at most 60 characters, not 61"],
  ["SecurityGroup", { groupDescription: "x".repeat(101) }, "groupDescription: takes at most 100 characters, not 101"],
  ["Cluster", { ...gr, clusterName: "" }, "clusterName: takes at least 1 character, not 0"],
  ["Cluster", { ...gr, clusterName: long }, "clusterName: takes at most 60 characters, not 61"],
  ["NodePool", { clusterId: "cls-1", native: pool, name: "" }, "name: takes at least 1 character, not 0"],
  ["NodePool", { clusterId: "cls-1", native: pool, name: long }, "name: takes at most 60 characters, not 61"],
  // Ranges.
  ["Vpc", { cidrBlock: "ten" }, "cidrBlock: ten is not an IPv4 range such as 10.0.0.0/16"],
  ["Vpc", { cidrBlock: "10.0.0.0/33" }, "cidrBlock: 10.0.0.0/33 is not an IPv4 range such as 10.0.0.0/16"],
  ["Vpc", { cidrBlock: "2001:db8::/32" }, "cidrBlock: 2001:db8::/32 is not an IPv4 range such as 10.0.0.0/16"],
  ["Vpc", { cidrBlock: "10.0.0.1/16" }, "cidrBlock: 10.0.0.1/16 is not in its one spelling: write 10.0.0.0/16"],
  ["Subnet", { ...subnet, cidrBlock: "10.0.1.0/08" }, "cidrBlock: 10.0.1.0/08 is not an IPv4 range such as 10.0.0.0/16"],
  [
    "Subnet",
    { ...subnet, ipv6SubnetCidrBlock: "2001:db8::/56" },
    "ipv6SubnetCidrBlock: 2001:db8::/56 is not the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64",
  ],
  [
    "Subnet",
    { ...subnet, ipv6SubnetCidrBlock: "10.0.1.0/24" },
    "ipv6SubnetCidrBlock: 10.0.1.0/24 is not the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64",
  ],
  [
    "Subnet",
    { ...subnet, ipv6SubnetCidrBlock: "2001:0DB8::/64" },
    "ipv6SubnetCidrBlock: 2001:0DB8::/64 is not in its one spelling: write 2001:db8::/64",
  ],
  ["Vpc", { cidrBlock: "10.0.0.0/16", dnsServers: [] }, "dnsServers: takes at least 1 entry, not 0"],
  ["Vpc", { cidrBlock: "10.0.0.0/16", dnsServers: ["1", "2", "3", "4", "5"] }, "dnsServers: takes at most 4 entries, not 5"],
  // Rules.
  [
    "SecurityGroup",
    { ingress: [{ ...open, cidrBlock: "10.0.0.0/8", ipv6CidrBlock: "::/0" }] },
    "ingress[0]: takes exactly one of cidrBlock, ipv6CidrBlock, securityGroupId and self, not 2",
  ],
  [
    "SecurityGroup",
    { ingress: [{ ...open, cidrBlock: "10.0.0.0/8" }], egress: [open] },
    "egress[0]: takes exactly one of cidrBlock, ipv6CidrBlock, securityGroupId and self, not 0",
  ],
  [
    "SecurityGroup",
    { ingress: [{ ...open, protocol: "ICMP", cidrBlock: "10.0.0.0/8" }] },
    "ingress[0].port: goes with TCP and UDP only, not with ICMP",
  ],
  [
    "SecurityGroup",
    { ingress: [{ ...open, cidrBlock: "10.0.0.1/8" }] },
    "ingress[0].cidrBlock: 10.0.0.1/8 has bits behind its prefix: write 10.0.0.0/8",
  ],
  [
    "SecurityGroup",
    { ingress: [{ ...open, ipv6CidrBlock: "10.0.0.0/8" }] },
    "ingress[0].ipv6CidrBlock: 10.0.0.0/8 is not an IPv6 range such as 2001:db8::/32",
  ],
  [
    "SecurityGroup",
    { ingress: [{ ...open, protocol: "HTTP", cidrBlock: "10.0.0.0/8" }] },
    'ingress[0].protocol: "HTTP" is not one of TCP, UDP, ICMP, ICMPV6, GRE, ALL, tcp, udp, icmp, icmpv6, gre, all',
  ],
  [
    "SecurityGroup",
    { ingress: [{ ...open, action: "ALLOW", cidrBlock: "10.0.0.0/8" }] },
    'ingress[0].action: "ALLOW" is not one of ACCEPT, DROP',
  ],
  [
    "SecurityGroup",
    { ingress: [{ ...open, cidrBlock: "10.0.0.0/8", cidr: "10.0.0.0/8" }] },
    `ingress[0]: has no property cidr; it has ${ruleParts}`,
  ],
  // Endpoints.
  [
    "ClusterEndpoint",
    { clusterId: "cls-1", isExtranet: true },
    "securityGroup: is required for access from the internet (isExtranet: true)",
  ],
  ["ClusterEndpoint", { clusterId: "cls-1", isExtranet: false }, "subnetId: is required for access from the VPC (isExtranet: false)"],
  ["ClusterEndpoint", { ...outside, subnetId: "subnet-1" }, "subnetId: goes only with access from the VPC (isExtranet: false)"],
  [
    "ClusterEndpoint",
    { ...inside, allowedCidrBlocks: ["203.0.113.7"] },
    "allowedCidrBlocks: goes only with access from the internet (isExtranet: true)",
  ],
  ...["0.0.0.0/0", "::/0", "0::/0"].map(
    (range) =>
      [
        "ClusterEndpoint",
        { ...outside, allowedCidrBlocks: ["203.0.113.7", range] },
        `allowedCidrBlocks[1]: ${range} lets everyone in: name the ranges that need it, best single addresses such as 203.0.113.7/32`,
      ] as const,
  ),
  [
    "ClusterEndpoint",
    { ...outside, allowedCidrBlocks: ["home"] },
    "allowedCidrBlocks[0]: home is no range or address such as 203.0.113.0/24 or 203.0.113.7",
  ],
  ["ClusterEndpoint", { ...outside, renewBefore: "soon" }, "renewBefore: takes a time such as 72h or 90m"],
  // Clusters.
  ["Cluster", { ...gr, networkType: "GR", isDualStack: true }, 'isDualStack: a dual-stack cluster needs networkType "VPC-CNI", not "GR"'],
  ["Cluster", { ...place, networkType: "VPC-CNI" }, 'eniSubnetIds: networkType "VPC-CNI" needs at least one subnet for pods'],
  ["Cluster", { ...place, isDualStack: true }, 'eniSubnetIds: networkType "VPC-CNI" needs at least one subnet for pods'],
  ["Cluster", { ...place, eniSubnetIds: [] }, "eniSubnetIds: takes at least 1 entry, not 0"],
  ["Cluster", place, 'clusterCidr: networkType "GR" needs a range for pods and services, outside of the VPC\'s'],
  ["Cluster", { ...gr, clusterType: "MANAGED" }, 'clusterType: "MANAGED" is not one of MANAGED_CLUSTER, INDEPENDENT_CLUSTER'],
  ["Cluster", { ...gr, networkType: "CNI" }, 'networkType: "CNI" is not one of GR, VPC-CNI'],
  ["Cluster", { ...gr, instanceDeleteMode: "keep" }, 'instanceDeleteMode: "keep" is not one of terminate, retain'],
  ["Cluster", { ...gr, containerRuntime: "rkt" }, 'containerRuntime: "rkt" is not one of containerd, docker'],
  ["Cluster", { ...gr, clusterLevel: "big" }, "clusterLevel: takes a level such as L5 or L20"],
  ["Cluster", { ...gr, maxNodePodNum: 8 }, "maxNodePodNum: takes at least 16, not 8"],
  // Node pools.
  [
    "NodePool",
    { clusterId: "cls-1", native: { ...pool, replicas: undefined, scaling: { minReplicas: 3, maxReplicas: 2 } } },
    "native.scaling: minReplicas 3 is above maxReplicas 2",
  ],
  [
    "NodePool",
    { clusterId: "cls-1", native: { ...pool, replicas: 5, scaling: { minReplicas: 1, maxReplicas: 2 } } },
    "native.replicas: 5 is not within scaling, 1 to 2",
  ],
  [
    "NodePool",
    { clusterId: "cls-1", native: { ...pool, replicas: undefined } },
    "native: takes scaling or replicas: how many nodes there are to be",
  ],
  ["NodePool", { clusterId: "cls-1", native: pool, type: "Regular" }, 'type: "Regular" is not one of Native'],
  [
    "NodePool",
    { clusterId: "cls-1", native: { ...pool, instanceChargeType: "PREPAID" } },
    'native.instanceChargePrepaid: is required with instanceChargeType "PREPAID"',
  ],
  [
    "NodePool",
    { clusterId: "cls-1", native: pool, taints: [{ key: "a", value: "b", effect: "Never" }] },
    'taints[0].effect: "Never" is not one of NoSchedule, PreferNoSchedule, NoExecute',
  ],
  ["NodePool", { clusterId: "cls-1", native: { ...pool, subnetIds: [] } }, "native.subnetIds: takes at least 1 entry, not 0"],
  ...refusedOfRegistriesAndGrants,
  // What a JavaScript program may get wrong.
  [
    "Vpc",
    { cidrBlock: "10.0.0.0/16", cidr: "10.0.0.0/16" },
    "cidr: Vpc has no such property; it has vpcName, cidrBlock, enableRouteVpcPublishIpv6, dnsServers, tags",
  ],
  [
    "NodePool",
    { clusterId: "cls-1", native: { ...pool, systemDisk: { ...pool.systemDisk, sise: 3 } } },
    "native.systemDisk: has no property sise; it has diskType, diskSize",
  ],
  [
    "NodePool",
    { clusterId: unknown, native: { ...pool, systemDisk: { diskType: unknown, sise: 3 } } },
    "native.systemDisk: has no property sise; it has diskType, diskSize",
    "native.systemDisk.diskSize: is required",
  ],
  ["Vpc", {}, "cidrBlock: is required"],
  ["Vpc", { cidrBlock: 10 }, "cidrBlock: takes a string, not a number"],
  ["Ipv6Block", {}, "vpcId: is required"],
  ["Subnet", { ...subnet, tags: { team: 7 } }, "tags.team: takes a string, not a number"],
  [
    "Subnet",
    { ...subnet, tags: { "container-platform/owner": "me" } },
    "tags: takes no keys that begin with container-platform/: those are the provider's own",
  ],
  ["Cluster", { ...gr, deletionProtection: "yes" }, "deletionProtection: takes a boolean, not a string"],
  // Nobody could read these back from the id.
  [
    "Namespace",
    { registryId: "tcr-1/x", namespaceName: "team", isPublic: false },
    'registryId: "tcr-1/x" cannot be a part of the resource\'s id, which looks like tcr-3f8a0c1e/team',
  ],
  ["Ipv6Block", { vpcId: "" }, 'vpcId: "" cannot be a part of the resource\'s id, which looks like vpc-3f8a0c1e'],
  [
    "NodePool",
    { clusterId: "cls-1/np-1", native: pool },
    'clusterId: "cls-1/np-1" cannot be a part of the resource\'s id, which looks like cls-3f8a0c1e/np-3f8a0c1e',
  ],
  [
    "Repository",
    { registryId: "a/b", namespaceName: "team", repositoryName: "tools/web" },
    'registryId: "a/b" cannot be a part of the resource\'s id, which looks like tcr-3f8a0c1e/team/web',
  ],
  // Several at once.
  [
    "Vpc",
    { cidrBlock: "10.0.0.1/16", vpcName: "" },
    "vpcName: takes at least 1 character, not 0",
    "cidrBlock: 10.0.0.1/16 is not in its one spelling: write 10.0.0.0/16",
  ],
  // Secrets are never quoted.
  ["NodePool", { clusterId: "cls-1", native: { ...pool, password: [password] } }, "native.password: takes a string, not an array"],
  [
    "NodePool",
    { clusterId: "cls-1", native: { ...pool, management: { pasword: password } } },
    "native.management: has no property pasword; it has nameservers, hosts, kernelArgs",
  ],
  [
    "Cluster",
    { ...gr, existingInstances: [{ instanceIds: ["ins-1"], loginSettings: { password: { value: password } } }] },
    "existingInstances[0].loginSettings.password: takes a string, not an object",
  ],
  [
    "Cluster",
    { ...gr, existingInstances: [{ instanceIds: [], loginSettings: { password } }] },
    "existingInstances[0].instanceIds: takes at least 1 entry, not 0",
  ],
  [
    "Token",
    { registryId: "tcr-1", token: password },
    "token: Token has no such property; it has registryId, tokenType, desc, enabled, renewBefore",
  ],
];
