import { addressFamily, parseCidr } from "@container-platform/sdk";
import type { Input } from "@pulumi/pulumi";
import type { ChildArgs, Making } from "./children.ts";

const accepted = { protocol: "ALL", action: "ACCEPT" } as const;

/**
 * The rules of nodes and API server: nodes and the VPC reach everything, listed ranges the API server, and everything may go out. A range is
 * of one family: the VPC and everyone have a rule for each. Listed ranges stand for themselves, and ICMPv6 is for IPv6 alone.
 *
 * @param cidrBlock the range of the VPC, and `ipv6CidrBlock` the one that it may have besides
 * @param internet the listed ranges
 */
export function firewallOf(
  cidrBlock: string,
  ipv6CidrBlock: Input<string> | undefined,
  internet: readonly string[],
): Required<Pick<Making<"securityGroup">, "from">> & { readonly args: Pick<ChildArgs["securityGroup"], "ingress" | "egress"> } {
  const keyOf = (range: string) => ((addressFamily(range) ?? parseCidr(range)?.family) === 6 ? "ipv6CidrBlock" : "cidrBlock");
  const access = { protocol: "TCP", port: "443", action: "ACCEPT", policyDescription: "access to the API server" } as const;
  const inside = [
    { ...accepted, self: true, policyDescription: "nodes among each other" } as const,
    { ...accepted, cidrBlock, policyDescription: "the VPC: control plane and pods" },
    ...(ipv6CidrBlock === undefined ? [] : [{ ...accepted, ipv6CidrBlock, policyDescription: "the VPC, over IPv6" }]),
  ];
  return {
    args: {
      ingress: [
        ...inside,
        ...internet.map((range) => ({ ...access, [keyOf(range)]: range })),
        { protocol: "ICMPV6", ipv6CidrBlock: "::/0", action: "ACCEPT", policyDescription: "IPv6 needs ICMP" },
      ],
      egress: [
        { ...accepted, cidrBlock: "0.0.0.0/0", policyDescription: "out, over IPv4" },
        { ...accepted, ipv6CidrBlock: "::/0", policyDescription: "out, over IPv6" },
      ],
    },
    from: Object.fromEntries(
      internet.map((range, index) => [`ingress[${inside.length + index}].${keyOf(range)}`, `access.internet[${index}]`]),
    ),
  };
}
