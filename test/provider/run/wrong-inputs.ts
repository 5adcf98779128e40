import type { KindName } from "../../../provider/src/resources/reviews.ts";
import { type Props, unknown } from "../../support/structs.ts";
import { password } from "../kinds/password.ts";
import { oneNode } from "../stage/outside.ts";

/** Why no text or number is wrong for an input. */
interface Free {
  readonly any: string;
}

/** A value that the platform does not take, and each message about it: after the input, or whole where it begins with another one. */
type WrongValue = readonly [value: unknown, ...messages: readonly (string | RegExp)[]];

/** Of each input of a kind, values that the platform does not take, whatever else there is. */
interface Wrong {
  /** Inputs that are right. */
  readonly base: Props;
  readonly of: Readonly<Record<string, readonly WrongValue[] | Free>>;
  /** Inputs that are wrong together, whose values are not known yet, or which the kind does not have, and each whole message about them. */
  readonly together?: readonly (readonly [change: Props, ...messages: readonly string[]])[];
  /** Inputs at the last value that the platform takes. */
  readonly limits?: Props;
}

export function isFree(values: readonly WrongValue[] | Free): values is Free {
  return "any" in values;
}

const each = <Values>(values: Values, ...inputs: readonly string[]) => Object.fromEntries(inputs.map((input) => [input, values]));
/** Values that are quoted at the end of one message. */
const takes = (what: string, ...values: readonly unknown[]) =>
  values.map((value): WrongValue => [value, `: takes ${what}, not ${JSON.stringify(value)}`]);
const oneOf = (values: string, value: string): WrongValue => [value, `: ${JSON.stringify(value)} is not one of ${values}`];
const offered = (what: string, ...values: readonly string[]) =>
  values.map((value): WrongValue => [value, `: ${JSON.stringify(value)} is no ${what}`]);

const number: WrongValue = [7, ": takes a string, not a number"];
const required: WrongValue = [undefined, ": is required"];
const nameWithoutControls = "a name that is not blank and has no control characters";
const name: readonly WrongValue[] = [
  ["", ": takes at least 1 character, not 0"],
  ...takes(nameWithoutControls, " ", "\t", "a\u0000b"),
  ["x".repeat(61), ": takes at most 60 characters, not 61"],
  number,
  [Number.NaN, ": takes a string, not NaN"],
];
const tags: readonly WrongValue[] = [
  [{ "": "a" }, ': takes keys of 1 to 127 characters, not ""'],
  [{ " ": "a" }, `: takes keys that are ${nameWithoutControls}, not " "`],
  [{ "\u001b[2Jz": "a" }, `: takes keys that are ${nameWithoutControls}, not "\\u001b[2Jz"`],
  [{ ["k".repeat(128)]: "a" }, `: takes keys of 1 to 127 characters, not 128: "${"k".repeat(128)}"`],
  [{ a: "v".repeat(256) }, ': takes values of at most 255 characters, and that of "a" has 256'],
  [
    Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`key-${index}`, "a"])),
    ": takes at most 47 tags, beside the provider's own, not 48",
  ],
  [{ "container-platform/owner": "me" }, ": takes no keys that begin with container-platform/: those are the provider's own"],
  [{ a: 7 }, ".a: takes a string, not a number"],
];
const [longName, fullTags] = [
  "x".repeat(60),
  { ["k".repeat(127)]: "v".repeat(255), ...Object.fromEntries(Array.from({ length: 46 }, (_, n) => [`${n}`, ""])) },
];
const flag: readonly WrongValue[] = [
  ["yes", ": takes a boolean, not a string"],
  [1, ": takes a boolean, not a number"],
];
const idOf = (noun: string, of: string) => `the id of a ${noun}, such as ${of}-3f8a0c1e`;
const id = (noun: string, of: string): readonly WrongValue[] => [
  ...takes(idOf(noun, of), of === "vpc" ? "subnet-3f8a0c1e" : "vpc-3f8a0c1e", "", `my-${of}`, `${of}-1/2`),
  number,
];
const text: Free = { any: "any text" };
const aCidr = (example: string): readonly WrongValue[] => [
  ["ten", `: ten is not an IPv4 range such as ${example}`],
  ["10.0.0.1/16", ": 10.0.0.1/16 is not in its one spelling: write 10.0.0.0/16"],
  ["2001:db8::/32", `: 2001:db8::/32 is not an IPv4 range such as ${example}`],
  ["10.0.0.0/33", `: 10.0.0.0/33 is not an IPv4 range such as ${example}`],
  ["10.0.0.0/08", `: 10.0.0.0/08 is not an IPv4 range such as ${example}`],
  number,
];
const inside = (prefixes: string, ...ranges: readonly string[]) =>
  ranges.map((range): WrongValue => [range, `: takes a ${prefixes} inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, not ${range}`]);
const best = "name the ranges that need it, best single addresses such as 203.0.113.7/32";
const anybody = [
  ["0.0.0.0/0", `0.0.0.0/0 lets everyone in: ${best}`],
  ["::/0", `::/0 lets everyone in: ${best}`],
  ["0::0/0", `0::0/0 lets everyone in: ${best}`],
  ["10.0.0.7/24", "10.0.0.7/24 has bits behind its prefix: write 10.0.0.0/24"],
  ["nobody", "nobody is no range or address such as 203.0.113.0/24 or 203.0.113.7"],
] as const;
const separated = (most: number, separators: string) =>
  `2 to ${most} lower-case letters, digits and separators (${separators}), which neither begin nor end it nor follow each other`;
const namespace = separated(30, "., _, -");
const rule = { protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" };
const rules: readonly WrongValue[] = [
  ...["99999", "0", "90-80", "http", "80;443"].map((port): WrongValue => [
    [{ ...rule, port }],
    `[0].port: takes ports from 1 to 65535 in forms such as 443, 8000-9000 or 80,443, or ALL, not "${port}"`,
  ]),
  [[{ ...rule, cidrBlock: "10.0.0.1/8" }], "[0].cidrBlock: 10.0.0.1/8 has bits behind its prefix: write 10.0.0.0/8"],
  [
    [{ ...rule, protocol: "IGMP" }],
    '[0].protocol: "IGMP" is not one of TCP, UDP, ICMP, ICMPV6, GRE, ALL, tcp, udp, icmp, icmpv6, gre, all',
  ],
  [[{ ...rule, protocol: "ICMPV6", port: undefined }], "[0].protocol: is ICMPV6 with an IPv4 range; ICMP of IPv4 is ICMP"],
  [
    [{ ...rule, protocol: "ICMP", port: undefined, cidrBlock: undefined, ipv6CidrBlock: "2001:db8::/32" }],
    "[0].protocol: is ICMP with an IPv6 range; ICMP of IPv6 is ICMPV6",
  ],
  [
    [{ ...rule, cidrBlock: undefined, securityGroupId: "subnet-3f8a0c1e" }],
    `[0].securityGroupId: takes ${idOf("security group", "sg")}, not "subnet-3f8a0c1e"`,
  ],
  [[{ ...rule, ipv6CidrBlock: "::/0" }], "[0]: takes exactly one of cidrBlock, ipv6CidrBlock, securityGroupId and self, not 2"],
  [[{ ...rule, cidrBlock: undefined }], "[0]: takes exactly one of cidrBlock, ipv6CidrBlock, securityGroupId and self, not 0"],
  [[{ ...rule, protocol: "ICMP" }], "[0].port: goes with TCP and UDP only, not with ICMP"],
  [
    [{ ...rule, cidrBlock: undefined, ipv6CidrBlock: "10.0.0.0/8" }],
    "[0].ipv6CidrBlock: 10.0.0.0/8 is not an IPv6 range or address such as 2001:db8::/32",
  ],
  [[{ ...rule, action: "ALLOW" }], '[0].action: "ALLOW" is not one of ACCEPT, DROP'],
  [
    [{ ...rule, cidr: "10.0.0.0/8" }],
    "[0]: has no property cidr; it has protocol, port, cidrBlock, ipv6CidrBlock, securityGroupId, self, action, policyDescription",
  ],
  [[{ ...rule, policyDescription: "x".repeat(101) }], "[0].policyDescription: takes at most 100 characters, not 101"],
  [
    [rule, { ...rule, protocol: "tcp", policyDescription: "the same" }],
    ": has the same rule at 0 and 1, whatever their descriptions: write it once",
  ],
  [Array.from({ length: 101 }, (_, index) => ({ ...rule, port: String(index + 1) })), ": takes at most 100 entries, not 101"],
];

const fullRules = Array.from({ length: 100 }, (_, n) => ({ ...rule, port: `${65_535 - n}`, policyDescription: "x".repeat(100) }));

const subnetId = "subnet-3f8a0c1e";
const native = oneNode(subnetId);
const fullNative = {
  ...{ replicas: 3, scaling: { minReplicas: 3, maxReplicas: 3 }, systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 2048 } },
  ...{ instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 12 }, dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: 32_000 }] },
};
const pool = (...changes: readonly (readonly [change: Props, ...messages: readonly string[]])[]) =>
  changes.map(([change, ...messages]): WrongValue => [{ ...native, ...change }, ...messages]);
const dataDisk = { diskType: "CLOUD_PREMIUM", diskSize: 50 };
const joining = (entry: Props, message: string): WrongValue => [[{ instanceIds: ["ins-3f8a0c1e"], ...entry }], message];
/** kubernetes.io/docs/concepts/overview/working-with-objects/labels, "Syntax and character set". */
const ofLabels = "letters, digits, -, _ and ., which begin and end with a letter or digit";
const keys = `a key of 1 to 63 ${ofLabels}, with or without a DNS subdomain and / in front, such as example.com/team`;
const values = `a value of up to 63 ${ofLabels}`;
const labels: readonly WrongValue[] = [
  ...["not a label!", "", "k".repeat(64), "Example.com/a", "a/b/c", `${"p".repeat(254)}/a`].map((key): WrongValue => [
    { a: "b", [key]: "x" },
    `: takes ${keys}, not ${JSON.stringify(key)}`,
  ]),
  ...["not a value!", "v".repeat(64), "-v"].map((value): WrongValue => [
    { a: "", b: value },
    `: takes ${values}, and that of "b" is ${JSON.stringify(value)}`,
  ]),
  [{ a: 7 }, ".a: takes a string, not a number"],
];
const taint = { key: "a", value: "b", effect: "NoSchedule" };
const taints: readonly WrongValue[] = [
  [[{ ...taint, effect: "Never" }], '[0].effect: "Never" is not one of NoSchedule, PreferNoSchedule, NoExecute'],
  [[taint, { ...taint, key: "not a label!" }], `[1].key: takes ${keys}, not "not a label!"`],
  [[{ ...taint, value: "not a value!" }], `[0].value: takes ${values}, not "not a value!"`],
  [[taint, { ...taint, value: "c" }], ': has "a" with the effect NoSchedule twice: name each pair once'],
];
const permission = { resource: "team", actions: ["reg:PullRepository"] };
const registryId = "tcr-3f8a0c1e";
const clusterId = "cls-3f8a0c1e";
const noZone = "is no zone that eu-frankfurt offers: it takes eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3";
const issuers = ": takes useServiceDefault: true alone, or useServiceDefault: false with an issuer";
const forGr = 'clusterCidr: goes with networkType "GR" only: with "VPC-CNI", pods take addresses of eniSubnetIds';
const roles =
  "svc:admin, svc:ops, svc:dev, svc:ro, svc:ns:dev, svc:ns:ro, or the name of a Role or ClusterRole, which does not begin with svc:";
const regions = "region that eu-frankfurt offers: it takes eu-frankfurt, ap-singapore, na-ashburn";
const notIn = (region: string) => `destinationRegistryId: there is no registry tcr-5d20b7c4 in ${region}`;
const actions =
  "reg:PushRepository, reg:PullRepository, reg:CreateRepository, reg:DeleteRepository, reg:CreateHelmChart, reg:DescribeHelmCharts";

const wayOut = { destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: "nat-3f8a0c1e" };

export const wrongInputs: Readonly<Record<KindName, Wrong>> = {
  Vpc: {
    base: { cidrBlock: "10.9.0.0/16" },
    limits: { vpcName: longName, cidrBlock: "10.16.0.0/12", dnsServers: [1, 2, 3, 4].map((host) => `10.0.0.${host}`), tags: fullTags },
    of: {
      vpcName: name,
      cidrBlock: [
        ...aCidr("10.0.0.0/16"),
        required,
        ...inside("/12 to /28", "100.64.0.0/16", "10.0.0.0/8", "10.0.0.0/29", "11.0.0.0/16", "192.168.0.0/15"),
      ],
      dnsServers: [
        ...["nope", "2001:db8::1", "10.0.0.0/16"].map((one): WrongValue => [[one], `[0]: takes an IPv4 address, not "${one}"`]),
        [[], ": takes at least 1 entry, not 0"],
        [[1, 2, 3, 4, 5].map((host) => `10.0.0.${host}`), ": takes at most 4 entries, not 5"],
      ],
      tags,
      enableRouteVpcPublishIpv6: flag,
    },
    together: [
      [
        { cidrBlock: "10.0.0.1/16", vpcName: "" },
        "vpcName: takes at least 1 character, not 0",
        "cidrBlock: 10.0.0.1/16 is not in its one spelling: write 10.0.0.0/16",
      ],
    ],
  },
  Ipv6Block: { base: { vpcId: "vpc-3f8a0c1e" }, of: { vpcId: [...id("VPC", "vpc"), required] } },
  SecurityGroup: {
    base: {},
    limits: { groupName: longName, groupDescription: "x".repeat(100), ingress: fullRules, egress: fullRules, tags: fullTags },
    of: {
      groupName: name,
      groupDescription: [["x".repeat(101), ": takes at most 100 characters, not 101"], number],
      ingress: rules,
      egress: rules,
      tags,
    },
  },
  ElasticIp: {
    base: {},
    of: {
      addressName: [...takes("1 to 128 letters, digits, - and _", "a b", "", "a/b", "x".repeat(129)), number],
      internetServiceProvider: [oneOf("BGP, CMCC, CTCC, CUCC", "bgp")],
      internetChargeType: [oneOf("TRAFFIC_POSTPAID_BY_HOUR, BANDWIDTH_POSTPAID_BY_HOUR, BANDWIDTH_PREPAID_BY_MONTH", "BANDWIDTH_PACKAGE")],
      internetMaxBandwidthOut: [0, 101, -1].map((value): WrongValue => [
        value,
        `: is ${value}; TRAFFIC_POSTPAID_BY_HOUR takes 1 to 100 Mbps`,
      ]),
      addressChargePrepaid: [
        [{ period: 0 }, ".period: takes at least 1, not 0"],
        [{ period: 1, autoRenewFlag: 3 }, ".autoRenewFlag: takes at most 2, not 3"],
      ],
      tags,
    },
    together: [
      [
        { internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH" },
        "addressChargePrepaid: goes with internetChargeType BANDWIDTH_PREPAID_BY_MONTH, which requires it, and with no other",
      ],
    ],
  },
  NatGateway: {
    base: { vpcId: "vpc-3f8a0c1e", publicIpAddresses: ["198.51.100.7"] },
    of: {
      vpcId: id("VPC", "vpc"),
      publicIpAddresses: [
        ...["nope", "2001:db8::1", "eip-3f8a0c1e"].map((one): WrongValue => [
          [one],
          `[0]: takes the IPv4 address of an elastic IP, not "${one}"`,
        ]),
        [[], ": takes at least 1 entry, not 0"],
        [["198.51.100.7", "198.51.100.7"], ': has "198.51.100.7" twice: name each once'],
      ],
      zone: [...["ap-singapore-1", "eu-frankfurt-9", ""].map((zone): WrongValue => [zone, `: "${zone}" ${noZone}`]), number],
      natGatewayName: name,
      internetMaxBandwidthOut: takes("20, 50, 100, 200, 500, 1000, 2000, 5000", 0, 30),
      maxConcurrentConnection: takes("1000000, 3000000, 10000000", 0, 2_000_000),
      tags,
    },
  },
  RouteTable: {
    base: { vpcId: "vpc-3f8a0c1e" },
    of: {
      vpcId: id("VPC", "vpc"),
      routeTableName: name,
      routes: [
        ...["nat", "IPV6"].map((gatewayType): WrongValue => [
          [{ destinationCidrBlock: "0.0.0.0/0", gatewayType, gatewayId: "nat-3f8a0c1e" }],
          /^routes\[0\]\.gatewayType: "\w+" is not one of NAT, CVM, /,
        ]),
        [
          [{ destinationCidrBlock: "ten", gatewayType: "EIP", gatewayId: "0" }],
          "[0].destinationCidrBlock: ten is not an IPv4 range such as 0.0.0.0/0",
        ],
        [[{ gatewayType: "EIP", gatewayId: "0" }], ": a route takes exactly one of destinationCidrBlock and destinationIpv6CidrBlock"],
        [
          [{ ...wayOut, destinationIpv6CidrBlock: "2001:db8::/32", gatewayType: "EIP" }],
          ": a route takes exactly one of destinationCidrBlock and destinationIpv6CidrBlock",
        ],
        [[wayOut, { ...wayOut, gatewayId: "nat-5d20b7c4" }], ": has two routes for 0.0.0.0/0: write one"],
        [
          [{ ...wayOut, destinationCidrBlock: undefined, destinationIpv6CidrBlock: "::/0" }],
          ": the gateway of ::/0 is a NAT gateway, which does not translate IPv6. The platform has no gateway for IPv6",
        ],
        [
          [{ destinationCidrBlock: "192.0.2.0/24", gatewayType: "NORMAL_CVM", gatewayId: "192.0.2.7" }],
          ": the gateway 192.0.2.7 is inside 192.0.2.0/24: the route leads to itself",
        ],
      ],
      tags,
    },
  },
  Subnet: {
    base: { vpcId: "vpc-3f8a0c1e", cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" },
    limits: { subnetName: longName, cidrBlock: "10.0.1.0/29", tags: fullTags },
    of: {
      vpcId: id("VPC", "vpc"),
      subnetName: name,
      cidrBlock: [...aCidr("10.0.1.0/24"), ...inside("/12 to /29", "10.0.1.0/30", "100.64.1.0/24", "8.8.8.0/24")],
      // Of another region, not available, and none.
      zone: [
        ...["ap-singapore-1", "eu-frankfurt-9", ""].map((zone): WrongValue => [zone, `: "${zone}" ${noZone}`]),
        ["eu-frankfurt-4", ': "eu-frankfurt-4" cannot be used at present: it takes eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3'],
        number,
      ],
      ipv6SubnetCidrBlock: [
        ...["2001:db8::/56", "10.0.1.0/24"].map((range): WrongValue => [
          range,
          `: ${range} is not the IPv6 range of a subnet, a /64 such as 2001:db8:0:ff01::/64`,
        ]),
        ["2001:0DB8::/64", ": 2001:0DB8::/64 is not in its one spelling: write 2001:db8::/64"],
      ],
      routeTableId: id("route table", "rtb"),
      tags,
    },
  },
  Cluster: {
    base: { vpcId: "vpc-3f8a0c1e", subnetId, clusterCidr: "172.16.0.0/16" },
    limits: { clusterName: longName, maxNodePodNum: 256, maxClusterServiceNum: 32, tags: fullTags },
    of: {
      clusterName: name,
      clusterType: [oneOf("MANAGED_CLUSTER, INDEPENDENT_CLUSTER", "MANAGED")],
      clusterVersion: [
        ...offered(
          "Kubernetes version that eu-frankfurt offers: it takes 1.28.3, 1.30.0, 1.32.2, 1.34.1",
          ...["1.99", "latest", "", "9.9.9"],
        ),
        [1.32, ": takes a string, not a number"],
      ],
      clusterLevel: [
        ...offered("level that eu-frankfurt offers: it takes L5, L20, L50, L100, L200, L500, L1000, L3000, L5000", "L7"),
        ...takes("a level such as L5 or L20", "big", ""),
      ],
      clusterOs: offered(
        "operating system that eu-frankfurt offers: it takes ubuntu22.04x86_64, ubuntu24.04x86_64, tlinux3.1x86_64",
        ...["windows", "tlinux2.4x86_64", ""],
      ),
      containerRuntime: [oneOf("containerd, docker", "rkt")],
      vpcId: id("VPC", "vpc"),
      subnetId: id("subnet", "subnet"),
      networkType: [oneOf("GR, VPC-CNI", "CNI")],
      clusterCidr: [...aCidr("10.0.0.0/16"), [undefined, ': networkType "GR" needs a range for pods and services, outside of the VPC\'s']],
      serviceCidr: aCidr("10.0.0.0/16"),
      maxNodePodNum: [
        ...takes("at least 16", 15),
        ...takes("at most 256", 257),
        ...takes("a whole number", 64.5),
        [Number.NaN, ": takes a number, not NaN"],
      ],
      maxClusterServiceNum: [...takes("at least 32", 31), ...takes("at most 32768", 32_769)],
      eniSubnetIds: [
        [[], ": takes at least 1 entry, not 0"],
        [["vpc-3f8a0c1e"], `[0]: takes ${idOf("subnet", "subnet")}, not "vpc-3f8a0c1e"`],
        [[subnetId, subnetId], `: has "${subnetId}" twice: name each once`],
        [[subnetId], forGr],
      ],
      isDualStack: [
        [true, 'eniSubnetIds: networkType "VPC-CNI" needs at least one subnet for pods', forGr],
        ["yes", ": takes a boolean, not a string"],
      ],
      kubeProxyMode: { any: "the platform takes any text" },
      extraArgs: [
        [{ kubelet: ["a=b"] }, ": has no property kubelet; it has kubeApiServer, kubeControllerManager, kubeScheduler, etcd"],
        [{ etcd: "a=b" }, ".etcd: takes an array, not a string"],
      ],
      instanceDeleteMode: [oneOf("terminate, retain", "keep")],
      resourceDeleteOptions: [[[{ resourceType: "VPC", deleteMode: "retain" }], '[0].resourceType: "VPC" is not one of CBS, CLB, CVM']],
      serviceAccounts: [
        [{ issuer: "https://issuer.example" }, issuers],
        [{ useServiceDefault: true, issuer: "https://issuer.example" }, issuers],
        [{ useServiceDefault: false }, issuers],
        [
          { useServiceDefault: false, issuer: "http://issuer.example" },
          '.issuer: takes an address that begins with https://, not "http://issuer.example"',
        ],
        [{ useServiceDefault: false, issuer: "https://issuer.example", jwksUri: "keys" }, ".jwksUri: takes text of the form url"],
      ],
      oidcConfig: [[{ autoCreateClientId: "a" }, ".autoCreateClientId: takes an array, not a string"]],
      existingInstances: [
        joining(
          { instanceIds: ["vpc-3f8a0c1e"] },
          '[0].instanceIds[0]: takes the id of a machine, such as ins-3f8a0c1e, not "vpc-3f8a0c1e"',
        ),
        joining({ instanceIds: [], loginSettings: { password } }, "[0].instanceIds: takes at least 1 entry, not 0"),
        joining({ loginSettings: { password: { value: password } } }, "[0].loginSettings.password: takes a string, not an object"),
        joining({ instanceIds: ["ins-1", "ins-1"] }, ": has ins-1 twice: name each machine once"),
        joining(
          { instanceIds: Array.from({ length: 101 }, (_, index) => `ins-${index}`) },
          "[0].instanceIds: takes at most 100 entries, not 101",
        ),
        joining(
          { loginSettings: { password: "Secret-123456", keyIds: ["skey-3f8a0c1e"] } },
          "[0].loginSettings: takes one of password, keyIds and keepImageLogin, not password and keyIds",
        ),
        joining({ loginSettings: { keyIds: ["skey-1", "skey-2"] } }, "[0].loginSettings.keyIds: takes 1 entry, not 2"),
        joining(
          { instanceAdvancedSettings: { userScript: "no base64!" } },
          "[0].instanceAdvancedSettings.userScript: takes text of the form base64",
        ),
        ...labels.map(([value, message]) =>
          joining({ instanceAdvancedSettings: { labels: value } }, `[0].instanceAdvancedSettings.labels${String(message)}`),
        ),
        ...taints.map(([value, message]) =>
          joining({ instanceAdvancedSettings: { taints: value } }, `[0].instanceAdvancedSettings.taints${String(message)}`),
        ),
      ],
      tags,
      ...each(text, "clusterDescription", "credentialsVersion"),
      ...each(flag, "upgradeNodes", "autoUpgradeClusterLevel", "ipvs", "deletionProtection"),
    },
    together: [
      [{ networkType: "GR", isDualStack: true }, 'isDualStack: a dual-stack cluster needs networkType "VPC-CNI", not "GR"'],
      [{ networkType: "VPC-CNI", clusterCidr: undefined }, 'eniSubnetIds: networkType "VPC-CNI" needs at least one subnet for pods'],
      [{ isDualStack: true, clusterCidr: undefined }, 'eniSubnetIds: networkType "VPC-CNI" needs at least one subnet for pods'],
    ],
  },
  NodePool: {
    base: { clusterId, native },
    limits: { name: longName, labels: { [`${"p".repeat(253)}/${"k".repeat(63)}`]: "v".repeat(63) }, native: { ...native, ...fullNative } },
    of: {
      clusterId: id("cluster", "cls"),
      name,
      type: [oneOf("Native", "Regular")],
      native: pool(
        [{ subnetIds: [] }, ".subnetIds: takes at least 1 entry, not 0"],
        [{ subnetIds: ["vpc-3f8a0c1e"] }, `.subnetIds[0]: takes ${idOf("subnet", "subnet")}, not "vpc-3f8a0c1e"`],
        [{ instanceTypes: [] }, ".instanceTypes: takes at least 1 entry, not 0"],
        [{ instanceTypes: [""] }, '.instanceTypes[0]: takes a type such as SA5.MEDIUM4, not ""'],
        [
          { instanceTypes: ["t3.medium"] },
          '.instanceTypes: "t3.medium" is no type of instance that eu-frankfurt offers: it takes types such as S5.SMALL2, S5.MEDIUM2, S5.MEDIUM4, S5.MEDIUM8, S5.LARGE8, which getInstanceTypes({ zone }) lists',
        ],
        ...["gp3", "CLOUD_TSSD"].map(
          (diskType) =>
            [
              { systemDisk: { diskType, diskSize: 50 } },
              `.systemDisk.diskType: is "${diskType}", which eu-frankfurt does not have as a SYSTEM_DISK; it takes CLOUD_PREMIUM, CLOUD_BSSD, CLOUD_SSD, CLOUD_HSSD`,
            ] as const,
        ),
        [
          { systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 4096 } },
          ".systemDisk.diskSize: is 4096 GB; as a SYSTEM_DISK of eu-frankfurt, CLOUD_PREMIUM takes 20 to 2048 GB",
        ],
        [
          { dataDisks: [{ ...dataDisk, diskType: "gp3" }] },
          '.dataDisks[0].diskType: is "gp3", which eu-frankfurt does not have as a DATA_DISK; it takes CLOUD_PREMIUM, CLOUD_BSSD, CLOUD_SSD, CLOUD_HSSD, CLOUD_TSSD',
        ],
        [
          { dataDisks: [{ ...dataDisk, diskSize: 40_000 }] },
          ".dataDisks[0].diskSize: is 40000 GB; as a DATA_DISK of eu-frankfurt, CLOUD_PREMIUM takes 10 to 32000 GB",
        ],
        [{ dataDisks: [{ ...dataDisk, fileSystem: "ntfs" }] }, '.dataDisks[0].fileSystem: "ntfs" is not one of ext3, ext4, xfs'],
        [{ replicas: Number.NaN }, ".replicas: takes a number, not NaN"],
        [{ replicas: 1.5 }, ".replicas: takes a whole number, not 1.5"],
        [{ replicas: -1 }, ".replicas: takes at least 0, not -1"],
        [{ replicas: undefined }, ": takes scaling or replicas: how many nodes there are to be"],
        [
          { scaling: { minReplicas: 3, maxReplicas: 2 } },
          ...[".scaling: minReplicas 3 is above maxReplicas 2", ".replicas: 1 is not within scaling, 3 to 2"],
        ],
        [{ scaling: { minReplicas: 3, maxReplicas: 4 } }, ".replicas: 1 is not within scaling, 3 to 4"],
        [{ replicas: 5, scaling: { minReplicas: 1, maxReplicas: 2 } }, ".replicas: 5 is not within scaling, 1 to 2"],
        [{ password: [password] }, ".password: takes a string, not an array"],
        [{ management: { pasword: password } }, ".management: has no property pasword; it has nameservers, hosts, kernelArgs"],
        [{ instanceChargeType: "PREPAID" }, '.instanceChargePrepaid: is required with instanceChargeType "PREPAID"'],
        [
          { instanceChargeType: "PREPAID", instanceChargePrepaid: { period: 13 } },
          ".instanceChargePrepaid.period: takes 1 to 12, 24, 36, 48 or 60 months, not 13",
        ],
        [{ securityGroupIds: ["subnet-3f8a0c1e"] }, `.securityGroupIds[0]: takes ${idOf("security group", "sg")}, not "subnet-3f8a0c1e"`],
        [{ keyIds: ["skey-nowhere"] }, ".keyIds: there is no key pair skey-nowhere in eu-frankfurt: getKeyPairs() lists them"],
        [{ keyIds: ["key"] }, `.keyIds[0]: takes ${idOf("key pair", "skey")}, not "key"`],
        [
          { gpuConfigs: [{ instanceType: "SA5.MEDIUM4", gpuParams: {} }] },
          '.gpuConfigs: "SA5.MEDIUM4" is no type of instance with a GPU: it takes GN7.2XLARGE32, GN7.5XLARGE80',
        ],
        ...["quiet", "=1", "a b=1", "a=1\nb=2"].map(
          (argument) =>
            [
              { management: { kernelArgs: ["vm.swappiness=1", argument] } },
              `.management.kernelArgs[1]: takes a parameter of the kernel such as net.core.somaxconn=1024, not ${JSON.stringify(argument)}`,
            ] as const,
        ),
        ...["preInit", "postInit"].map(
          (part) => [{ lifecycle: { [part]: "echo 1" } }, `.lifecycle.${part}: takes text of the form base64`] as const,
        ),
        [{ machineType: "Bare" }, '.machineType: "Bare" is not one of Native, NativeCVM'],
      ),
      labels,
      annotations: [
        [{ "not a label!": "x" }, `: takes ${keys}, not "not a label!"`],
        [{ a: 7 }, ".a: takes a string, not a number"],
      ],
      taints,
      tags,
      ...each(flag, "unschedulable", "deletionProtection", "waitForNodes"),
    },
    together: [
      [
        { native: { ...native, subnetIds: [unknown], replicas: undefined, scaling: { minReplicas: 5, maxReplicas: 2 } } },
        "native.scaling: minReplicas 5 is above maxReplicas 2",
      ],
      [
        { native: { ...native, subnetIds: [unknown], replicas: undefined } },
        "native: takes scaling or replicas: how many nodes there are to be",
      ],
      [
        { clusterId: unknown, native: { ...native, systemDisk: { diskType: unknown, sise: 3 } } },
        "native.systemDisk.diskSize: is required",
        "native.systemDisk: has no property sise; it has diskType, diskSize",
      ],
    ],
  },
  ClusterEndpoint: {
    base: { clusterId, isExtranet: true, securityGroup: "sg-3f8a0c1e" },
    of: {
      clusterId: id("cluster", "cls"),
      securityGroup: [...id("security group", "sg"), [undefined, ": is required for access from the internet (isExtranet: true)"]],
      subnetId: [...id("subnet", "subnet"), [subnetId, ": goes only with access from the VPC (isExtranet: false)"]],
      allowedCidrBlocks: anybody.map(([range, message]): WrongValue => [["203.0.113.7", range], `[1]: ${message}`]),
      nodePoolIds: [[["vpc-3f8a0c1e"], `[0]: takes ${idOf("node pool", "np")}, not "vpc-3f8a0c1e"`]],
      renewBefore: takes("a time such as 72h or 90m", "soon", ""),
      ...each(text, "domain", "credentialsVersion"),
      isExtranet: flag,
    },
    together: [
      [{ isExtranet: false, securityGroup: undefined }, "subnetId: is required for access from the VPC (isExtranet: false)"],
      [
        { isExtranet: false, securityGroup: undefined, subnetId, allowedCidrBlocks: ["203.0.113.7"] },
        "allowedCidrBlocks: goes only with access from the internet (isExtranet: true)",
      ],
    ],
  },
  UserPermission: {
    base: { targetUin: "100000000002", clusterId, roleName: "svc:ro", roleType: "cluster" },
    limits: { roleName: "svc:ns:ro", roleType: "namespace", namespace: "x".repeat(63), targetUin: "1".repeat(20) },
    of: {
      targetUin: [
        ...takes("the id of a sub-account, such as 100000000002", "root", "", "1".repeat(21)),
        ["100000000001", ": 100000000001 is the main account: it takes the id of a sub-account"],
        number,
      ],
      clusterId: id("cluster", "cls"),
      roleName: [
        ...takes(roles, "svc:nobody", " ", "a/b", "a\u0000b"),
        ["svc:ns:ro", 'roleType: svc:ns:ro is a role of a namespace: it takes "namespace", not "cluster", and a namespace'],
        ["", ": takes at least 1 character, not 0"],
      ],
      roleType: [
        [undefined, ": is required; it takes cluster, namespace"],
        ...["cls", "ns"].map((type) => oneOf("cluster, namespace", type)),
        ["namespace", ': svc:ro is a role of a cluster: it takes "cluster", not "namespace"'],
      ],
      namespace: [
        ["team", ': svc:ro with roleType "cluster" holds in the whole cluster, and takes none'],
        ...takes("1 to 63 lower-case letters, digits and -, which neither begins nor ends it", "Team", "", "-team", "x".repeat(64)),
      ],
    },
    together: [
      [
        { roleType: "namespace", namespace: "team" },
        'roleType: svc:ro is a role of a cluster: it takes "cluster", not "namespace", and no namespace',
      ],
      [{ roleName: "svc:ns:dev", namespace: "team" }, 'roleType: svc:ns:dev is a role of a namespace: it takes "namespace", not "cluster"'],
      ...["svc:ns:dev", "deployer"].map(
        (roleName) =>
          [{ roleName, roleType: "namespace" }, `namespace: is required for ${roleName}, because roleType is "namespace"`] as const,
      ),
    ],
  },
  RegistryInstance: {
    base: { registryName: "acme-images" },
    limits: { registryName: "x".repeat(50), tags: fullTags },
    of: {
      registryName: [
        ...takes(
          "5 to 50 lower-case letters, digits and -, and neither begins nor ends with -",
          ...["acme", "Acme-images", "acme_images", "-acme-images", "acme-images-", "x".repeat(51)],
        ),
        ["system", ': "system" is reserved by the platform: take another name'],
      ],
      registryType: [oneOf("basic, standard, premium", "gold")],
      publicAccess: [
        ...anybody.map(([cidrBlock, message]): WrongValue => [
          { whitelist: [{ cidrBlock: "203.0.113.7" }, { cidrBlock, description: "all" }] },
          `.whitelist[1].cidrBlock: ${message}`,
        ]),
        ...[
          ["203.0.113.7", "203.0.113.7/32"],
          ["2001:0DB8::/64", "2001:db8::/64"],
        ].map(([spelt, cidrBlock]): WrongValue => [
          { whitelist: [{ cidrBlock: spelt }, { cidrBlock: "192.0.2.1" }, { cidrBlock }] },
          `.whitelist: ${cidrBlock} is in it twice: name each range once`,
        ]),
        [{}, ".whitelist: is required"],
        [{ whitelist: [{ cidrBlock: "192.0.2.1", label: "a" }] }, ".whitelist[0]: has no property label; it has cidrBlock, description"],
      ],
      internalAccess: [
        [[{ vpcId: "vpc-3f8a0c1e" }], "[0].subnetId: is required"],
        [[{ vpcId: "subnet-3f8a0c1e", subnetId }], `[0].vpcId: takes ${idOf("VPC", "vpc")}, not "subnet-3f8a0c1e"`],
        [[{ vpcId: "vpc-3f8a0c1e", subnetId: "vpc-3f8a0c1e" }], `[0].subnetId: takes ${idOf("subnet", "subnet")}, not "vpc-3f8a0c1e"`],
        [
          ["subnet-1", "subnet-2"].map((one) => ({ vpcId: "vpc-3f8a0c1e", subnetId: one })),
          ": vpc-3f8a0c1e is in it twice: a VPC has one access",
        ],
      ],
      tags,
      ...each(flag, "deletionProtection", "deleteBucket", "enableCosVersioning", "enableCosMaz"),
    },
  },
  Namespace: {
    base: { registryId, namespaceName: "other", isPublic: false },
    limits: { namespaceName: "x".repeat(30), retentionRule: { key: "latestPushedK", value: 1, cronSetting: "weekly" }, tags: fullTags },
    of: {
      registryId: id("registry", "tcr"),
      namespaceName: takes(namespace, "t", "Team", ".team", "team-", "te--am", "x".repeat(31), " "),
      severity: [oneOf("low, medium, high", "critical")],
      cveWhitelist: [[["2026-12345"], '[0]: takes numbers such as CVE-2026-12345, not "2026-12345"']],
      retentionRule: [
        [{ key: "latestPushedK", value: 0, cronSetting: "weekly" }, ".value: takes at least 1, not 0"],
        [{ key: "latestPushedK", value: Number.NaN, cronSetting: "weekly" }, ".value: takes a number, not NaN"],
        [{ key: "oldest", value: 1, cronSetting: "weekly" }, '.key: "oldest" is not one of latestPushedK, nDaysSinceLastPush'],
        [{ key: "latestPushedK", value: 1, cronSetting: "hourly" }, '.cronSetting: "hourly" is not one of manual, daily, weekly, monthly'],
      ],
      tags,
      isPublic: [...flag, required],
      autoScan: flag,
    },
  },
  Repository: {
    base: { registryId, namespaceName: "team", repositoryName: "web" },
    limits: { repositoryName: "x".repeat(200) },
    of: {
      registryId: id("registry", "tcr"),
      namespaceName: [...takes(namespace, "t", "Team", "team/web"), required],
      repositoryName: takes(separated(200, "., _, -, /"), "w", "Web", "/web", "web/", "tools//web", "tools/-web", "x".repeat(201)),
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
      sourceRegistryId: id("registry", "tcr"),
      ruleName: takes("a name without /", "", " ", "to/far", "a\u0000b"),
      destinationRegistryId: [...id("registry", "tcr"), [registryId, `: ${registryId} is the source itself: name another registry`]],
      destinationRegion: [
        ["atlantis", `: "atlantis" is no ${regions}`, notIn("atlantis")],
        ["eu-frankfurt-1", `: "eu-frankfurt-1" is no ${regions}`, notIn("eu-frankfurt-1")],
        ["", `: "" is no ${regions}`, notIn("eu-frankfurt")],
      ],
      destNamespace: takes(namespace, "", "Copies"),
      filters: [
        [[], ": takes at least 1 entry, not 0"],
        [[{ type: "label" }], '[0].type: "label" is not one of name, tag, resource'],
      ],
      description: text,
      ...each(flag, "override", "deletion", "enabled"),
    },
  },
  Token: {
    base: { registryId },
    of: {
      registryId: id("registry", "tcr"),
      tokenType: [oneOf("temp, longterm", "short")],
      renewBefore: [["20m", ': goes only with tokenType "temp"'], ...takes("a time such as 20m or 90s", "soon")],
      desc: text,
      enabled: flag,
    },
    together: [
      [{ tokenType: "temp", desc: "nodes" }, 'desc: goes only with tokenType "longterm"; the platform keeps none of a temp token'],
      [
        { tokenType: "temp", enabled: false },
        'enabled: only a token of tokenType "longterm" can be disabled; a temp one ends by itself within an hour',
      ],
      [{ tokenType: "temp", renewBefore: "soon" }, 'renewBefore: takes a time such as 20m or 90s, not "soon"'],
      [{ token: password }, "token: Token has no such property; it has registryId, tokenType, desc, enabled, renewBefore"],
    ],
  },
  ServiceAccount: {
    base: { registryId, name: "ci", permissions: [permission] },
    of: {
      registryId: id("registry", "tcr"),
      name: takes(
        "lower-case letters, digits and separators (., _, -), which neither begin nor end it nor follow each other",
        ...["CI", "reg$ci", "-ci", "ci--two", ""],
      ),
      permissions: [
        [[], ": takes at least 1 entry, not 0"],
        ...["team/web", "t", "*", "/", "Team"].map((resource): WrongValue => [
          [{ ...permission, resource }],
          `[0].resource: takes the name of a namespace, such as team, not "${resource}"`,
        ]),
        [[{ ...permission, actions: ["reg:Everything"] }], `[0].actions[0]: "reg:Everything" is not one of ${actions}`],
        [[{ ...permission, actions: [] }], "[0].actions: takes at least 1 entry, not 0"],
        [[permission, { ...permission, resource: "team/" }], ": team/ is in it twice: name each namespace once"],
      ],
      expiresAt: [
        ["2020-01-01T00:00:00Z", /^expiresAt: takes a moment in the future, not 2020-01-01T00:00:00Z: it is \d{4}-[\d:.T-]+Z now$/],
        ...takes(
          "a moment with its time zone, such as 2027-01-01T00:00:00Z",
          "soon",
          "2099-01-01",
          "2099-01-01T00:00:00",
          "2099-02-30T00:00:00Z",
        ),
        number,
      ],
      ...each(text, "description", "passwordVersion"),
      disable: flag,
    },
  },
};
