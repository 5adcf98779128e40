import { describe, expect, test } from "vitest";
import { leftBehindIn, placeLeftIn } from "../../provider/src/lifecycle/program/remarks.ts";
import { unknown } from "../support/structs.ts";
import { preview, type Step, urnOf } from "./previews.ts";
import { reviewOfTexts } from "./reviewed.ts";

/** What stays on the platform while that which it is in is deleted. */

/** The id that a resource has in these previews. */
const idOf = (called: string): string => called.toLowerCase().replace(" ", "-");

const vpc: Step = { kind: "Vpc", name: "net", op: "delete", old: { cidrBlock: "10.0.0.0/16" } };
const subnet: Step = {
  ...{ kind: "Subnet", name: "a", op: "delete", from: { vpcId: ["Vpc net"] } },
  old: { vpcId: "vpc-net", cidrBlock: "10.0.0.0/20" },
};

function refusals(steps: readonly Step[], warnings: readonly { readonly message: string }[] = []): readonly string[] {
  const { reasons, verdict } = reviewOfTexts([
    preview(
      steps,
      warnings.map((one) => ({ ...one, severity: "warning" })),
    ),
  ]);
  const found = reasons.flatMap(({ code, called, sentence }) => (code === "collides" ? [`${called}: ${sentence}`] : []));
  expect(verdict === "blocked").toBe(found.length > 0);
  return found;
}

describe("a resource with retainOnDelete", () => {
  test("is not counted as deleted, nor as one that goes along", () => {
    const gone: Step = { kind: "RegistryInstance", name: "r", op: "delete", old: { registryName: "acme" } };
    const group: Step = { kind: "SecurityGroup", name: "g", op: "delete", old: { groupName: "g" }, retainOnDelete: true };
    const report = reviewOfTexts([preview([group, gone])]);
    expect([report.counts.delete, report.counts.detach]).toEqual([1, 1]);
    expect(report.changes.find(({ called }) => called === "SecurityGroup g")).toMatchObject({ operation: "detach", verdict: "safe" });
    expect(report.headline).toMatch(/^Destroys 1 registry; /);
    const alone = reviewOfTexts([preview([group])]);
    expect([alone.verdict, alone.headline]).toEqual([
      "safe",
      "Stops managing 1 resource; nothing is lost, interrupted or opened; less than a minute",
    ]);
  });

  test("keeps what it is in from being deleted", () => {
    expect(refusals([{ ...subnet, retainOnDelete: true }, vpc])).toEqual([
      "Vpc net: step 2 fails: it cannot be deleted while Subnet a is there, which stays (retainOnDelete). Keep both, or delete both",
    ]);
    const { changes } = reviewOfTexts([preview([{ ...subnet, retainOnDelete: true }, vpc])]);
    expect(changes.find(({ called }) => called === "Vpc net")?.takesAlong).toEqual([]);
    expect(refusals([subnet, vpc])).toEqual([]);
    expect(refusals([{ ...subnet, retainOnDelete: true, old: { vpcId: "vpc-other" } }, vpc])).toEqual([]);
  });

  test("keeps it, too, where a new one is made of both", () => {
    const inputs = { cidrBlock: "10.1.0.0/16" };
    const [made, old] = (["create-replacement", "delete-replaced"] as const).map((op): Step[] => [
      { ...vpc, op, now: inputs, because: ["cidrBlock"] },
      { ...subnet, op, now: { vpcId: unknown, cidrBlock: "10.1.0.0/20" }, because: ["vpcId"], retainOnDelete: true },
    ]);
    expect(refusals([...(made ?? []), ...(old ?? []).toReversed()])).toEqual([expect.stringContaining("Vpc net: step 4 fails")]);
  });

  test("does not stay where the platform deletes it along with what it is in", () => {
    const cluster: Step = { kind: "Cluster", name: "c", op: "delete", old: { vpcId: "vpc-1" } };
    const pool: Step = {
      ...{ kind: "NodePool", name: "workers", op: "delete", retainOnDelete: true, from: { clusterId: ["Cluster c"] } },
      old: { clusterId: "cluster-c" },
    };
    const report = reviewOfTexts([preview([pool, cluster])]);
    expect([report.verdict, report.counts.delete]).toEqual(["needs-approval", 2]);
    expect(report.changes.find(({ called }) => called === "Cluster c")?.takesAlong).toEqual([urnOf("NodePool workers")]);
    expect(reviewOfTexts([preview([pool, { ...cluster, retainOnDelete: true }])]).verdict).toBe("safe");
  });

  test("keeps the registry that it is a namespace of, which the provider deletes only without any", () => {
    const registry: Step = { kind: "RegistryInstance", name: "r", op: "delete", old: { registryName: "acme" } };
    const inputs = { registryId: "registryinstance-r", namespaceName: "team" };
    const namespace: Step = { kind: "Namespace", name: "team", op: "delete", retainOnDelete: true, old: inputs };
    expect(refusals([namespace, registry])).toHaveLength(1);
    expect(refusals([{ ...namespace, retainOnDelete: false }, registry])).toEqual([]);
  });
});

describe("what the engine does not delete itself, because of deletedWith,", () => {
  const cluster: Step = { kind: "Cluster", name: "c", op: "delete", old: { vpcId: "vpc-1" } };
  const group: Step = { kind: "SecurityGroup", name: "g1", op: "delete", old: { groupName: "g" } };
  const pool: Step = {
    ...{ kind: "NodePool", name: "np", op: "delete", from: { clusterId: ["Cluster c"], native: ["SecurityGroup g1"] } },
    old: { clusterId: "cluster-c", native: { securityGroupIds: ["securitygroup-g1"] } },
  };

  test("keeps what it is in", () => {
    expect(refusals([{ ...subnet, deletedWith: "Vpc net" }, vpc])).toEqual([
      "Vpc net: step 2 fails: it cannot be deleted while Subnet a is there, which stays (deletedWith). Take that option out and run pulumi up first, or keep both",
    ]);
    expect(refusals([{ ...subnet, deletedWith: "Vpc other" }, vpc])).toEqual([]);
  });

  test.for<[string, Step, Step]>([
    ["a registry", { ...group, deletedWith: "RegistryInstance r" }, { kind: "RegistryInstance", name: "r", op: "delete", old: {} }],
    ["another VPC", { ...vpc, deletedWith: "Vpc other" }, { ...vpc, name: "other" }],
  ])("stays on the platform where it does not go along with it: %s", ([, left, other]) => {
    const { changes, counts, moves, headline } = reviewOfTexts([preview([left, other])]);
    expect(changes.find(({ urn }) => urn === urnOf(`${left.kind} ${left.name}`))).toMatchObject({
      operation: "detach",
      notes: [`it stays on the platform, and is no longer managed (deletedWith ${left.deletedWith}, with which it does not go)`],
      undo: { possible: "yes", sentence: "it can be imported again" },
    });
    expect([counts.delete, counts.detach, moves.map(({ does }) => does)]).toEqual([1, 1, ["detach", "delete"]]);
    expect(headline).not.toContain("1 security group");
  });

  test("goes along with what it is inside of, and is deleted", () => {
    const { changes, verdict } = reviewOfTexts([preview([{ ...pool, deletedWith: "Cluster c" }, cluster])]);
    expect([verdict, changes.map(({ operation }) => operation)]).toEqual(["needs-approval", ["delete", "delete"]]);
  });

  test("is deleted itself where the other one is not", () => {
    const { changes } = reviewOfTexts([
      preview([
        { ...group, deletedWith: "Cluster c" },
        { ...cluster, op: "same" },
      ]),
    ]);
    expect(changes.map(({ operation }) => operation)).toEqual(["delete"]);
  });

  test("does not fail for what uses it", () => {
    const left = [pool, group].map((one): Step => ({ ...one, deletedWith: "Cluster c" }));
    expect(refusals([...left, cluster])).toEqual([]);
    const { changes } = reviewOfTexts([preview([...left, cluster])]);
    expect(Object.fromEntries(changes.map(({ called, operation }) => [called, operation]))).toEqual({
      ...{ "Cluster c": "delete", "NodePool np": "delete", "SecurityGroup g1": "detach" },
    });
  });
});

test("what the program keeps, and names by its id, keeps it from being deleted", () => {
  const group: Step = { kind: "SecurityGroup", name: "g", op: "delete", old: { groupName: "g" } };
  const other: Step = {
    kind: "SecurityGroup",
    name: "other",
    op: "same",
    old: { ingress: [{ action: "ACCEPT", securityGroupId: "securitygroup-g" }] },
  };
  expect(refusals([other, group])).toEqual([expect.stringContaining("while SecurityGroup other is there, which stays.")]);
  expect(refusals([{ ...other, op: "update", now: { ingress: [] } }, group])).toEqual([]);
  expect(refusals([group, { ...other, op: "update", now: { ingress: [] } }])).toEqual([
    expect.stringContaining("which leaves it only in a later step"),
  ]);
});

test("a registry leaves a subnet by itself, before that is replaced", () => {
  const registry: Step = {
    ...{ kind: "RegistryInstance", name: "r", op: "update", paths: ["internalAccess"], from: { internalAccess: ["Subnet a"] } },
    ...{ old: { internalAccess: [{ subnetId: "subnet-a" }] }, now: { internalAccess: [{ subnetId: unknown }] } },
  };
  expect(refusals([subnet, registry])).toEqual([]);
  expect(refusals([subnet, { ...registry, op: "same" }])).toHaveLength(1);
});

describe("by what is not named by an id", () => {
  test("an IPv6 block, by the subnets with a part of it", () => {
    const block: Step = { kind: "Ipv6Block", name: "net", op: "delete", old: { vpcId: "ipv6block-net" } };
    const part: Step = { kind: "Subnet", name: "s", op: "same", old: { vpcId: "ipv6block-net", ipv6SubnetCidrBlock: "2001:db8::/64" } };
    expect(refusals([part, block])).toHaveLength(1);
    expect(refusals([{ ...part, old: { vpcId: "ipv6block-net" } }, block])).toEqual([]);
  });
});

describe("nodes that a pool leaves behind", () => {
  const pool: Step = {
    ...{ kind: "NodePool", name: "workers", op: "update", paths: ["native"] },
    ...{ old: { native: { subnetIds: ["subnet-a"] } }, now: { native: { subnetIds: ["subnet-b"] } } },
  };
  const sentence = leftBehindIn("native.subnetIds", "np-1 and np-2", "stay in subnet-a");
  const warning = { message: `warning: Subnet "a" (subnet-a) is in the stack, and not in the program, but ${sentence} it has nodes.` };

  test("keep the subnet from being deleted, which the preview warns of", () => {
    expect(placeLeftIn(`warning: ${sentence} it has nodes.`)).toEqual({ who: "np-1 and np-2", place: "subnet-a", isItself: false });
    expect(refusals([pool, subnet], [warning])).toEqual([
      expect.stringContaining("Subnet a: step 2 fails: it cannot be deleted while it has what a pool has left behind: np-1 and np-2. Take"),
    ]);
    expect(refusals([pool], [warning])).toEqual([]);
    expect(refusals([pool, subnet])).toEqual([]);
  });

  test("a security group that the pool itself keeps, because its property is taken out, is not deleted either", () => {
    const group: Step = { kind: "SecurityGroup", name: "g", op: "delete", old: { groupName: "g" } };
    const silent: Step = { ...pool, old: { native: { securityGroupIds: [idOf("SecurityGroup g")] } }, now: { native: {} } };
    const kept = leftBehindIn("native.securityGroupIds", 'NodePool "workers"', `keeps ${idOf("SecurityGroup g")}`);
    const said = { message: `warning: SecurityGroup "g" is in the stack, and not in the program, but ${kept} it does. NodePool` };
    expect(refusals([silent, group], [said])).toEqual([
      'SecurityGroup g: step 2 fails: it cannot be deleted while NodePool "workers" keeps it, whose program leaves it out. Keep it, or write there what that is to have',
    ]);
  });
});
