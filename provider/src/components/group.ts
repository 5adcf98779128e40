import { addressFamily, parseCidr } from "@container-platform/sdk";
import type { OtherNames } from "../schema/paths.ts";
import type { ChildArgs } from "./children.ts";

/** The firewall of nodes and API server: nodes and the VPC reach everything, listed ranges the API server, and everything may go out. */
export function groupArgs(cidrBlock: string, internet: readonly string[]): ChildArgs["securityGroup"] {
  return {
    groupDescription: "Nodes and API server of the platform",
    ingress: [
      { protocol: "ALL", self: true, action: "ACCEPT", policyDescription: "nodes among each other" },
      { protocol: "ALL", cidrBlock, action: "ACCEPT", policyDescription: "the VPC: control plane and pods" },
      ...internet.map((range) => ({
        protocol: "TCP" as const,
        port: "443",
        ...(familyOf(range) === 6 ? { ipv6CidrBlock: range } : { cidrBlock: range }),
        action: "ACCEPT" as const,
        policyDescription: "access to the API server",
      })),
      { protocol: "ICMPV6", ipv6CidrBlock: "::/0", action: "ACCEPT", policyDescription: "IPv6 needs ICMP" },
    ],
    egress: [
      { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT", policyDescription: "out, over IPv4" },
      { protocol: "ALL", ipv6CidrBlock: "::/0", action: "ACCEPT", policyDescription: "out, over IPv6" },
    ],
  };
}

function familyOf(range: string): 4 | 6 | undefined {
  return addressFamily(range) ?? parseCidr(range)?.family;
}

/** The rules for nodes and the VPC come before those for the internet. */
const before = 2;

/** What a platform calls the ranges of the rules for the internet. */
export function groupNames(internet: readonly string[]): OtherNames {
  const keys = ["cidrBlock", "ipv6CidrBlock"];
  return Object.fromEntries(
    internet.flatMap((_, index) => keys.map((key) => [`ingress[${before + index}].${key}`, `access.internet[${index}]`])),
  );
}
