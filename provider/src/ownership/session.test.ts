import { expect, test } from "vitest";
import { undeclared } from "../program/program-graph.ts";
import { everyKind, kinds } from "../resources/kinds.ts";
import { unknown } from "../schema/values.ts";
import { explanation, type Orphan } from "./orphans.ts";
import { Session } from "./session.ts";

/** What an update remembers of its resources, and how it names orphans. */

const { kind: vpcs } = await kinds.Vpc();
const { kind: pools } = await kinds.NodePool();
const { kind: accounts } = await kinds.ServiceAccount();
const all = await everyKind();

const begun = () =>
  new Session(
    () => Promise.resolve(all),
    () => Promise.resolve(undefined),
    (type) => type,
  );

test("a resource failed validation until a check of it passes", () => {
  const session = begun();
  session.noteCheck("one", "one failed");
  session.noteCheck("two", "two failed");
  session.noteCheck("two");
  expect(session.failedCheck).toBe("one failed");
  session.noteCheck("one");
  expect(session.failedCheck).toBeUndefined();
});

test("a message is shown once about each resource", () => {
  const session = begun();
  expect([session.unsaid("a", ["x", "y"]), session.unsaid("a", ["y", "z"]), session.unsaid("b", ["x"])]).toEqual([
    ["x", "y"],
    ["z"],
    ["x"],
  ]);
});

test("a resource is in the state until it is deleted, and is known by the parts of its ID", () => {
  const session = begun();
  const { inState } = session;
  inState.note(pools, "cls-1/np-1");
  inState.note(vpcs, "vpc-1");
  const isVpc = (_: unknown, id: string) => id === "vpc-1";
  expect([inState.has(vpcs, "vpc-1"), inState.has(pools, "vpc-1"), inState.hasDeleted(isVpc)]).toEqual([true, false, false]);
  expect(["np-1", "cls-1", "vpc-1", "np", "cls-1/np-1"].map((part) => inState.hasIdPart(part))).toEqual([true, true, true, false, false]);
  session.graph.add({ ...undeclared(vpcs, "urn", "vpc-1"), operation: "keep" });
  session.noteDeletion(vpcs, "vpc-1", "urn");
  expect(session.graph.all).toEqual([]);
  expect([inState.has(vpcs, "vpc-1"), inState.hasDeleted(isVpc), inState.hasIdPart("vpc-1")]).toEqual([false, true, true]);
  session.noteDeletion(pools, "cls-1/np-1", "other");
  expect(session.firstChanged).toBe("urn");
});

test("a resource may have to be detached only while the ID that it names is unknown", () => {
  const holding = all.find(({ detach }) => detach !== undefined);
  if (!holding?.detach) throw new Error("no type can be detached");
  const { input } = holding.detach;
  const session = begun();
  session.noteHolder(holding, "x-1", { [input]: "a-1" }, { [input]: "a-2" });
  expect(session.holdersOf("a-1")).toEqual([]);
  session.noteHolder(holding, "x-1", { [input]: "a-1" }, { [input]: unknown });
  expect(session.holdersOf("a-1").map(([called]) => called)).toEqual([`${holding.type} x-1`]);
  expect(session.holdersOf("a-2")).toEqual([]);
});

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/container-platform:Vpc::net";
const create = { urn, token: "t", type: "Vpc", isRetained: false, inputs: {}, mark: undefined };
const orphan: Orphan = {
  kind: vpcs,
  id: "vpc-1",
  create: undefined,
  proof: "own",
  owner: "o",
  stack: "shop/prod",
  mark: "m",
  isPending: true,
};
const command = "npx container-platform-import --orphans --delete";

test.each<readonly [Partial<Orphan>, says: string]>([
  [{ proof: "proven", create }, `vpc-1 (Vpc "net"): delete it with \`${command}\``],
  [
    { proof: "own" },
    `vpc-1 (Vpc): delete it with \`${command} --id vpc-1\`; to keep it, add { import: "vpc-1" } to a resource of a program, or`,
  ],
  [{ proof: "own", kind: accounts, id: "a" }, "to keep it, remove the note from its description"],
  [{ proof: "keyed" }, `may have been saved since. If it is not needed, delete it with \`${command} --id vpc-1\``],
  [{ proof: "another stack" }, "has the ownership tags of stack prod of project shop. If that stack does not exist any more"],
  [{ proof: "foreign" }, "may belong to a stack of the same name in another backend. If it does not, and it is not needed, delete"],
  [{ proof: "unreadable" }, "vpc-1 (Vpc) may be in the state, which could not be read"],
])("an orphan is named with what to do: %#", (change, says) => {
  expect(explanation({ ...orphan, ...change })).toContain(says);
});
