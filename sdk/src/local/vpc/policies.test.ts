import fc from "fast-check";
import { expect, test } from "vitest";
import * as vpcs from "../../catalogue/vpc.ts";
import type { PolicySetInput } from "./security-groups.ts";
import { refused, stage } from "../stage.fixture.ts";

async function start() {
  const { cloud, group } = stage("policies");
  const securityGroupId = await group();
  const on = (securityGroupPolicySet: PolicySetInput) => ({ securityGroupId, securityGroupPolicySet });
  const create = (set: PolicySetInput) => cloud.call(vpcs.createSecurityGroupPolicies, on(set));
  const remove = (set: PolicySetInput) => cloud.call(vpcs.deleteSecurityGroupPolicies, on(set));
  const replace = (set: PolicySetInput) => cloud.call(vpcs.replaceSecurityGroupPolicies, on(set));
  const live = async () => (await cloud.call(vpcs.describeSecurityGroupPolicies, { securityGroupId })).securityGroupPolicySet;
  const ports = async () => (await live()).ingress?.map(({ port }) => port);
  return { cloud, group, securityGroupId, create, remove, replace, live, ports };
}

/** A rule that differs from the others by its port. */
function tcp(port: string | number, policyIndex?: number) {
  return { protocol: "TCP", port: String(port), cidrBlock: "10.0.0.0/8", action: "ACCEPT", policyIndex };
}
const everything = { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" };

test("rules are answered in canonical form: upper case, ALL, ranges, indexes from 0; each call adds 1 to the version", async () => {
  const { create, live } = await start();
  await create({
    version: "0",
    egress: [{ protocol: "all", port: "all", cidrBlock: "0.0.0.0/0", action: "accept", policyDescription: "out" }],
  });
  await create({
    version: "1",
    ingress: [
      { protocol: "tcp", port: "80,8000-65535", cidrBlock: "10.0.0.0/8", action: "ACCEPT" },
      { protocol: "icmpv6", ipv6CidrBlock: "2001:DB8:0::/48", action: "DROP" },
    ],
  });
  const { version, egress, ingress, policyStatistics } = await live();
  expect(version).toBe("2");
  expect(egress).toMatchObject([
    { policyIndex: 0, protocol: "ALL", port: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT", policyDescription: "out" },
  ]);
  expect(ingress).toMatchObject([
    { policyIndex: 0, protocol: "TCP", port: "80,8000-65535", cidrBlock: "10.0.0.0/8" },
    { policyIndex: 1, protocol: "ICMPV6", port: "ALL", ipv6CidrBlock: "2001:db8::/48", action: "DROP" },
  ]);
  expect(policyStatistics).toEqual({
    ingressIPv4TotalCount: 1,
    ingressIPv6TotalCount: 1,
    egressIPv4TotalCount: 1,
    egressIPv6TotalCount: 0,
  });
});

test.each<[string, PolicySetInput]>([
  ["InvalidParameter.Coexist", { ingress: [{ ...everything, ipv6CidrBlock: "::/0" }] }],
  ["InvalidParameterValue.Empty", { ingress: [] }],
  ["MissingParameter", { ingress: [{ protocol: "ALL", action: "ACCEPT" }] }],
  ["MissingParameter", { ingress: [{ cidrBlock: "0.0.0.0/0", action: "ACCEPT" }] }],
  ["MissingParameter", { ingress: [{ protocol: "ALL", cidrBlock: "0.0.0.0/0" }] }],
  ["InvalidParameterValue", { ingress: [{ ...everything, protocol: "SCTP" }] }],
  ["InvalidParameterValue", { ingress: [{ ...everything, action: "REJECT" }] }],
  ["InvalidParameterValue", { ingress: [{ ...everything, protocol: "ICMP", port: "80" }] }],
  ["InvalidParameterValue", { ingress: [{ ...everything, port: "80" }] }],
  ["InvalidParameterValue", { ingress: [{ ...everything, protocol: "ICMPV6" }] }],
  ["InvalidParameterValue", { ingress: [{ protocol: "ICMP", ipv6CidrBlock: "::/0", action: "ACCEPT" }] }],
  ["InvalidParameterValue.Malformed", { ingress: [tcp("http")] }],
  ["InvalidParameterValue.Malformed", { ingress: [tcp("80, 443")] }],
  ["InvalidParameterValue.Range", { ingress: [tcp("65536")] }],
  ["InvalidParameterValue.Range", { ingress: [tcp("0")] }],
  ["InvalidParameterValue.Range", { ingress: [tcp("90-80")] }],
  ["InvalidParameterValue.Malformed", { ingress: [{ ...everything, cidrBlock: "10.0.0.1" }] }],
  ["InvalidParameterValue.Malformed", { ingress: [{ ...everything, cidrBlock: "::/0" }] }],
  ["InvalidParameterValue.TooLong", { ingress: [{ ...everything, policyDescription: "x".repeat(101) }] }],
  ["ResourceNotFound", { ingress: [{ protocol: "ALL", securityGroupId: "sg-00000000", action: "ACCEPT" }] }],
  ["InvalidParameterValue", { ingress: [tcp(1, 0), tcp(2, 1)] }],
  ["InvalidParameterValue", { ingress: [tcp(1, 0), tcp(2)] }],
  ["InvalidParameterValue.Range", { ingress: [tcp(1, 1)] }],
  ["InvalidParameterValue.Range", { ingress: [tcp(1, -1)] }],
  ["UnsupportedOperation.DuplicatePolicy", { ingress: [tcp(1), { ...tcp(1), policyDescription: "again" }] }],
  ["UnsupportedOperation.VersionMismatch", { version: "7", ingress: [tcp(1)] }],
  ["LimitExceeded.SecurityGroupPolicySet", { ingress: Array.from({ length: 101 }, (_, port) => tcp(port + 1)) }],
])("%s refuses %j", async (code, set) => {
  const { create, live } = await start();
  await refused(create(set), code);
  expect(await live()).toMatchObject({ version: "0", egress: [], ingress: [] });
});

test("host bits are refused, and the message has the range without them", async () => {
  const { create } = await start();
  await expect(create({ ingress: [{ ...everything, cidrBlock: "10.1.2.3/8" }] })).rejects.toThrow(
    /10\.0\.0\.0\/8.*InvalidParameterValue\.Malformed/,
  );
});

test("a rule can name another security group or its own", async () => {
  const { create, group, live, securityGroupId } = await start();
  const other = await group();
  const rule = { protocol: "ALL", action: "ACCEPT" };
  await create({ ingress: [other, securityGroupId].map((id) => ({ ...rule, securityGroupId: id })) });
  expect((await live()).ingress?.map((policy) => policy.securityGroupId)).toEqual([other, securityGroupId]);
});

test("a rule with index 0 goes first, without an index last, and with another in front of the rule there; a call keeps its order", async () => {
  const { create, ports } = await start();
  await create({ ingress: [tcp(1), tcp(2)] });
  await create({ ingress: [tcp(3, 0), tcp(4, 0)] });
  await create({ ingress: [tcp(5)] });
  await create({ ingress: [tcp(6, 2)] });
  await create({ ingress: [tcp(7, 6)] });
  expect(await ports()).toEqual(["3", "4", "6", "1", "2", "5", "7"]);
});

test("the same rule may exist in both directions, and with another action", async () => {
  const { create } = await start();
  await create({ ingress: [everything] });
  await create({ egress: [everything] });
  await create({ ingress: [{ ...everything, action: "DROP" }] });
  await refused(create({ ingress: [{ ...everything, protocol: "all", port: "all" }] }), "UnsupportedOperation.DuplicatePolicy");
});

test("rules are deleted by index or by their content, not by both", async () => {
  const { create, remove, ports } = await start();
  await create({ ingress: [tcp(1), tcp(2), tcp(3), tcp(4), tcp(5)] });
  await remove({ version: "1", ingress: [{ policyIndex: 0 }, { policyIndex: 3 }] });
  expect(await ports()).toEqual(["2", "3", "5"]);
  await remove({ ingress: [{ ...tcp(3), protocol: "tcp" }] });
  expect(await ports()).toEqual(["2", "5"]);
  for (const [code, set] of [
    ["InvalidParameter.Coexist", { ingress: [{ policyIndex: 0 }, tcp(5)] }],
    ["InvalidParameter.Coexist", { ingress: [tcp(2, 0)] }],
    ["InvalidParameter.Coexist", { ingress: [{ policyIndex: 0 }], egress: [{ policyIndex: 0 }] }],
    ["InvalidParameterValue.Range", { ingress: [{ policyIndex: 2 }] }],
    ["InvalidParameterValue.Range", { egress: [{ policyIndex: 0 }] }],
    ["InvalidParameterValue.Empty", { ingress: [] }],
    ["ResourceNotFound", { ingress: [tcp(9)] }],
  ] satisfies [string, PolicySetInput][])
    await refused(remove(set), code);
  await refused(remove({ version: "1", ingress: [{ policyIndex: 0 }] }), "UnsupportedOperation.VersionMismatch", { kind: "conflict" });
  expect(await ports()).toEqual(["2", "5"]);
});

test("a replaced rule keeps its position", async () => {
  const { create, replace, ports } = await start();
  await create({ ingress: [tcp(1), tcp(2), tcp(3)] });
  await replace({ ingress: [tcp(1, 1), tcp(9, 0)] });
  expect(await ports()).toEqual(["9", "1", "3"]);
  for (const [code, set] of [
    ["MissingParameter", { ingress: [tcp(7)] }],
    ["InvalidParameterValue.Range", { ingress: [tcp(7, 3)] }],
    ["InvalidParameterValue", { ingress: [tcp(7, 0), tcp(8, 0)] }],
    ["UnsupportedOperation.DuplicatePolicy", { ingress: [tcp(3, 0)] }],
    ["InvalidParameter.Coexist", { ingress: [tcp(7, 0)], egress: [tcp(7, 0)] }],
    ["UnsupportedOperation.VersionMismatch", { version: "1", ingress: [tcp(7, 0)] }],
  ] satisfies [string, PolicySetInput][])
    await refused(replace(set), code);
  expect(await ports()).toEqual(["9", "1", "3"]);
});

test("rules are filtered, and keep their indexes", async () => {
  const { cloud, create, securityGroupId } = await start();
  await create({ ingress: [tcp(1), everything, { protocol: "UDP", port: "53", ipv6CidrBlock: "2001:db8::/32", action: "DROP" }] });
  await create({ egress: [everything] });
  const found = async (name: string, ...values: string[]) => {
    const { securityGroupPolicySet: set } = await cloud.call(vpcs.describeSecurityGroupPolicies, {
      securityGroupId,
      filters: [{ name, values }],
    });
    return [set.egress, set.ingress].map((rules) => rules?.map(({ policyIndex }) => policyIndex));
  };
  expect(await found("protocol-type", "TCP", "UDP")).toEqual([[], [0, 2]]);
  expect(await found("ip", "db8")).toEqual([[], [2]]);
  expect(await found("poly", "ACCEPT")).toEqual([[0], [0, 1]]);
  expect(await found("direction", "egress")).toEqual([[0], []]);
  await refused(found("colour", "red"), "InvalidParameter");
});

type Edit = { add: number; count: number } | { drop: number } | { swap: number };
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ add: fc.nat({ max: 20 }), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ drop: fc.nat({ max: 20 }) }),
  fc.record({ swap: fc.nat({ max: 20 }) }),
);

test("after any edits, the rules have the order of a list with the same edits", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
      const { create, remove, replace, ports } = await start();
      const model: string[] = [];
      let fresh = 1;
      for (const step of edits) {
        if ("add" in step) {
          const index = step.add % (model.length + 1);
          const added = Array.from({ length: step.count }, () => String(fresh++));
          model.splice(index, 0, ...added);
          await create({ ingress: added.map((port) => tcp(port, index)) });
        } else if (model.length > 0) {
          const index = ("drop" in step ? step.drop : step.swap) % model.length;
          const port = String(fresh++);
          if ("drop" in step) model.splice(index, 1);
          else model[index] = port;
          await ("drop" in step ? remove({ ingress: [{ policyIndex: index }] }) : replace({ ingress: [tcp(port, index)] }));
        }
      }
      expect(await ports()).toEqual(model);
    }),
    { numRuns: 40 },
  );
});
