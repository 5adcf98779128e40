import { describe, expect, test } from "vitest";
import { unknown } from "../support/structs.ts";
import { changeInPlace, creation, deletion, type Step, unchanged, urnOf } from "./previews.ts";
import { collisionsIn, reviewOfSteps } from "./reviewed.ts";
import { render } from "../../provider/src/definition/codes.ts";
import { inUse } from "../../provider/src/program/messages.ts";
import { inUseIn } from "../../provider/src/review/assess/run/staying.ts";

/** The steps of a plan, carried out on paper: what would fail, for what is in its way or stays in it, is blocked, with the step. */

const failing = (...steps: readonly Step[]) => collisionsIn(steps);

const net = unchanged("Vpc", "net", { cidrBlock: "10.0.0.0/16" });
const subnet = { vpcId: "vpc-net", zone: "eu-frankfurt-1" };
const gone = deletion("Subnet", "old", { ...subnet, cidrBlock: "10.0.0.0/20" });
const replaced = (before: string, after: string, order: "new first" | "old first"): Step[] => {
  const inputs = { old: { ...subnet, cidrBlock: before }, now: { ...subnet, cidrBlock: after } };
  const made: Step = { kind: "Subnet", name: "x", op: "create-replacement", ...inputs, because: ["cidrBlock"] };
  const deleted: Step = { ...made, op: "delete-replaced" };
  return order === "new first" ? [made, deleted] : [deleted, made];
};

describe("a resource that is made beside what is deleted later", () => {
  test("in its range", () => {
    const made = creation("Subnet", "new", { ...subnet, cidrBlock: "10.0.0.0/21" });
    expect(failing(net, made, gone)).toEqual([
      "Subnet new: step 1 fails: it cannot be made beside Subnet old, which is deleted only in step 2: cidrBlock 10.0.0.0/21 overlaps cidrBlock 10.0.0.0/20. Take the old one out in a run of its own first",
    ]);
    expect(failing(net, gone, made)).toEqual([]);
    expect(failing(net, { ...made, now: { ...subnet, cidrBlock: "10.0.16.0/20" } }, gone)).toEqual([]);
    expect(failing(net, { ...made, now: { ...subnet, vpcId: "vpc-other", cidrBlock: "10.0.0.0/21" } }, gone)).toEqual([]);
  });

  test("in a range that the platform does not look at: that of services of what is there", () => {
    const cluster = (name: string, clusterCidr: string, serviceCidr: string) =>
      creation("Cluster", name, { vpcId: "vpc-net", networkType: "GR", clusterCidr, serviceCidr });
    const [there, made] = [cluster("there", "172.16.0.0/16", "172.20.0.0/16"), cluster("made", "172.20.0.0/17", "192.168.0.0/24")];
    expect(failing(net, there, made)).toEqual([]);
    expect(failing(net, made, there)).toHaveLength(1);
  });

  test("as itself, unless it is deleted first", () => {
    const [first] = failing(net, ...replaced("10.0.0.0/20", "10.0.0.0/21", "new first"));
    expect(first).toMatch(/^Subnet x: step 1 fails: .* beside the old one, which is deleted only in step 2: .* deleteBeforeReplace: true/);
    expect(failing(net, ...replaced("10.0.0.0/20", "10.0.0.0/21", "old first"))).toEqual([]);
  });

  test("as itself under another name, which an alias gives: the engine deletes it under the old one", () => {
    const [made, deleted] = replaced("10.0.0.0/20", "10.0.0.0/21", "new first").map((step) => ({ ...step, was: "before" }));
    if (!made || !deleted) throw new Error("a replacement has two steps");
    const [first] = failing(net, made, { ...deleted, name: "before" });
    expect(first).toMatch(/^Subnet x: step 1 fails: .* beside the old one, which is deleted only in step 2/);
    const { changes } = reviewOfSteps(net, { ...deleted, name: "before" }, made);
    expect(changes.map(({ called, operation, order }) => [called, operation, order])).toEqual([["Subnet x", "replace", "old one first"]]);
  });

  test("as itself, although it is deleted first, if it is retained", () => {
    const steps = replaced("10.0.0.0/20", "10.0.0.0/21", "old first").map((step) => ({ ...step, retainOnDelete: true }));
    expect(failing(net, ...steps)).toHaveLength(1);
  });

  test("by its name", () => {
    const inputs = { registryName: "acme", registryType: "basic" };
    const [sentence] = failing(creation("RegistryInstance", "new", inputs), deletion("RegistryInstance", "old", inputs));
    expect(sentence).toContain("registryName of both is acme");
    expect(sentence).toContain(`add aliases: ["${urnOf("RegistryInstance old")}"] to its options`);
  });

  test("by its id", () => {
    const namespace = { registryId: "tcr-1", namespaceName: "team", isPublic: false };
    const [sentence] = failing(creation("Namespace", "new", namespace), deletion("Namespace", "old", namespace));
    expect(sentence).toContain("registryId and namespaceName are the same");
  });

  test("or in a resource that is new itself", () => {
    const inNew = (name: string) =>
      creation("Subnet", name, { vpcId: unknown, cidrBlock: "10.0.0.0/20" }, { from: { vpcId: ["Vpc new"] } });
    expect(failing(inNew("a"), inNew("b"))).toHaveLength(1);
  });
});

test("an update that takes what another one still has is blocked", () => {
  const update: Step = { kind: "Vpc", name: "net", op: "update", old: { cidrBlock: "10.0.0.0/16" }, now: { cidrBlock: "10.1.0.0/16" } };
  const other = deletion("Vpc", "other", { cidrBlock: "10.1.0.0/16" });
  expect(failing(update, other)).toHaveLength(1);
  expect(failing(other, update)).toEqual([]);
});

describe("what is deleted and created under another name", () => {
  const pool = { labels: { team: "web" }, clusterId: "cls-1", type: "Native" };
  const notesOf = (now: Step["now"]): readonly string[] =>
    reviewOfSteps(creation("NodePool", "new", now), deletion("NodePool", "old", { ...pool, name: "old-1a2b3c4" }))
      .changes.flatMap(({ notes }) => notes)
      .filter((note) => note.includes("aliases"));

  test("is said to be a rename, with the line to write", () => {
    const line = `add aliases: ["${urnOf("NodePool old")}"] to the options of the new one`;
    expect(notesOf({ ...pool, name: "new-9d8e7f6" })).toEqual([expect.stringContaining(line), expect.stringContaining(line)]);
  });

  test("is that of the one which differs least", () => {
    const far = deletion("NodePool", "far", { ...pool, labels: { team: "db" }, name: "far-1a2b3c4" });
    const near = deletion("NodePool", "near", { ...pool, name: "near-1a2b3c4" });
    const made = creation("NodePool", "new", { ...pool, name: "new-9d8e7f6" });
    const notes = reviewOfSteps(made, far, near).changes.flatMap(({ notes: said }) => said.filter((note) => note.includes("aliases")));
    expect(notes.map((note) => note.includes(urnOf("NodePool near")))).toEqual([true, true]);
  });

  test("is not, where an alias would replace it all the same", () => {
    expect(notesOf({ ...pool, clusterId: "cls-2" })).toEqual([]);
  });
});

const vpc = deletion("Vpc", "net", { cidrBlock: "10.0.0.0/16" });
const inNet = deletion("Subnet", "a", { vpcId: "vpc-net", cidrBlock: "10.0.0.0/20" }, { from: { vpcId: ["Vpc net"] } });
const group = deletion("SecurityGroup", "g", { groupName: "g" });
const cluster = deletion("Cluster", "c", { vpcId: "vpc-1" });

describe("a resource with retainOnDelete", () => {
  test("is not counted as deleted, nor as one that goes along", () => {
    const retained = { ...group, retainOnDelete: true };
    const report = reviewOfSteps(retained, deletion("RegistryInstance", "r", { registryName: "acme" }));
    expect([report.counts.delete, report.counts.detach]).toEqual([1, 1]);
    expect(report.changes.find(({ called }) => called === "SecurityGroup g")).toMatchObject({ operation: "detach", verdict: "safe" });
    expect(report.headline).toMatch(/^Destroys 1 registry; /);
    const alone = reviewOfSteps(retained);
    expect([alone.verdict, alone.headline]).toEqual([
      "safe",
      "Stops managing 1 resource; nothing is lost, interrupted or opened; less than a minute",
    ]);
  });

  test("keeps what it is in from being deleted", () => {
    expect(collisionsIn([{ ...inNet, retainOnDelete: true }, vpc])).toEqual([
      "Vpc net: step 2 fails: it cannot be deleted while Subnet a is there, which stays (retainOnDelete). Keep both, or delete both",
    ]);
    const { changes } = reviewOfSteps({ ...inNet, retainOnDelete: true }, vpc);
    expect(changes.find(({ called }) => called === "Vpc net")?.takesAlong).toEqual([]);
    expect(collisionsIn([inNet, vpc])).toEqual([]);
    // Pulumi lists steps in another order each time: an approval of one review holds for the next.
    const others = ["c", "d"].map((name) => unchanged("Subnet", name, { ...subnet, cidrBlock: "10.0.32.0/20" }));
    const listings = [others, others.toReversed()].map((same) => reviewOfSteps(...same, { ...inNet, retainOnDelete: true }, vpc));
    expect(listings[0]?.reasons[0]?.sentence).toContain("while Subnet a, Subnet c, Subnet d are there");
    expect(listings[1]?.fingerprint).toBe(listings[0]?.fingerprint);
    expect(collisionsIn([{ ...inNet, retainOnDelete: true, old: { vpcId: "vpc-other" } }, vpc])).toEqual([]);
  });

  test("keeps it, too, where a new one is made of both", () => {
    const inputs = { cidrBlock: "10.1.0.0/16" };
    const [made, old] = (["create-replacement", "delete-replaced"] as const).map((op): Step[] => [
      { ...vpc, op, now: inputs, because: ["cidrBlock"] },
      { ...inNet, op, now: { vpcId: unknown, cidrBlock: "10.1.0.0/20" }, because: ["vpcId"], retainOnDelete: true },
    ]);
    expect(collisionsIn([...(made ?? []), ...(old ?? []).toReversed()])).toEqual([expect.stringContaining("Vpc net: step 4 fails")]);
  });

  test("does not stay where the platform deletes it along with what it is in", () => {
    const from = { clusterId: ["Cluster c"] };
    const pool = deletion("NodePool", "workers", { clusterId: "cluster-c" }, { retainOnDelete: true, from });
    const report = reviewOfSteps(pool, cluster);
    expect([report.verdict, report.counts.delete]).toEqual(["needs-approval", 2]);
    expect(report.changes.find(({ called }) => called === "Cluster c")?.takesAlong).toEqual([urnOf("NodePool workers")]);
    expect(reviewOfSteps(pool, { ...cluster, retainOnDelete: true }).verdict).toBe("safe");
  });

  test("keeps the registry that it is a namespace of, which the provider deletes only without any", () => {
    const registry = deletion("RegistryInstance", "r", { registryName: "acme" });
    const namespace = deletion("Namespace", "team", { registryId: "registryinstance-r", namespaceName: "team" });
    expect(collisionsIn([{ ...namespace, retainOnDelete: true }, registry])).toHaveLength(1);
    expect(collisionsIn([namespace, registry])).toEqual([]);
  });
});

describe("what the engine does not delete itself, because of deletedWith,", () => {
  const inputs = { clusterId: "cluster-c", native: { securityGroupIds: ["securitygroup-g"] } };
  const pool = deletion("NodePool", "np", inputs, { from: { clusterId: ["Cluster c"], native: ["SecurityGroup g"] } });

  test("keeps what it is in", () => {
    expect(collisionsIn([{ ...inNet, deletedWith: "Vpc net" }, vpc])).toEqual([
      "Vpc net: step 2 fails: it cannot be deleted while Subnet a is there, which stays (deletedWith). Take that option out and run pulumi up first, or keep both",
    ]);
    expect(collisionsIn([{ ...inNet, deletedWith: "Vpc other" }, vpc])).toEqual([]);
  });

  test.for<[string, Step, Step]>([
    ["a registry", { ...group, deletedWith: "RegistryInstance r" }, deletion("RegistryInstance", "r")],
    ["another VPC", { ...vpc, deletedWith: "Vpc other" }, { ...vpc, name: "other" }],
  ])("stays on the platform where it does not go along with it: %s", ([, left, other]) => {
    const { changes, counts, moves, headline } = reviewOfSteps(left, other);
    expect(changes.find(({ urn }) => urn === urnOf(`${left.kind} ${left.name}`))).toMatchObject({
      operation: "detach",
      notes: [`it stays on the platform, and is no longer managed (deletedWith ${left.deletedWith}, with which it does not go)`],
      undo: { possible: "yes", sentence: "it can be imported again" },
    });
    expect([counts.delete, counts.detach, moves.map(({ does }) => does)]).toEqual([1, 1, ["detach", "delete"]]);
    expect(headline).not.toContain("1 security group");
  });

  test("goes along with what it is inside of, and is deleted", () => {
    const { changes, verdict } = reviewOfSteps({ ...pool, deletedWith: "Cluster c" }, cluster);
    expect([verdict, changes.map(({ operation }) => operation)]).toEqual(["needs-approval", ["delete", "delete"]]);
  });

  test("is deleted itself where the other one is not", () => {
    const { changes } = reviewOfSteps({ ...group, deletedWith: "Cluster c" }, { ...cluster, op: "same" });
    expect(changes.map(({ operation }) => operation)).toEqual(["delete"]);
  });

  test("does not fail for what uses it", () => {
    const left = [pool, group].map((one): Step => ({ ...one, deletedWith: "Cluster c" }));
    expect(collisionsIn([...left, cluster])).toEqual([]);
    const { changes } = reviewOfSteps(...left, cluster);
    expect(Object.fromEntries(changes.map(({ called, operation }) => [called, operation]))).toEqual({
      ...{ "Cluster c": "delete", "NodePool np": "delete", "SecurityGroup g": "detach" },
    });
  });
});

test("what the program keeps, and names by its id, keeps it from being deleted", () => {
  const other = unchanged("SecurityGroup", "other", { ingress: [{ action: "ACCEPT", securityGroupId: "securitygroup-g" }] });
  const leaving: Step = { ...other, op: "update", now: { ingress: [] } };
  expect(collisionsIn([other, group])).toEqual([expect.stringContaining("while SecurityGroup other is there, which stays.")]);
  expect(collisionsIn([leaving, group])).toEqual([]);
  expect(collisionsIn([group, leaving])).toEqual([expect.stringContaining("which leaves it only in a later step")]);
});

test("a registry leaves a subnet by itself, before that is replaced", () => {
  const registry: Step = {
    ...{ kind: "RegistryInstance", name: "r", op: "update", paths: ["internalAccess"], from: { internalAccess: ["Subnet a"] } },
    ...{ old: { internalAccess: [{ subnetId: "subnet-a" }] }, now: { internalAccess: [{ subnetId: unknown }] } },
  };
  expect(collisionsIn([inNet, registry])).toEqual([]);
  expect(collisionsIn([inNet, { ...registry, op: "same" }])).toHaveLength(1);
});

test("an IPv6 block, which is not named by an id, is kept by the subnets with a part of it", () => {
  const block = deletion("Ipv6Block", "net", { vpcId: "ipv6block-net" });
  const part = unchanged("Subnet", "s", { vpcId: "ipv6block-net", ipv6SubnetCidrBlock: "2001:db8::/64" });
  expect(collisionsIn([part, block])).toHaveLength(1);
  expect(collisionsIn([{ ...part, old: { vpcId: "ipv6block-net" } }, block])).toEqual([]);
});

describe("nodes that a pool leaves behind", () => {
  const pool = changeInPlace("NodePool", { native: { subnetIds: ["subnet-a"] } }, { native: { subnetIds: ["subnet-b"] } });
  const warning = render({
    ...{ code: "InUseByNodes", path: "native.subnetIds", of: { type: "Subnet", id: "subnet-a" }, by: "np-1 and np-2" },
    message: `warning: Subnet "a" (subnet-a) was removed from the program, but ${inUse("np-1 and np-2", "stay in subnet-a", false, false)}`,
  });

  test("keep the subnet from being deleted, which the preview warns of", () => {
    expect(inUseIn(warning)).toEqual({ user: "np-1 and np-2", id: "subnet-a", isResource: false });
    expect(collisionsIn([pool, inNet], [warning])).toEqual([
      expect.stringContaining(
        "Subnet a: step 2 fails: it cannot be deleted while nodes of a pool use it: np-1 and np-2. Remove it in a later",
      ),
    ]);
    expect(collisionsIn([pool], [warning])).toEqual([]);
    expect(collisionsIn([pool, inNet])).toEqual([]);
  });

  test("a security group that the pool itself keeps, because its property is taken out, is not deleted either", () => {
    const silent: Step = { ...pool, old: { native: { securityGroupIds: ["securitygroup-g"] } }, now: { native: {} } };
    const by = 'NodePool "workers"';
    const of = { type: "SecurityGroup", id: "securitygroup-g" };
    const said = render({ code: "InUse", of, by, message: `warning: ${inUse(by, "uses securitygroup-g", true, false)}` });
    expect(collisionsIn([silent, group], [said])).toEqual([
      'SecurityGroup g: step 2 fails: it cannot be deleted while NodePool "workers" keeps it, whose program leaves it out. Keep it, or write there what that is to have',
    ]);
  });
});

test("the old copy of an interrupted replacement adds only its own deletion to the duration", () => {
  const pool = creation("NodePool", "workers", {}, { from: { clusterId: ["Cluster x"] } });
  const update = changeInPlace("Cluster", { clusterVersion: "1.30.0" }, { clusterVersion: "1.32.2" });
  const without = reviewOfSteps(update, pool);
  const withCopy = reviewOfSteps(update, pool, deletion("Cluster", "x"));
  expect(withCopy.seconds).toBe(without.seconds + reviewOfSteps(deletion("Cluster", "x")).seconds);
});
