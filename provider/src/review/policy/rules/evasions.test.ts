import { expect, test } from "vitest";
import type { Fields } from "../../plan/values.ts";
import { Part } from "../language/rule.ts";
import { rules } from "../rules.ts";
import { unknown } from "./case.fixture.ts";

/** Inputs that are as dangerous as those that a rule forbids, and written otherwise. */

const accept = { protocol: "TCP", action: "ACCEPT" };
const drop = { protocol: "TCP", action: "DROP" };
const dropping = (port: string, cidrBlock: string) => ({ ...drop, port, cidrBlock });
const from = (...ranges: readonly string[]) =>
  ranges.map((range) => ({ ...accept, port: "22", [range.includes(":") ? "ipv6CidrBlock" : "cidrBlock"]: range }));
const apiServer = (...args: readonly string[]) => ({ extraArgs: { kubeApiServer: args } });

function holds(id: string, inputs: Fields): boolean | undefined {
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  return rule.fails(new Part(inputs), rule.parameters.parse({})).holds;
}

test.each<readonly [string, string, Fields]>([
  ["CP-NET-002", "two halves of the internet", { ingress: from("0.0.0.0/1", "128.0.0.0/1") }],
  ["CP-NET-002", "a range that the public API takes as everyone", { ingress: from("0.0.0.0/8") }],
  ["CP-NET-002", "all but one network", { ingress: from("0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3", "224.0.0.0/4", "241.0.0.0/8") }],
  ["CP-NET-002", "all addresses of the internet in IPv6", { ingress: from("2000::/3") }],
  ["CP-NET-002", "the same in parts", { ingress: from("2000::/5", "2800::/5", "3000::/4") }],
  ["CP-NET-002", "a drop of one address before it", { ingress: [dropping("22", "203.0.113.7/32"), ...from("0.0.0.0/0")] }],
  ["CP-NET-002", "a drop after it", { ingress: [...from("0.0.0.0/1", "128.0.0.0/1"), { ...drop, cidrBlock: "0.0.0.0/0" }] }],
  [
    "CP-NET-001",
    "the ports in two rules",
    { ingress: ["1-30000", "30001-65535"].map((port) => ({ ...accept, port, cidrBlock: "0.0.0.0/0" })) },
  ],
  [
    "CP-NET-001",
    "all ports, in two halves",
    { ingress: ["0.0.0.0/1", "128.0.0.0/1"].map((cidrBlock) => ({ ...accept, protocol: "ALL", cidrBlock })) },
  ],
  ["CP-NET-008", "IPv6 in two halves", { ingress: from("2000::/4", "3000::/4") }],
  ["CP-NET-014", "an IPv6 rule of other ports", { ingress: [...from("10.0.0.0/8"), { ...accept, port: "80", ipv6CidrBlock: "fd00::/8" }] }],
  ["CP-NET-014", "a way out of one family", { egress: from("0.0.0.0/0", "2001:db8::/32") }],
  ["CP-API-001", "a boolean as Go reads it", apiServer("anonymous-auth=True")],
  ["CP-API-001", "another one", apiServer("--anonymous-auth=1")],
  ["CP-API-001", "no value", apiServer("-anonymous_auth")],
  ["CP-API-001", "the last one", apiServer("anonymous-auth=false", "anonymous_auth=t")],
  ["CP-API-003", "an underscore", apiServer("authorization_mode=AlwaysAllow")],
  ["CP-API-003", "a list in two parts", apiServer("authorization-mode=RBAC", "--authorization_mode=AlwaysAllow")],
  ["CP-API-007", "dashes", apiServer("--insecure_port=8080")],
  ["CP-API-008", "a boolean as Go reads it", apiServer("service-account-lookup=F")],
])("%s finds %s", (id, _, inputs) => {
  expect(holds(id, inputs)).toBe(true);
});

/** The ports that a rule forbids for everyone. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  "CP-NET-002": ["22"],
  "CP-NET-003": ["3389"],
  "CP-NET-004": ["80"],
  "CP-NET-005": ["5432", "1433", "6379", "27017", "9200", "11211"],
  "CP-NET-006": ["10250", "10255", "2379", "2380"],
  "CP-NET-007": ["30000", "32767"],
};

test.each(Object.entries(forbidden).flatMap(([id, ports]) => ports.map((port) => [id, port] as const)))(
  "%s finds port %s, open to everyone",
  (id, port) => {
    expect(holds(id, { ingress: [{ ...accept, port, cidrBlock: "0.0.0.0/0" }] })).toBe(true);
  },
);

test.each<readonly [string, string, Fields]>([
  ["CP-NET-002", "what is dropped before", { ingress: [dropping("20-30", "0.0.0.0/0"), ...from("0.0.0.0/1", "128.0.0.0/1")] }],
  ["CP-NET-002", "the private ranges", { ingress: from("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7") }],
  ["CP-NET-008", "what is open in both families", { ingress: from("2000::/3", "0.0.0.0/1", "128.0.0.0/1") }],
  [
    "CP-NET-014",
    "a block that the platform has yet to choose",
    { ingress: [...from("10.0.0.0/8"), { ...accept, ipv6CidrBlock: unknown }] },
  ],
  ["CP-NET-014", "a group of IPv4 alone", { ingress: from("10.0.0.0/8"), egress: from("0.0.0.0/0") }],
  ["CP-API-001", "the last of several values", apiServer("anonymous-auth=true", "anonymous-auth=false")],
  ["CP-API-007", "a port that is none", apiServer("insecure-port=0")],
])("%s passes %s", (id, _, inputs) => {
  expect(holds(id, inputs)).toBe(false);
});
