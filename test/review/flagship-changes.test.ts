import { expect, test } from "vitest";
import type { Change } from "../../provider/src/review/report.ts";
import type { ChangeName } from "./flagship-changes.ts";
import { reviewed } from "./reviewed.ts";

interface Expected {
  readonly verdict: "safe" | "needs-approval" | "blocked";
  /** The input that causes it, or the resource that was removed from the program. */
  readonly cause: string;
  readonly along?: readonly string[];
  /** The resources that are changed in place because of it. */
  readonly touches?: readonly string[];
  readonly undo: "yes" | "partly" | "no";
}

const anotherRange: Expected = {
  verdict: "needs-approval",
  cause: "Vpc platform.cidrBlock",
  along: [
    "Cluster platform",
    "ClusterEndpoint internal",
    "ClusterEndpoint public",
    "Ipv6Block platform",
    "NatGateway platform",
    "NodePool workers",
    "RouteTable platform",
    "Subnet nodes-1",
    "Subnet nodes-2",
    "Subnet nodes-3",
    "UserPermission auditor-100000000003",
    "UserPermission developer-100000000002",
  ],
  touches: ["RegistryInstance platform", "SecurityGroup platform"],
  undo: "no",
};

/** How an experienced operator would judge each change to the flagship. */
const expected: Readonly<Record<ChangeName, Expected>> = {
  rename: { verdict: "safe", cause: "Cluster platform.clusterName", undo: "yes" },
  label: { verdict: "safe", cause: "NodePool workers.labels", undo: "yes" },
  whitelist: { verdict: "needs-approval", cause: "RegistryInstance platform.publicAccess", undo: "yes" },
  cidr: anotherRange,
  cidrOverlapping: anotherRange,
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

const called = (urns: readonly string[]): string[] => urns.map((urn) => urn.replace(/^.*:(\w+)::/, "$1 ")).toSorted();

const causesOf = ({ causes }: Change): string[] =>
  causes.map((cause) => (cause.property === undefined ? cause.called : `${cause.called}.${cause.property}`));

test.for(Object.entries(expected))(
  "the review of a change to the flagship: %s",
  ([name, { verdict, cause, along = [], touches = [], undo }]) => {
    const report = reviewed(name);
    const [first] = report.changes;
    expect(report.verdict).toBe(verdict);
    expect(first && causesOf(first)).toContain(cause);
    expect(called(first?.takesAlong ?? [])).toEqual(along);
    expect(called(first?.touches ?? [])).toEqual(touches);
    expect(first?.undo.possible).toBe(undo);
    // A change that is not safe has reasons, and no other has.
    expect(report.reasons.length > 0).toBe(verdict !== "safe");
    expect(report.reasons.every(({ called: whom }) => whom !== undefined && whom !== "")).toBe(true);
  },
);

test("a preview without changes has an empty review", () => {
  expect(reviewed("nothing")).toMatchObject({ verdict: "nothing", reasons: [], changes: [], unanalysed: [] });
});

test("a replacement whose old resource blocks the new one deletes it first", () => {
  const { moves, changes } = reviewed("cidrOverlapping");
  expect(changes.find(({ called: whom }) => whom === "Vpc platform")?.order).toBe("old one first");
  const order = moves.map(({ does, called: whom }) => `${does} ${whom}`);
  expect(order.indexOf("delete Cluster platform")).toBeLessThan(order.indexOf("delete Vpc platform"));
  expect(order.indexOf("delete Vpc platform")).toBeLessThan(order.indexOf("create Vpc platform"));
});
