import { describe, expect, test } from "vitest";
import type { Kind } from "../definition/definition.ts";
import { kinds } from "../resources/kinds.ts";
import { type Props, unknown } from "../schema/values.ts";
import { ProgramGraph, undeclared } from "./program-graph.ts";
import { noLiteralIdOfReplaced, oneOwner, replaceable, uniqueInProgram } from "./rules.ts";

/** What the graph knows of the resources that Pulumi has checked and compared, and which rules they violate. */

const { kind: vpcs } = await kinds.Vpc();
const { kind: subnets } = await kinds.Subnet();
const { kind: blocks } = await kinds.Ipv6Block();
const { kind: clusters } = await kinds.Cluster();
const { kind: pools } = await kinds.NodePool();

const urnOf = ({ type }: Kind, name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;
const net = { cidrBlock: "10.0.0.0/16", vpcName: "net" };
const nodes = { vpcId: "vpc-1", zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/20", subnetName: "nodes" };

/** A graph, with what Pulumi asks about resources by name. */
function graphed() {
  const graph = new ProgramGraph();
  const check = (kind: Kind, name: string, inputs: Props, olds: Props = {}, options: Props = {}) =>
    graph.recordCheck(kind, olds, { ...inputs, ...options, __urn: urnOf(kind, name) }, inputs);
  const diff = (kind: Kind, name: string, id: string, inputs: Props, replaces?: readonly string[], first?: boolean) => {
    const named = { ...inputs, __urn: urnOf(kind, name) };
    return graph.recordDiff(kind, id, named, named, { ...(replaces && { replaces }), deleteBeforeReplace: first === true });
  };
  /** A resource of the state that the update keeps. */
  const keep = (kind: Kind, name: string, id: string, inputs: Props, options: Props = {}) => {
    check(kind, name, inputs, inputs, options);
    return diff(kind, name, id, inputs);
  };
  return { graph, check, diff, keep, get: (kind: Kind, name: string) => graph.get(urnOf(kind, name)) };
}

describe("a resource of the program", () => {
  test("is created, imported or kept, by what was checked", () => {
    const { graph, check, keep, get } = graphed();
    expect(check(vpcs, "new", net)).toMatchObject({ operation: "create", id: undefined });
    expect(check(vpcs, "old", net, {}, { __adopt: "vpc-9" })).toMatchObject({ operation: "import", id: "vpc-9" });
    expect(keep(vpcs, "net", "vpc-1", net)).toMatchObject({ operation: "keep", id: "vpc-1", deletesOld: undefined });
    // An imported one does not have the ID yet.
    expect([graph.byId("vpc-1")?.urn, graph.byId("vpc-9"), graph.byId("vpc-2")]).toEqual([urnOf(vpcs, "net"), undefined, undefined]);
    expect(graph.isClaimed(vpcs, "vpc-9")).toBe(true);
    graph.recordCreated(urnOf(vpcs, "new"), "vpc-2");
    expect(get(vpcs, "new")).toMatchObject({ operation: "keep", id: "vpc-2", lastInputs: net });
    expect([graph.isCreated("vpc-2"), graph.isCreated("vpc-1"), graph.isCreated(undefined)]).toEqual([true, false, false]);
  });

  test("that is checked as a new one after it was kept is replaced by force, and deleted last", () => {
    const { graph, check, keep } = graphed();
    keep(vpcs, "net", "vpc-1", net);
    const forced = check(vpcs, "net", net);
    expect(forced).toMatchObject({ operation: "replace", id: "vpc-1", deletesOld: "last" });
    expect([graph.willBeCreated(forced), graph.isReplaced(vpcs, "vpc-1"), graph.isRecreated(vpcs, "vpc-1")]).toEqual([true, true, false]);
    graph.creating.add(forced.urn);
    expect(graph.willBeCreated(forced)).toBe(false);
    graph.recordCreated(forced.urn, "vpc-2");
    expect(graph.get(forced.urn)).toMatchObject({ id: "vpc-2", deletesOld: undefined });
    expect([graph.isReplaced(vpcs, "vpc-1"), graph.isReplaced(vpcs, "vpc-2")]).toEqual([true, false]);
  });

  test("is deleted first as the option or the plan says, of which the option wins", () => {
    for (const [option, first, deletesOld] of [
      [undefined, true, "first"],
      [undefined, false, "last"],
      [false, true, "last"],
      [true, false, "first"],
    ] as const) {
      const { graph, check, diff } = graphed();
      check(vpcs, "net", net, net, option === undefined ? {} : { __first: option });
      expect(diff(vpcs, "net", "vpc-1", net, ["cidrBlock"], first)).toMatchObject({ operation: "replace", deletesOld });
      expect(graph.isRecreated(vpcs, "vpc-1")).toBe(deletesOld === "first");
      expect(graph.deleted.map(({ id }) => id)).toEqual(["vpc-1"]);
    }
  });

  test("that retainOnDelete keeps is not deleted, nor is one whose ID consists of inputs", () => {
    const { graph, check, diff } = graphed();
    check(vpcs, "net", net, net, { __kept: true });
    diff(vpcs, "net", "vpc-1", net, ["cidrBlock"]);
    check(blocks, "block", { vpcId: "vpc-1" }, { vpcId: "vpc-1" });
    diff(blocks, "block", "vpc-1", { vpcId: "vpc-1" }, ["vpcId"]);
    expect(graph.deleted).toEqual([]);
  });

  test("leaves the program with its deletion, unless it is created again", () => {
    const { graph, check, diff, keep } = graphed();
    keep(vpcs, "one", "vpc-1", net);
    check(vpcs, "two", net, net);
    diff(vpcs, "two", "vpc-2", net, ["cidrBlock"], true);
    for (const id of ["vpc-1", "vpc-2"]) graph.recordDelete(vpcs, id);
    expect(graph.all.map(({ id }) => id)).toEqual(["vpc-2"]);
    graph.add(undeclared(vpcs, urnOf(vpcs, "removed"), "vpc-3"));
    expect(graph.deleted.map(({ id }) => id)).toEqual(["vpc-2", "vpc-3"]);
  });

  test("that is kept, and compared or created, owns its ID for others; one that is only read does so, too", () => {
    const { graph, check, keep } = graphed();
    const owner = (id: string, name = "other") => graph.otherOwner(vpcs, id, urnOf(vpcs, name));
    check(vpcs, "net", net, net);
    expect(owner("vpc-1")).toBeUndefined();
    keep(vpcs, "net", "vpc-1", net);
    expect([owner("vpc-1"), owner("vpc-1", "net")]).toEqual([urnOf(vpcs, "net"), undefined]);
    graph.recordRead(vpcs, "vpc-3", "reader");
    expect([owner("vpc-3"), graph.isClaimed(vpcs, "vpc-3"), graph.isClaimed(subnets, "vpc-3")]).toEqual(["reader", true, false]);
  });
});

test("a resource that is compared with unknown values before it is declared is deleted with what they come from", () => {
  const { graph } = graphed();
  const olds = { ...nodes, __urn: urnOf(subnets, "nodes") };
  const news = { ...olds, vpcId: unknown };
  expect(graph.recordDiff(subnets, "subnet-1", olds, olds, { replaces: ["zone"] })).toBeUndefined();
  expect(graph.recordDiff(subnets, "subnet-1", olds, news, {})).toBeUndefined();
  expect(graph.hasProgram).toBe(false);
  expect(graph.recordDiff(subnets, "subnet-1", olds, news, { replaces: ["vpcId"] })).toMatchObject({
    operation: "replace",
    id: "subnet-1",
  });
  expect(graph.cascaded(subnets, "subnet-1")).toEqual({ urn: urnOf(subnets, "nodes"), causes: ["vpc-1"] });
  expect([graph.hasProgram, graph.all, graph.isRecreated(subnets, "subnet-1")]).toEqual([true, [], true]);
});

test("a dependency is found through others, and one of another package counts as any", () => {
  const { graph, check } = graphed();
  const [one, two, three] = [urnOf(vpcs, "one"), urnOf(vpcs, "two"), urnOf(vpcs, "three")];
  check(vpcs, "one", net);
  check(vpcs, "two", net, {}, { __after: [one] });
  check(subnets, "three", { ...nodes, vpcId: unknown }, {}, { __of: { vpcId: two } });
  const node = { urn: urnOf(subnets, "three") };
  expect([graph.dependsOn(node, one), graph.dependsOn({ urn: one }, two)]).toEqual([true, false]);
  check(vpcs, "one", net, {}, { __after: ["urn:of-another-package"] });
  expect(graph.dependsOn(node, three)).toBe(true);
  expect(graph.dependsOn({ urn: one }, two)).toBe(true);
});

test("references and contents are found by ID, or by the URN of an unknown one; what leaves is found no more", () => {
  const { graph, check, keep, get } = graphed();
  const names = (nodes: readonly { readonly urn: string }[]) => nodes.map(({ urn }) => urn.split("::").at(-1));
  const one = keep(vpcs, "net", "vpc-1", net);
  keep(subnets, "known", "subnet-1", nodes);
  check(subnets, "unknown", { ...nodes, vpcId: unknown }, {}, { __of: { vpcId: urnOf(vpcs, "net") } });
  keep(clusters, "platform", "cls-1", { vpcId: "vpc-1", subnetId: "subnet-1" });
  check(pools, "workers", { clusterId: "cls-1", native: {} });
  expect(names(one ? graph.referrers(one) : []).toSorted()).toEqual(["known", "platform", "unknown"]);
  expect(names(graph.contained("cls-1"))).toEqual(["workers"]);
  const unknownOne = get(subnets, "unknown");
  expect(unknownOne && graph.source(unknownOne, "vpcId")?.urn).toBe(urnOf(vpcs, "net"));
  const knownOne = get(subnets, "known");
  expect(knownOne && graph.source(knownOne, "vpcId")?.urn).toBe(urnOf(vpcs, "net"));
  keep(clusters, "platform", "cls-1", { vpcId: "vpc-2", subnetId: "subnet-1" });
  expect(names(one ? graph.referrers(one) : []).toSorted()).toEqual(["known", "unknown"]);
  graph.remove(urnOf(subnets, "known"));
  graph.remove(urnOf(pools, "workers"));
  expect([names(one ? graph.referrers(one) : []).toSorted(), graph.contained("cls-1")]).toEqual([["unknown"], []]);
});

describe("a rule about one program", () => {
  const rule = { oneOwner, uniqueInProgram, replaceable, noLiteralIdOfReplaced };
  const codes = (graph: ProgramGraph, name: keyof typeof rule, kind: Kind, of: string) => {
    const node = graph.get(urnOf(kind, of));
    return node ? [rule[name](graph, node) ?? []].flat().map(({ code }) => code) : ["not found"];
  };

  test("one ID has one owner, unless the other one is replaced and leaves it", () => {
    const { graph, check, diff, keep } = graphed();
    keep(vpcs, "net", "vpc-1", net);
    check(vpcs, "taker", net, {}, { __adopt: "vpc-1" });
    expect(codes(graph, "oneOwner", vpcs, "taker")).toEqual(["Conflict"]);
    keep(blocks, "left", "vpc-1", { vpcId: "vpc-1" });
    check(blocks, "taker", { vpcId: "vpc-1" });
    expect([codes(graph, "oneOwner", blocks, "taker"), codes(graph, "oneOwner", blocks, "left")]).toEqual([["Conflict"], ["Conflict"]]);
    // It moves to another VPC.
    check(blocks, "left", { vpcId: "vpc-2" }, { vpcId: "vpc-1" });
    diff(blocks, "left", "vpc-1", { vpcId: "vpc-2" }, ["vpcId"]);
    expect([codes(graph, "oneOwner", blocks, "taker"), codes(graph, "oneOwner", blocks, "left")]).toEqual([[], []]);
  });

  test("a unique value is compared if it is new, and the resource is not imported", () => {
    const { graph, check, keep } = graphed();
    keep(vpcs, "one", "vpc-1", net);
    keep(vpcs, "two", "vpc-2", { ...net, cidrBlock: "10.0.0.0/17" });
    expect(codes(graph, "uniqueInProgram", vpcs, "two")).toEqual([]);
    check(vpcs, "imported", net, {}, { __adopt: "vpc-9" });
    expect([codes(graph, "uniqueInProgram", vpcs, "imported"), codes(graph, "uniqueInProgram", vpcs, "one")]).toEqual([[], []]);
    check(vpcs, "three", { ...net, cidrBlock: "10.0.128.0/17" });
    expect([codes(graph, "uniqueInProgram", vpcs, "three"), codes(graph, "uniqueInProgram", vpcs, "one")]).toEqual([
      ["Conflict"],
      ["Conflict"],
    ]);
    expect(codes(graph, "uniqueInProgram", vpcs, "two")).toEqual([]);
  });

  test("an unchanged resource comes first, also if it depends on the new one", () => {
    const [pods, services] = [{ clusterCidr: "172.16.0.0/16" }, { clusterCidr: "172.20.0.0/16", serviceCidr: "172.16.0.0/20" }];
    for (const dependency of ["", urnOf(clusters, "new")]) {
      const { graph, check, keep } = graphed();
      check(clusters, "new", { vpcId: "vpc-1", ...pods });
      keep(clusters, "old", "cls-1", { vpcId: "vpc-1", ...services }, { __after: [dependency] });
      expect([codes(graph, "uniqueInProgram", clusters, "old"), codes(graph, "uniqueInProgram", clusters, "new")]).toEqual([[], []]);
      // A new one would come second.
      check(clusters, "later", { vpcId: "vpc-1", ...services, clusterCidr: "172.24.0.0/16" }, {}, { __after: [dependency] });
      expect(codes(graph, "uniqueInProgram", clusters, "later")).toContain("Conflict");
    }
  });

  test("a replacement that cannot coexist is refused with retainOnDelete, or forced without deleteBeforeReplace", () => {
    const replaced = (options: Props, isForced: boolean, cidrBlock = net.cidrBlock) => {
      const { graph, check } = graphed();
      check(vpcs, "net", { ...net, cidrBlock }, net, options);
      const named = { ...net, __urn: urnOf(vpcs, "net") };
      graph.recordDiff(vpcs, "vpc-1", named, { ...named, cidrBlock }, { replaces: ["cidrBlock"] });
      if (isForced) check(vpcs, "net", { ...net, cidrBlock }, {}, options);
      return codes(graph, "replaceable", vpcs, "net");
    };
    expect(replaced({ __kept: true }, false)).toEqual(["CannotChange"]);
    expect(replaced({ __kept: true }, false, "10.8.0.0/16")).toEqual([]);
    expect(replaced({ __first: false }, true)).toEqual(["CannotChange"]);
    expect([replaced({ __first: false }, false), replaced({}, true)]).toEqual([[], []]);
  });

  test("a literal ID of a replaced resource is stale", () => {
    const { graph, check, diff } = graphed();
    check(vpcs, "net", net, net);
    check(subnets, "nodes", nodes);
    expect(codes(graph, "noLiteralIdOfReplaced", subnets, "nodes")).toEqual([]);
    diff(vpcs, "net", "vpc-1", net, ["cidrBlock"]);
    expect(codes(graph, "noLiteralIdOfReplaced", subnets, "nodes")).toEqual(["StaleReference"]);
  });
});
