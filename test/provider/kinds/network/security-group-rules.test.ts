import * as vpc from "@container-platform/sdk/vpc";
import type { Cloud, Reply } from "@container-platform/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Props } from "../../../support/structs.ts";
import { liveRules } from "../../../../provider/src/resources/network/security-group-rules.ts";
import { makeGroup } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";
import { linesShown } from "../../ownership/killed.ts";
import { ToldOtherwise } from "../../stage/told-otherwise.ts";

/** Rules are added and removed in any order. In the end the platform has exactly the desired ones, in their order. */

const stage = await sharedStage();
const other = await makeGroup(stage);

const source = fc.oneof(
  fc.constantFrom("10.0.0.0/8", "192.168.0.0/16", "0.0.0.0/0").map((cidrBlock) => ({ cidrBlock })),
  fc.constantFrom("2001:db8::/32", "::/0").map((ipv6CidrBlock) => ({ ipv6CidrBlock })),
  fc.constant({ securityGroupId: other }),
  fc.constant({ self: true }),
);
const traffic = fc.oneof(
  fc.constantFrom("443", "80,8080", "30000-32767", "ALL").map((port) => ({ protocol: "TCP", port })),
  fc.constantFrom("TCP", "UDP", "GRE", "ALL").map((protocol) => ({ protocol })),
);
const rule = fc
  .tuple(source, traffic, fc.constantFrom("ACCEPT", "DROP"), fc.constantFrom(undefined, "one", "two"))
  .map(([from, what, action, policyDescription]) => ({
    ...from,
    ...what,
    action,
    ...(policyDescription !== undefined && { policyDescription }),
  }));

/** The platform refuses two rules that differ at most in their descriptions. */
const meaning = ({ policyDescription: _description, ...given }: Props): string =>
  JSON.stringify(Object.entries({ port: "ALL", ...given }).toSorted());
const rules = fc.uniqueArray(rule, { maxLength: 6, selector: meaning });

async function platformsRules(cloud: Cloud, securityGroupId: string, direction: "ingress" | "egress"): Promise<string[]> {
  const { securityGroupPolicySet } = await cloud.call(vpc.describeSecurityGroupPolicies, { securityGroupId });
  return (securityGroupPolicySet[direction] ?? []).map(({ securityGroupId: group, ...rule }) =>
    spelt({ ...rule, ...(group === securityGroupId ? { self: true } : { securityGroupId: group }) }),
  );
}

const parts = ["protocol", "port", "cidrBlock", "ipv6CidrBlock", "securityGroupId", "self", "action", "policyDescription"];

/** A rule in words. */
function spelt(given: Props): string {
  const whole: Props = { ...given, port: given["port"] ?? "ALL" };
  return JSON.stringify(parts.filter((key) => whole[key] !== undefined && whole[key] !== "").map((key) => [key, whole[key]]));
}

test("after any change of the rules, the platform has the desired ones, and nothing is left to change", { timeout: 120_000 }, async () => {
  await using group = await stage.deployed("SecurityGroup", {});
  await fc.assert(
    fc.asyncProperty(rules, rules, async (ingress, egress) => {
      await group.up({ ingress, egress });
      expect(await platformsRules(stage.cloud, group.id, "ingress")).toEqual(ingress.map(spelt));
      expect(await platformsRules(stage.cloud, group.id, "egress")).toEqual(egress.map(spelt));
      expect(await group.preview({ ingress, egress })).toBe("nothing");
      await group.refresh();
      expect(await group.preview({ ingress, egress })).toBe("nothing");
    }),
    { numRuns: 40 },
  );
});

const spellings = fc.record({
  protocol: fc.constantFrom("tcp", "TCP"),
  port: fc.constantFrom("ALL", "all", undefined),
  ipv6CidrBlock: fc.constantFrom("2001:db8::/32", "2001:DB8::/32", "2001:0db8:0:0::/32"),
});

test("another spelling of a rule changes nothing", async () => {
  const desired = (spelling: Props): Props => ({ ingress: [{ ...spelling, action: "ACCEPT" }] });
  await using group = await stage.deployed("SecurityGroup", desired({ protocol: "TCP", ipv6CidrBlock: "2001:db8::/32" }));
  await fc.assert(
    fc.asyncProperty(spellings, async (spelling) => {
      expect(await group.preview(desired(spelling))).toBe("nothing");
    }),
    { numRuns: 18 },
  );
});

test("an address is a range of one address", async () => {
  const from = (cidrBlock: string, ipv6CidrBlock: string): Props => ({
    ingress: [{ cidrBlock }, { ipv6CidrBlock }].map((range) => ({ ...range, protocol: "ALL", action: "ACCEPT" })),
  });
  await using group = await stage.deployed("SecurityGroup", from("203.0.113.7", "2001:DB8::7"));
  expect(await group.preview(from("203.0.113.7/32", "2001:db8::7/128"))).toBe("nothing");
  expect((await platformsRules(stage.cloud, group.id, "ingress")).join()).toMatch(/203\.0\.113\.7\/32.+2001:db8::7\/128/);
});

test("a preview warns of a range that the public API takes as everyone", async () => {
  const desired = (cidrBlock: string): Props => ({ ingress: [{ protocol: "ALL", action: "ACCEPT", cidrBlock }] });
  await using group = await stage.deployed("SecurityGroup", desired("0.0.0.0/0"));
  expect(await linesShown(stage, "warning", () => group.preview(desired("0.0.0.0/8")))).toEqual([
    expect.stringContaining("the public API takes 0.0.0.0/8 in a rule as 0.0.0.0/0, everyone"),
  ]);
});

const web = { protocol: "TCP", port: "443", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };
const ping = { protocol: "ICMP", cidrBlock: "10.0.0.0/8", action: "ACCEPT" };

test("when somebody else was quicker, the rules are read again, and the call is repeated", async () => {
  await using group = await stage.deployed("SecurityGroup", { ingress: [web] });
  stage.faults.add({ operation: vpc.createSecurityGroupPolicies, when: "before", code: "UnsupportedOperation.VersionMismatch" });
  const calls = await stage.calls(() => group.up({ ingress: [web, ping] }));
  const actions = calls.map(({ action, code }) => `${action}${code && `: ${code}`}`);
  const refused = actions.indexOf("CreateSecurityGroupPolicies: UnsupportedOperation.VersionMismatch");
  expect(actions.slice(refused, refused + 3)).toEqual([
    "CreateSecurityGroupPolicies: UnsupportedOperation.VersionMismatch",
    "DescribeSecurityGroupPolicies",
    "CreateSecurityGroupPolicies",
  ]);
});

test("a rule that somebody else has added meanwhile stays until the program changes the rules: it names all of them", async () => {
  await using group = await stage.deployed("SecurityGroup", { ingress: [web] });
  await stage.cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId: group.id, securityGroupPolicySet: { ingress: [ping] } });
  await stage.host.restart();
  await group.up({ ingress: [web], groupName: "changed" });
  expect(await platformsRules(stage.cloud, group.id, "ingress")).toEqual([spelt(web), spelt(ping)]);
  const more = { ...web, port: "80" };
  await group.up({ ingress: [web, more], groupName: "changed" });
  expect(await platformsRules(stage.cloud, group.id, "ingress")).toEqual([spelt(web), spelt(more)]);
});

const templates = { ServiceTemplate: { ServiceId: "ppm-f5n1f8da" }, AddressTemplate: { AddressGroupId: "ipmg-2uw6ujo6" } };
const strange: readonly (readonly [of: string, told: Reply["body"], says: string])[] = [
  [
    "that somebody has made of templates is not overlooked: the group is refused with what to do",
    { Action: "ACCEPT", ...templates },
    "is made of ppm-f5n1f8da and ipmg-2uw6ujo6, and a program declares no templates: replace it",
  ],
  [
    "that no program could declare is told with what is odd about it",
    { CidrBlock: "", Action: "" },
    "is told as no program could declare it: protocol: .*; action: .*\\. Look at it in the console, ",
  ],
];

test.each(strange)("a rule %s", async (_, told, says) => {
  const cloud = ToldOtherwise.by(stage.world, {
    DescribeSecurityGroupPolicies: () => ({
      SecurityGroupPolicySet: { Version: "1", Egress: [], Ingress: [{ PolicyIndex: 0, Protocol: "", Port: "", ...told }] },
    }),
  });
  await expect(liveRules(cloud, other)).rejects.toThrow(new RegExp(`^rule 0 of the ingress of ${other} ${says}`));
});
