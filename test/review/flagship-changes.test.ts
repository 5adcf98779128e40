import { describe, expect, test } from "vitest";
import type { Change } from "../../provider/src/review/report.ts";
import type { ChangeName } from "./flagship-changes.ts";
import { shells } from "../support/shell.ts";
import { reviewed } from "./reviewed.ts";

interface Expected {
  readonly verdict: "safe" | "needs-approval" | "blocked";
  /** The input that causes it, or the resource that was removed from the program. */
  readonly cause: string;
  /** The resources that are replaced or deleted along with it. */
  readonly along?: readonly string[];
  /** The resources that are changed in place because of it. */
  readonly touches?: readonly string[];
  readonly undo: "yes" | "partly" | "no";
}

const everythingInTheVpc = [
  "Cluster platform",
  "ClusterEndpoint internal",
  "ClusterEndpoint public",
  "Ipv6Block platform",
  "NodePool workers",
  "Subnet nodes-1",
  "Subnet nodes-2",
  "Subnet nodes-3",
  "UserPermission auditor-100000000003",
  "UserPermission developer-100000000002",
];

/** How an experienced operator would judge each change to the flagship. */
const expected: Readonly<Record<ChangeName, Expected>> = {
  rename: { verdict: "safe", cause: "Cluster platform.clusterName", undo: "yes" },
  label: { verdict: "safe", cause: "NodePool workers.labels", undo: "yes" },
  whitelist: { verdict: "needs-approval", cause: "RegistryInstance platform.publicAccess", undo: "yes" },
  cidr: {
    verdict: "needs-approval",
    cause: "Vpc platform.cidrBlock",
    along: everythingInTheVpc,
    touches: ["RegistryInstance platform"],
    undo: "no",
  },
  cidrOverlapping: {
    verdict: "needs-approval",
    cause: "Vpc platform.cidrBlock",
    along: everythingInTheVpc,
    touches: ["RegistryInstance platform"],
    undo: "no",
  },
  versionUp: { verdict: "needs-approval", cause: "Cluster platform.clusterVersion", undo: "no" },
  versionDown: { verdict: "blocked", cause: "Cluster platform.clusterVersion", undo: "yes" },
  resize: { verdict: "safe", cause: "NodePool workers.native", undo: "yes" },
  endpointClosed: { verdict: "needs-approval", cause: "ClusterEndpoint public", undo: "partly" },
  protectionOff: { verdict: "needs-approval", cause: "Cluster platform.deletionProtection", undo: "yes" },
  tokenType: { verdict: "needs-approval", cause: "Token pull.tokenType", undo: "no" },
  permissionWidened: { verdict: "needs-approval", cause: "UserPermission auditor-100000000003.roleName", undo: "yes" },
  registryDeleted: { verdict: "needs-approval", cause: "RegistryInstance platform", along: ["Namespace team", "Token pull"], undo: "no" },
  // The registry stays. Only the named change is refused, and the VPC is not reported as protected.
  cidrWhileProtected: { verdict: "blocked", cause: "Vpc platform", undo: "yes" },
};

const called = (urns: readonly string[]): string[] =>
  urns
    .map((urn) =>
      urn
        .split("::")
        .slice(2)
        .join("::")
        .replace(/^.*:(\w+)::/, "$1 "),
    )
    .toSorted();

const causesOf = ({ causes }: Change): string[] =>
  causes.map((cause) => (cause.property === undefined ? cause.called : `${cause.called}.${cause.property}`));

describe.each(shells)("the review of a change to the flagship, of %s resources", (shell) => {
  test.for(Object.entries(expected))("%s", ([name, { verdict, cause, along = [], touches = [], undo }]) => {
    const report = reviewed(name, shell);
    const [first] = report.changes;
    expect(report.verdict).toBe(verdict);
    expect(first && causesOf(first)).toContain(cause);
    expect(called(first?.takesAlong ?? [])).toEqual(along);
    expect(called(first?.touches ?? [])).toEqual(touches);
    expect(first?.undo.possible).toBe(undo);
    // A change that is not safe has reasons, and no other has.
    expect(report.reasons.length > 0).toBe(verdict !== "safe");
    expect(report.reasons.every(({ called: whom }) => whom !== undefined && whom !== "")).toBe(true);
  });

  test("a first deployment is safe but for what it opens on the internet", () => {
    const report = reviewed("first", shell);
    expect(report.verdict).toBe("needs-approval");
    expect(report.reasons.map(({ code, called: whom, property }) => [code, whom, property])).toEqual([
      ["access-opened", "RegistryInstance platform", "publicAccess"],
      ["access-opened", "ClusterEndpoint public", "allowedCidrBlocks"],
    ]);
    expect(report.quotas.map(({ limit, after }) => [limit, after])).toEqual([[20, 1]]);
  });

  test("a preview without changes has an empty review", () => {
    expect(reviewed("nothing", shell)).toMatchObject({ verdict: "nothing", reasons: [], changes: [], unanalysed: [] });
  });

  test("a replacement whose old resource is in the way deletes it first", () => {
    const { moves, changes } = reviewed("cidrOverlapping", shell);
    expect(changes.find(({ called: whom }) => whom === "Vpc platform")?.order).toBe("old one first");
    const order = moves.map(({ does, called: whom }) => `${does} ${whom}`);
    expect(order.indexOf("delete Cluster platform")).toBeLessThan(order.indexOf("delete Vpc platform"));
    expect(order.indexOf("delete Vpc platform")).toBeLessThan(order.indexOf("create Vpc platform"));
  });

  test("other replacements delete the old resources after the new ones are made", () => {
    const { moves, changes } = reviewed("cidr", shell);
    expect(changes.filter(({ operation }) => operation === "replace").map(({ order }) => order)).toEqual(Array(11).fill("new one first"));
    const order = moves.map(({ does, called: whom }) => `${does} ${whom}`);
    expect(order.indexOf("create Vpc platform")).toBeLessThan(order.indexOf("create Cluster platform"));
    expect(order.indexOf("create Cluster platform")).toBeLessThan(order.indexOf("delete Cluster platform"));
    expect(order.indexOf("delete Cluster platform")).toBeLessThan(order.indexOf("delete Vpc platform"));
  });
});

// The classes that stand here for a generated SDK are no package: the engine takes their file for the program's.
test("each change has the file and line of the program that declares the resource", () => {
  expect(reviewed("permissionWidened").changes.map(({ source }) => source?.file)).toEqual(["platform/registry.ts"]);
  const [network, cluster, registry] = ["network", "cluster", "registry"].map((name) => `platform/${name}.ts`);
  expect(Object.fromEntries(reviewed("cidr").changes.map(({ called: whom, source }) => [whom, source?.file]))).toEqual({
    "Vpc platform": network,
    "Ipv6Block platform": network,
    "Subnet nodes-1": network,
    "Subnet nodes-2": network,
    "Subnet nodes-3": network,
    "Cluster platform": cluster,
    "NodePool workers": cluster,
    "ClusterEndpoint public": cluster,
    "ClusterEndpoint internal": cluster,
    "RegistryInstance platform": registry,
    "UserPermission developer-100000000002": registry,
    "UserPermission auditor-100000000003": registry,
  });
  expect(reviewed("cidr").changes.filter(({ source }) => (source?.line ?? 0) < 1)).toEqual([]);
});
