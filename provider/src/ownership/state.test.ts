import { describe, expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { stateIn } from "../runtime/stack-export.ts";
import { isComponent, kindOfToken } from "../runtime/tokens.ts";
import type { Home } from "../schema/private-state.ts";
import { isEmbedded, keyedCreates, proofOf, savedUnder, type StackState, StateReader } from "./state.ts";
import { markOfProvider, ownerOf } from "./tags.ts";

/** What a state proves about resources on the platform. */

const [{ kind: vpcs }, { kind: blocks }, { kind: subnets }] = await Promise.all([kinds.Vpc(), kinds.Ipv6Block(), kinds.Subnet()]);

const of = (types: string, name = "net") => `urn:pulumi:dev::shop::${types}::${name}`;
const token = (type: string) => `pulumi-nodejs:dynamic/container-platform:${type}`;
const provider = of("pulumi:providers:pulumi-nodejs", "default");
const other = of("pulumi:providers:container-platform", "far");
const home: Home = { endpoint: "local:/a/world.db", region: "eu-frankfurt", account: "1" };

const vpc = {
  ...{ urn: of(token("Vpc")), type: token("Vpc"), id: "vpc-1", provider: `${provider}::p1`, parent: of("pulumi:pulumi:Stack", "shop") },
  ...{ dependencies: [of("other:index:Thing")], retainOnDelete: true, outputs: { __home: home, __urn: of(token("Vpc"), "before") } },
};
const subnet = {
  urn: of("container-platform:index:Subnet"),
  type: "container-platform:index:Subnet",
  id: "subnet-1",
  provider: `${other}::p2`,
};
const text = (deployment: unknown) => JSON.stringify({ version: 3, deployment });
const state = stateIn(
  text({
    resources: [
      { urn: provider, type: "pulumi:providers:pulumi-nodejs", id: "p1" },
      ...[vpc, subnet, { urn: of("container-platform:index:Network"), type: "container-platform:index:Network" }],
      { urn: of("aws:index:Vpc"), type: "aws:index:Vpc", id: "vpc-1", provider: `${of("pulumi:providers:aws", "default")}::p3` },
      { ...vpc, urn: of(token("Vpc"), "unborn"), id: undefined },
    ],
    pending_operations: [
      { type: "creating", resource: { ...subnet, urn: of("container-platform:index:Subnet", "new"), inputs: { vpcId: "vpc-1" } } },
      { type: "deleting", resource: vpc },
      { type: "creating", resource: { urn: of("aws:index:Vpc", "new"), type: "aws:index:Vpc" } },
    ],
  }),
);

describe("the output of `pulumi stack export`", () => {
  test("has the resources of both packages that have an ID, by the URN of the dynamic one", () => {
    const names = { urn: vpc.urn, savedAs: vpc.urn, outputUrn: of(token("Vpc"), "before"), token: vpc.type, type: "Vpc" };
    expect(state.resources).toEqual([
      { ...names, id: "vpc-1", home, provider: undefined, isRetained: true },
      {
        ...{ urn: of(token("Subnet")), savedAs: subnet.urn, outputUrn: "", token: subnet.type, type: "Subnet", id: "subnet-1" },
        ...{ home: undefined, provider: "far", isRetained: false },
      },
    ]);
  });

  test("has the pending creates of both packages, the marks of their providers, and all dependencies", () => {
    expect(state.pendingCreates).toMatchObject([
      { urn: of(token("Subnet"), "new"), type: "Subnet", inputs: { vpcId: "vpc-1" }, mark: markOfProvider("p2"), isRetained: false },
    ]);
    expect(state.pendingCreates).toHaveLength(1);
    expect(state.marks).toEqual([
      { provider: undefined, mark: markOfProvider("p1") },
      { provider: "far", mark: markOfProvider("p2") },
    ]);
    expect(state.dependencies.get(vpc.urn)).toEqual([...vpc.dependencies, vpc.parent]);
  });

  test("has components of the same package, which are no resources", () => {
    const tokens = ["container-platform:index:Vpc", token("Vpc"), "container-platform:index:Network", "aws:index:Vpc"];
    expect(tokens.map(kindOfToken)).toEqual(["Vpc", "Vpc", undefined, undefined]);
    expect([of("container-platform:index:Network"), subnet.urn, vpc.urn].map(isComponent)).toEqual([true, false, false]);
  });

  test("has no deployment before the first update", () => {
    const empty = { resources: [], pendingCreates: [], marks: [], dependencies: new Map() };
    for (const deployment of [null, undefined, {}]) expect(stateIn(text(deployment))).toEqual(empty);
  });
});

test("an ID is recorded for its type and its target; the emulator's endpoint has several names", () => {
  const at = (change: Partial<Home>, kind = vpcs) => savedUnder(state, kind, "vpc-1", { ...home, ...change }).length;
  expect([at({}), at({ endpoint: "local:/a/../a/world.db" }), at({}, subnets)]).toEqual([1, 1, 0]);
  expect([at({ region: "na-ashburn" }), at({ account: "2" }), at({ endpoint: "local:/b/world.db" })]).toEqual([0, 0, 0]);
  // States of early versions do not record the target.
  expect(savedUnder(state, subnets, "subnet-1", home)).toHaveLength(1);
  expect([isEmbedded(home), isEmbedded({ ...home, endpoint: "https://a" })]).toEqual([true, false]);
});

describe("a pending create", () => {
  const urn = of(token("Vpc"));
  const create = { urn, token: token("Vpc"), type: "Vpc", isRetained: false, inputs: {}, mark: "01234567" };
  const having = (...pendingCreates: StackState["pendingCreates"]): StackState => ({
    ...{ resources: [], dependencies: new Map(), marks: [{ provider: undefined, mark: "01234567" }], pendingCreates },
  });
  const mine = { owner: ownerOf(urn), mark: "01234567" };

  test("proves a resource with its owner and its mark, unless it may have been retained", () => {
    expect(proofOf(mine, having(create))).toBe("proven");
    expect([proofOf(mine, having(create), 2), proofOf(mine, having(create, create), 2)]).toEqual(["own", "proven"]);
    expect(proofOf(mine, having(create, { ...create, isRetained: true }))).toBe("own");
    expect(proofOf(mine, having({ ...create, urn: of(token("Vpc"), "other") }))).toBe("own");
    expect(proofOf({ ...mine, mark: undefined }, having({ ...create, mark: undefined }))).toBe("own");
    expect(proofOf({ ...mine, mark: "89abcdef" }, having(create))).toBe("foreign");
    expect(proofOf(mine, undefined)).toBe("unreadable");
  });

  test("counts for an ID of inputs under its own URN and type in the state", () => {
    const block = { ...create, type: "Ipv6Block", inputs: { vpcId: "vpc-1" } };
    const count = (of: string, type: string, id: string) => keyedCreates(having(block, block), blocks, of, type, id);
    expect(count(urn, block.token, "vpc-1")).toBe(2);
    expect([count(urn, block.token, "vpc-2"), count("other", block.token, "vpc-1"), count(urn, "other", "vpc-1")]).toEqual([0, 0, 0]);
  });

  test("is of an earlier update, unless this one has begun to create the resource", async () => {
    const begun = (creating: readonly string[], ...creates: StackState["pendingCreates"]) =>
      new StateReader(() => Promise.resolve(having(...creates)), new Set(creating)).wasBegun(urn, create.token);
    expect([await begun([], create), await begun([urn], create, create)]).toEqual([true, true]);
    expect([await begun([]), await begun([urn], create), await begun([urn])]).toEqual([false, false, false]);
    expect(await begun([], { ...create, token: "other" })).toBe(false);
  });
});

describe("the reader of the state", () => {
  const reading = (states: Readonly<Record<string, StackState | undefined>>) => {
    const asked: string[] = [];
    const reader = new StateReader((urn = "selected") => {
      asked.push(urn);
      return Promise.resolve(states[urn]);
    }, new Set());
    return { reader, asked };
  };

  test("finds an ID in the state of the URN, or else of the selected stack, and reads the first one once", async () => {
    const empty = { ...state, resources: [] };
    const { reader, asked } = reading({ urn: empty, selected: state });
    expect(await reader.having(vpcs, "vpc-1", "urn")).toBe(state);
    expect(await reader.having(vpcs, "vpc-2", "urn")).toBeUndefined();
    expect(await reader.having(vpcs, "subnet-1", "urn")).toBeUndefined();
    expect(asked).toEqual(["urn", "selected", "selected", "selected"]);
  });

  test("knows the mark of its own provider, and warns once if the state cannot be read", async () => {
    const { reader } = reading({ urn: state });
    const warned: string[] = [];
    const warn = ({ message }: { readonly message: string }) => void warned.push(message);
    reader.provider = "far";
    expect(await reader.mark("urn", warn)).toBe(markOfProvider("p2"));
    reader.provider = "none";
    expect(await reader.mark("urn", warn)).toBeUndefined();
    reader.providerId = "p9";
    expect(await reader.mark("urn", warn)).toBe(markOfProvider("p9"));
    expect(warned).toEqual([]);
    const { reader: blind } = reading({});
    expect([await blind.mark("urn", warn), await blind.mark("urn", warn)]).toEqual([undefined, undefined]);
    expect(warned).toEqual([expect.stringContaining("could not read this stack's state (`pulumi stack export` failed)")]);
  });
});
