import type { Fields, Unknown } from "../../plan/values.ts";
import { about, type Case, unknown } from "./case.fixture.ts";

const tcp = { protocol: "TCP", action: "ACCEPT" };
const from = (range: string | Unknown): Fields =>
  typeof range === "string" && range.includes(":") ? { ipv6CidrBlock: range } : { cidrBlock: range };
const accept = (port: string | Unknown, range: string | Unknown): Fields => ({ ...tcp, port, ...from(range) });
const acceptAll = (range: string | Unknown): Fields => ({ ...tcp, protocol: "ALL", ...from(range) });
const drop = (port: string, range: string): Fields => ({ ...accept(port, range), action: "DROP" });
const ingress = (...rules: Fields[]) => ({ ingress: rules });

/** Inputs with which each rule holds, is broken, and cannot be decided. */
export const networkCases: Readonly<Record<string, Case>> = {
  "CP-NET-001": {
    passes: ingress(accept("443", "0.0.0.0/0"), acceptAll("10.0.0.0/8")),
    fails: ingress(accept("443", "10.0.0.0/8"), acceptAll("::/0")),
    at: "ingress[1]",
    open: ingress(acceptAll(unknown)),
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-002": {
    passes: ingress(drop("22", "0.0.0.0/0"), accept("20-80", "0.0.0.0/0")),
    fails: ingress(accept("20-80", "0.0.0.0/0"), drop("22", "0.0.0.0/0")),
    at: "ingress[0]",
    open: ingress(accept(unknown, "0.0.0.0/0")),
    lacks: "ingress[0].port",
  },
  "CP-NET-003": about(
    "ingress[0]",
    accept("3389", "203.0.113.0/24"),
    { ...accept("443,3389", "0.0.0.0/0"), protocol: "udp" },
    {
      open: { ingress: unknown },
      lacks: "ingress",
    },
  ),
  "CP-NET-004": about("ingress[0]", accept("443", "0.0.0.0/0"), accept("80,443", "::/0"), {
    open: ingress({ ...accept("80", "0.0.0.0/0"), protocol: unknown }),
    lacks: "ingress[0].protocol",
  }),
  "CP-NET-005": {
    passes: ingress({ ...tcp, port: "5432", securityGroupId: "sg-3f8a0c1e" }),
    fails: ingress(accept("6379", "0.0.0.0/0")),
    at: "ingress[0]",
    open: ingress(accept("3306", unknown)),
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-006": about("ingress[0]", { protocol: "ALL", self: true, action: "ACCEPT" }, accept("10000-11000", "0.0.0.0/0"), {
    open: ingress({ ...accept("2379", "0.0.0.0/0"), action: unknown }),
    lacks: "ingress[0].action",
  }),
  "CP-NET-007": about("ingress[0]", accept("30000-32767", "10.0.0.0/16"), accept("31080", "0.0.0.0/0"), {
    open: ingress(accept("30000-32767", unknown)),
    lacks: "ingress[0].cidrBlock",
  }),
  "CP-NET-008": {
    passes: ingress(accept("443", "0.0.0.0/0"), { ...accept("443", "::/0"), protocol: "tcp" }),
    fails: ingress(accept("443", "203.0.113.0/24"), accept("443", "::/0")),
    at: "ingress[1]",
    open: ingress(accept("443", unknown), accept("443", "::/0")),
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-009": {
    passes: ingress(accept("443", "203.0.0.0/16"), accept("443", "10.0.0.0/8")),
    fails: ingress(accept("443", "128.0.0.0/1")),
    at: "ingress[0].cidrBlock",
    open: ingress({ ...tcp, port: "443", ipv6CidrBlock: unknown }),
    lacks: "ingress[0].ipv6CidrBlock",
  },
  "CP-NET-010": about("egress[0]", accept("443", "0.0.0.0/0"), acceptAll("0.0.0.0/0"), {
    open: { egress: [acceptAll(unknown)] },
    lacks: "egress[0].cidrBlock",
  }),
  "CP-NET-011": {
    passes: ingress({ ...tcp, ...from("10.0.0.0/8"), policyDescription: "the office" }),
    fails: { ingress: [], egress: [{ ...tcp, ...from("10.0.0.0/8") }] },
    at: "egress[0].policyDescription",
    open: ingress({ ...tcp, ...from("10.0.0.0/8"), policyDescription: unknown }),
    lacks: "ingress[0].policyDescription",
  },
  "CP-NET-012": about("groupDescription", "nodes of the platform", "Managed by Pulumi"),
  "CP-NET-013": {
    passes: ingress(drop("22", "0.0.0.0/0"), acceptAll("0.0.0.0/0")),
    fails: ingress(acceptAll("0.0.0.0/0"), drop("22", "198.51.100.0/24")),
    at: "ingress[1]",
    open: ingress({ ...tcp, ...from(unknown) }, { ...tcp, action: "DROP", ...from("198.51.100.0/24") }),
    lacks: "ingress[0].cidrBlock",
  },
  "CP-NET-014": {
    passes: ingress(acceptAll("10.0.0.0/16"), acceptAll("2001:db8:7::/56"), accept("443", "203.0.113.0/24")),
    fails: ingress(accept("443", "2001:db8::/32"), acceptAll("10.0.0.0/16")),
    at: "ingress[1]",
    open: ingress({ ...tcp, protocol: "ICMPV6", ipv6CidrBlock: "::/0" }, accept("443", unknown)),
    lacks: "ingress[1].cidrBlock",
  },
  "CP-NET-020": about("cidrBlock", "10.0.0.0/16", "10.0.0.0/24"),
  "CP-NET-021": {
    passes: { dnsServers: ["10.0.0.2", "fd00::2"] },
    fails: { dnsServers: ["10.0.0.2", "198.51.100.53"] },
    at: "dnsServers[1]",
    open: { dnsServers: ["10.0.0.2", unknown] },
    lacks: "dnsServers[1]",
  },
  "CP-NET-022": about("enableRouteVpcPublishIpv6", false, true),
  "CP-NET-023": about("cidrBlock", "10.0.0.0/22", "10.0.0.0/28"),
  "CP-NET-024": about("zone", "eu-frankfurt-1", "eu-frankfurt-3", { parameters: { zones: ["eu-frankfurt-1"] } }),
};
