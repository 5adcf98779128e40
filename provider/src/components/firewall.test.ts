import { addressFamily, parseCidr } from "@container-platform/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { firewallOf } from "./firewall.ts";

const vpc = { cidrBlock: "10.0.0.0/16", ipv6CidrBlock: "2001:db8:7::/56" };
/** Who the rules of both families are about: the VPC and everyone. Ranges of `access.internet` stand for themselves. */
const peers: Readonly<Record<string, string>> = {
  [vpc.cidrBlock]: "the VPC",
  [vpc.ipv6CidrBlock]: "the VPC",
  "0.0.0.0/0": "everyone",
  "::/0": "everyone",
};
/** IPv6 does not work without it, and IPv4 has no such protocol. */
const ofIpv6Alone = "ICMPV6";

interface Rule {
  readonly protocol: string;
  readonly port?: string;
  readonly action: string;
  readonly cidrBlock?: string;
  readonly ipv6CidrBlock?: string;
}

/** What the rules of one family say of the VPC and of everyone, in order. */
const saidOf = (rules: readonly Rule[], key: "cidrBlock" | "ipv6CidrBlock", given: readonly string[]) =>
  rules.flatMap((rule) => {
    const range = rule[key];
    if (range === undefined || given.includes(range) || rule.protocol === ofIpv6Alone) return [];
    return [[rule.action, rule.protocol, rule.port, peers[range] ?? range].join(" ")];
  });

const range = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6()).filter((text) => (addressFamily(text) ?? parseCidr(text)) !== undefined);

test("the firewall of a platform admits from the VPC and from everyone in one family what it admits in the other", () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 4 }), (internet) => {
      const { ingress, egress } = firewallOf(vpc.cidrBlock, vpc.ipv6CidrBlock, internet).args as { ingress: Rule[]; egress: Rule[] };
      for (const rules of [ingress, egress]) expect(saidOf(rules, "ipv6CidrBlock", internet)).toEqual(saidOf(rules, "cidrBlock", internet));
      const ofIpv4 = firewallOf(vpc.cidrBlock, undefined, internet).args.ingress;
      expect(JSON.stringify(ofIpv4)).not.toContain(vpc.ipv6CidrBlock);
    }),
  );
});
