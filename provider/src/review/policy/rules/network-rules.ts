import { letsAllThrough, letsIn, openInIpv4Only, openInIpv6Only, refusesTooLate, tcp, udp } from "../language/openings.ts";
import { adjustable, all, any, type Part, rulesFor, type Truth, widths } from "../language/rule.ts";
import { isPrivate, isWider, prefixOf } from "../../plan/addresses.ts";
import * as z from "@container-platform/sdk/zod";

const everything = "CP-NET-001";

/** MySQL, PostgreSQL, SQL Server, Redis, MongoDB, Elasticsearch, Memcached. */
const dataPorts = [3306, 5432, 1433, 6379, 27017, 9200, 11211].map((port) => tcp(port));

const publicLogin = {
  severity: "high",
  why: "Attackers constantly try passwords and known vulnerabilities on public login services.",
  remedy: "Allow the CIDR blocks of administrators, or the security group of a bastion.",
  cis: ["AWS Foundations 3.0.0 5.2", "AWS Foundations 3.0.0 5.3"],
  within: everything,
} as const;

export const groupRules = rulesFor("SecurityGroup", [
  {
    id: everything,
    title: "A security group is not open to everyone on every port",
    severity: "critical",
    found: "lets everyone in on every port",
    why: "The internet reaches every service on the instances of the group, intended or not.",
    remedy: "List the ports and the CIDR blocks that need access.",
    checkov: ["CKV_TC_8", "CKV_AWS_277"],
    fails: (inputs) => letsAllThrough(inputs.at("ingress")),
  },
  {
    id: "CP-NET-002",
    title: "SSH is not open to everyone",
    ...publicLogin,
    found: "lets everyone reach SSH, port 22",
    checkov: ["CKV_AWS_24"],
    fails: (inputs) => letsIn(inputs.at("ingress"), tcp(22)),
  },
  {
    id: "CP-NET-003",
    title: "Remote desktop is not open to everyone",
    ...publicLogin,
    found: "lets everyone reach remote desktops, port 3389",
    checkov: ["CKV_AWS_25"],
    fails: (inputs) => letsIn(inputs.at("ingress"), tcp(3389), udp(3389)),
  },
  {
    id: "CP-NET-004",
    title: "Plain HTTP is not open to everyone",
    severity: "medium",
    found: "lets everyone in on port 80, where nothing is encrypted",
    why: "Passwords and cookies over port 80 can be read and changed in transit.",
    remedy: "Serve HTTPS on port 443, and let a load balancer redirect from port 80.",
    checkov: ["CKV_AWS_260"],
    within: everything,
    fails: (inputs) => letsIn(inputs.at("ingress"), tcp(80)),
  },
  {
    id: "CP-NET-005",
    title: "Databases and caches are not open to everyone",
    severity: "critical",
    found: "lets everyone reach the port of a database or a cache",
    why: "Several of these services have no password by default. Attackers copy or encrypt their data within hours.",
    remedy: "Allow the security group of the nodes that use the service, not a CIDR block.",
    within: everything,
    fails: (inputs) => letsIn(inputs.at("ingress"), ...dataPorts),
  },
  {
    id: "CP-NET-006",
    title: "The kubelet and etcd are not open to everyone",
    severity: "critical",
    found: "lets everyone reach the kubelet (10250, 10255) or etcd (2379, 2380)",
    why: "An attacker who controls a kubelet can run any program on its node. etcd contains every secret of the cluster.",
    remedy: "Allow the group itself (`self: true`) and the CIDR block of the VPC.",
    within: everything,
    fails: (inputs) => letsIn(inputs.at("ingress"), tcp(10250), tcp(10255), tcp(2379, 2380)),
  },
  {
    id: "CP-NET-007",
    title: "Node ports are not open to everyone",
    severity: "medium",
    enforcement: "require-approval",
    found: "lets everyone reach node ports (30000 to 32767)",
    why: "The internet then reaches every service of type NodePort or LoadBalancer on each node, without its load balancer.",
    remedy: "Allow the CIDR block or the security group of the load balancer.",
    within: everything,
    fails: (inputs) => letsIn(inputs.at("ingress"), tcp(30000, 32767), udp(30000, 32767)),
  },
  {
    id: "CP-NET-008",
    title: "A port that is closed over IPv4 is not open over IPv6",
    severity: "high",
    enforcement: "require-approval",
    found: "lets everyone in over IPv6, but not over IPv4",
    why: "On a dual-stack network, both families reach the same instance, so the stricter rule has no effect.",
    remedy: "Make the IPv6 rule as narrow as the IPv4 rule, or remove it.",
    fails: (inputs) => openInIpv6Only(inputs.at("ingress")),
  },
  adjustable({
    id: "CP-NET-009",
    parameters: widths(16, 32),
    title: "Public CIDR blocks are no wider than one operator's network",
    severity: "medium",
    found: "lets in a public range that is wider than one operator's network",
    why: "A CIDR block of that size contains thousands of other networks. Two halves of the internet are as open as a /0.",
    remedy: "List the exact CIDR blocks. Private CIDR blocks may have any size, and other rules check a /0.",
    fails: (inputs, given) => {
      const tooWide = (text: string): boolean => prefixOf(text) !== 0 && isWider(text, given) && !isPrivate(text);
      return inputs.at("ingress").some((item) => {
        const source = any(item.at("cidrBlock").text(tooWide), item.at("ipv6CidrBlock").text(tooWide));
        return all(item.at("action").is("ACCEPT"), source);
      });
    },
  }),
  {
    id: "CP-NET-010",
    title: "Outbound traffic is limited",
    severity: "low",
    enforcement: "off",
    found: "lets all traffic out to everywhere",
    why: "An attacker on a node downloads tools and sends data over every open port.",
    remedy: "List the registries, package sources and services that nodes need.",
    checkov: ["CKV_AWS_382"],
    fails: (inputs) => letsAllThrough(inputs.at("egress")),
  },
  {
    id: "CP-NET-011",
    title: "Each rule has a description",
    severity: "low",
    found: "is missing or empty",
    why: "You cannot tell whether an unexplained rule is still required, so it is never removed.",
    remedy: "Set `policyDescription` of the rule.",
    checkov: ["CKV_AWS_23"],
    fails: (inputs) => any(inputs.at("ingress").some(unexplained), inputs.at("egress").some(unexplained)),
  },
  {
    id: "CP-NET-012",
    title: "A security group has a description",
    severity: "low",
    found: "does not say what the group is for",
    why: "Without a description, the purpose of the group is unclear.",
    remedy: "Set `groupDescription` to the purpose of the group.",
    checkov: ["CKV_AWS_23"],
    fails: (inputs) => any(inputs.at("groupDescription").is("Managed by Pulumi"), inputs.at("groupDescription").blank),
  },
  {
    id: "CP-NET-013",
    title: "No rule drops traffic that an earlier rule accepts",
    severity: "medium",
    found: "has no effect: an earlier rule accepts the same traffic",
    why: "The first rule that matches applies. A later DROP has no effect, although it looks like protection.",
    remedy: "Move the DROP before the rule that accepts.",
    fails: (inputs) => refusesTooLate(inputs.at("ingress")),
  },
  {
    id: "CP-NET-014",
    title: "A port that is open over IPv4 is open over IPv6",
    severity: "medium",
    found: "accepts traffic of the VPC, or of everyone, over IPv4 only",
    why: "Pods and Services of a dual-stack cluster use both families: what works over IPv4 is dropped over IPv6. CP-NET-008 reports the opposite.",
    remedy: "Add the same rule with `ipv6CidrBlock`: the block of the VPC, or `::/0`.",
    fails: (inputs) => openInIpv4Only(inputs.at("ingress"), inputs.at("egress")),
  },
]);

const unexplained = (item: Part): Truth => item.at("policyDescription").blank;

export const networkRules = rulesFor("Vpc", [
  adjustable({
    id: "CP-NET-020",
    parameters: { prefix: z.int().min(12).max(28).default(20).describe("Longest prefix length of a VPC") },
    title: "A VPC has spare IP addresses",
    severity: "low",
    found: "is a small range for a VPC",
    why: "You cannot change the CIDR block of a VPC: a full VPC must be replaced with all its contents.",
    remedy: "Use a wider CIDR block, such as a /16.",
    fails: (inputs, { prefix }) => inputs.at("cidrBlock").text((text) => (prefixOf(text) ?? 0) > prefix),
  }),
  {
    id: "CP-NET-021",
    title: "DNS servers are private, or the platform's",
    severity: "medium",
    found: "is a DNS server on the internet",
    why: "The operator of a public DNS server sees every query and controls the responses.",
    remedy: "Use servers inside the network, or leave `dnsServers` out of a new VPC.",
    fails: (inputs) => inputs.at("dnsServers").some((server) => server.text((text) => !isPrivate(text))),
  },
  {
    id: "CP-NET-022",
    title: "IPv6 routes are published subnet by subnet",
    severity: "medium",
    enforcement: "require-approval",
    found: "publishes the IPv6 range of the whole VPC",
    why: "Subnets that you create later have public IPv6 routes at once, without a reviewed change.",
    remedy: "Set `enableRouteVpcPublishIpv6: false`.",
    fails: (inputs) => inputs.at("enableRouteVpcPublishIpv6").is(true),
  },
  adjustable({
    id: "CP-NET-023",
    parameters: { prefix: z.int().min(12).max(29).default(26).describe("Longest prefix length of a subnet") },
    kinds: ["Subnet"],
    title: "A subnet has IP addresses for nodes and pods",
    severity: "medium",
    found: "is a small range for a subnet",
    why: "A cluster requires 10 free IP addresses in its subnet, and with VPC-CNI each pod uses one. In a full subnet, a node pool cannot grow.",
    remedy: "Use a wider CIDR block, such as a /22. You cannot change the CIDR block of a subnet.",
    fails: (inputs, { prefix }) => inputs.at("cidrBlock").text((text) => (prefixOf(text) ?? 0) > prefix),
  }),
  adjustable({
    id: "CP-NET-024",
    parameters: { zones: z.array(z.string()).default([]).describe("Allowed zones; an empty list allows all") },
    kinds: ["Subnet"],
    title: "Subnets are in allowed zones",
    severity: "low",
    enforcement: "require-approval",
    found: "is a zone that is not on the list",
    why: "Data may have to remain in one location, and reserved instances are in one zone.",
    remedy: "Use a zone of the list, or ask for its addition to the list.",
    fails: (inputs, { zones }) => inputs.at("zone").text((zone) => zones.length > 0 && !zones.includes(zone)),
  }),
]);
