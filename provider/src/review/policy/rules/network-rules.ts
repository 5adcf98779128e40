import * as z from "@container-platform/sdk/zod";
import { isPrivate, prefixOf } from "../language/ranges.ts";
import { adjustable, rule, type Rule } from "../language/rule.ts";
import { all } from "../language/truth.ts";

/** VPCs and their subnets. */
export const networkRules: readonly Rule[] = [
  adjustable(
    { prefix: z.int().min(12).max(28).default(20).describe("Longest prefix length of a VPC") },
    {
      id: "CP-NET-020",
      kinds: ["Vpc"],
      title: "A VPC has spare IP addresses",
      severity: "low",
      enforcement: "advise",
      found: "is a small range for a VPC",
      why: "You cannot change the CIDR block of a VPC: a full VPC must be replaced with all its contents.",
      remedy: "Use a wider CIDR block, such as a /16.",
      fails: (inputs, { prefix }) => inputs.at("cidrBlock").text((text) => (prefixOf(text) ?? 0) > prefix),
    },
  ),
  rule({
    id: "CP-NET-021",
    kinds: ["Vpc"],
    title: "DNS servers are private, or the platform's",
    severity: "medium",
    enforcement: "advise",
    found: "is a DNS server on the internet",
    why: "The operator of a public DNS server sees every query and controls the responses.",
    remedy: "Use servers inside the network, or leave `dnsServers` out of a new VPC.",
    fails: (inputs) => inputs.at("dnsServers").some((server) => server.text((text) => !isPrivate(text))),
  }),
  rule({
    id: "CP-NET-022",
    kinds: ["Vpc"],
    title: "IPv6 routes are published subnet by subnet",
    severity: "medium",
    enforcement: "require-approval",
    found: "publishes the IPv6 range of the whole VPC",
    why: "Subnets that you create later have public IPv6 routes at once, without a reviewed change.",
    remedy: "Set `enableRouteVpcPublishIpv6: false`.",
    fails: (inputs) => inputs.at("enableRouteVpcPublishIpv6").is(true),
  }),
  adjustable(
    { prefix: z.int().min(12).max(29).default(26).describe("Longest prefix length of a subnet") },
    {
      id: "CP-NET-023",
      kinds: ["Subnet"],
      title: "A subnet has IP addresses for nodes and pods",
      severity: "medium",
      enforcement: "advise",
      found: "is a small range for a subnet",
      why: "A cluster requires 10 free IP addresses in its subnet, and with VPC-CNI each pod uses one. In a full subnet, a node pool cannot grow.",
      remedy: "Use a wider CIDR block, such as a /22. You cannot change the CIDR block of a subnet.",
      fails: (inputs, { prefix }) => inputs.at("cidrBlock").text((text) => (prefixOf(text) ?? 0) > prefix),
    },
  ),
  adjustable(
    { zones: z.array(z.string()).default([]).describe("Allowed zones; an empty list allows all") },
    {
      id: "CP-NET-024",
      kinds: ["Subnet"],
      title: "Subnets are in allowed zones",
      severity: "low",
      enforcement: "require-approval",
      found: "is a zone that is not on the list",
      why: "Data may have to remain in one location, and reserved instances are in one zone.",
      remedy: "Use a zone of the list, or ask for its addition to the list.",
      fails: (inputs, { zones }) =>
        all(
          inputs.at("zone").given,
          inputs.at("zone").text((zone) => zones.length > 0 && !zones.includes(zone)),
        ),
    },
  ),
];
