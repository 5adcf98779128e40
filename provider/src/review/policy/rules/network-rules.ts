import * as z from "@container-platform/sdk/zod";
import { isPrivate, prefixOf } from "../language/ranges.ts";
import { adjustable, rule, type Rule } from "../language/rule.ts";
import { all } from "../language/truth.ts";

/** VPCs and their subnets. */
export const networkRules: readonly Rule[] = [
  adjustable(
    { prefix: z.int().min(12).max(28).default(20).describe("Longest prefix of a VPC") },
    {
      id: "CP-NET-020",
      kinds: ["Vpc"],
      title: "A VPC has room to grow",
      severity: "low",
      enforcement: "advise",
      found: "is a small range for a VPC",
      why: "The range of a VPC cannot be changed: a VPC that is full has to be replaced, with everything in it.",
      remedy: "Use a wider range, such as a /16.",
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
    why: "Whoever runs it sees every name that is looked up, and decides where it leads.",
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
    why: "Subnets that are created later can be reached by their IPv6 addresses at once, without a change that says so.",
    remedy: "Set `enableRouteVpcPublishIpv6: false`.",
    fails: (inputs) => inputs.at("enableRouteVpcPublishIpv6").is(true),
  }),
  adjustable(
    { prefix: z.int().min(12).max(29).default(26).describe("Longest prefix of a subnet") },
    {
      id: "CP-NET-023",
      kinds: ["Subnet"],
      title: "A subnet has addresses for nodes and pods",
      severity: "medium",
      enforcement: "advise",
      found: "is a small range for a subnet",
      why: "A cluster needs 10 free addresses in its subnet, and with VPC-CNI each pod takes one. In a full subnet a pool cannot grow.",
      remedy: "Use a wider range, such as a /22. The range of a subnet cannot be changed.",
      fails: (inputs, { prefix }) => inputs.at("cidrBlock").text((text) => (prefixOf(text) ?? 0) > prefix),
    },
  ),
  adjustable(
    { zones: z.array(z.string()).default([]).describe("Zones that may be used; an empty list allows all") },
    {
      id: "CP-NET-024",
      kinds: ["Subnet"],
      title: "Subnets are in zones that may be used",
      severity: "low",
      enforcement: "require-approval",
      found: "is a zone that is not on the list",
      why: "Data may have to stay in one place, and reserved machines are in one zone.",
      remedy: "Use a zone of the list, or have it added to the list.",
      fails: (inputs, { zones }) =>
        all(
          inputs.at("zone").given,
          inputs.at("zone").text((zone) => zones.length > 0 && !zones.includes(zone)),
        ),
    },
  ),
];
