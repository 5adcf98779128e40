import { describe, expect, test } from "vitest";
import type { Conflict, Node, NodeKind, Owner } from "../definition/invariants.ts";
import { kinds } from "../resources/kinds.ts";
import { cannotCoexist, conflictWithExisting, inUse, literalIdOfReplaced, sharedId } from "./messages.ts";
import { undeclared } from "./program-graph.ts";

/** What a message names, and the remedies that fit each case. */

const { kind } = await kinds.Vpc();
const urnOf = (name: string, types = "t:index:Vpc") => `urn:pulumi:dev::shop::${types}::${name}`;
type Change = Partial<Node<NodeKind>>;
const node = (name: string, change: Change = {}): Node<NodeKind> => ({
  ...undeclared(kind, urnOf(name), "vpc-1"),
  ...{ operation: "keep" },
  ...change,
});

describe("two resources manage one ID", () => {
  const created: Change = { id: undefined, operation: "create" };
  const alias = `If "new" is the new name of "old", remove "old" and add aliases: ["${urnOf("before")}"] to "new"`;

  test("the created one can take other values, or is the old one under a new name", () => {
    const says = sharedId([node("new", created), node("old", { stateUrn: urnOf("before") })], "vpc-1");
    expect(says.split("\n  - ")).toEqual([
      '"new" and "old" both manage vpc-1; only one resource can.',
      "Remove one of them from the program.",
      'Or change vpcId of "new".',
      `${alias}.`,
    ]);
  });

  test("an imported one has no other values", () => {
    const says = sharedId([node("old", { stateUrn: urnOf("before") }), node("new", { operation: "import" })], "vpc-1");
    expect(says).not.toContain("Or change");
    expect(says).toContain(alias);
    const replaced = sharedId([node("new", { id: "vpc-2", operation: "replace" }), node("old")], "vpc-1");
    expect(replaced).toContain('Or change vpcId of "new"');
    expect(replaced).not.toContain("is the new name of");
  });

  test("if both have it, one of them keeps it; those of one name are called by their URNs", () => {
    const twice = [node("net"), node("net", { urn: urnOf("net", "a:b:C$t:index:Vpc") })];
    expect(sharedId(twice, "vpc-1").split("\n  - ")).toEqual([
      `${twice[1]?.urn} and ${twice[0]?.urn} both manage vpc-1; only one resource can.`,
      "Remove one of them from the program (the other keeps it).",
    ]);
  });
});

const range: Conflict = {
  as: "range",
  in: undefined,
  by: "cidrBlock",
  value: "10.0.0.0/17",
  otherBy: "cidrBlock",
  otherValue: "10.0.0.0/16",
};
const equal: Conflict = { ...range, value: range.otherValue };
const fresh = node("new", { id: undefined, operation: "create" });
const toImport = 'add { import: "vpc-9" }';

describe("a value is taken by an existing resource", () => {
  const saying = (owner: Owner, one = fresh, conflict = equal, release?: Pick<Node<NodeKind>, "deletesOld">) =>
    conflictWithExisting(one, { id: "vpc-9", conflict }, owner, release);

  test.each<readonly [Owner, says: string]>([
    [{ is: "none" }, "10.0.0.0/16 overlaps cidrBlock 10.0.0.0/16 of vpc-9"],
    [{ is: "self" }, `with --target-replace, also pass --target-dependents. If the state does not record it, ${toImport} instead`],
    [
      { is: "moved", urn: urnOf("new"), token: "t:m:Vpc" },
      'as t:m:Vpc. To keep it, add aliases: [{ type: "t:m:Vpc" }] to its options. If it',
    ],
    [
      { is: "moved", urn: urnOf("new", "a:b:C$t:m:Vpc"), token: "t:m:Vpc" },
      'To keep it, use the option transforms of its parent to add aliases: [{ type: "t:m:Vpc" }] to its options',
    ],
    [{ is: "lost" }, `It is the same resource, but the state no longer records it. To manage it again, ${toImport} to its options`],
    [{ is: "lost", isOfOtherState: true }, `select that backend.\n  - Otherwise, ${toImport} to its options.`],
    [{ is: "missing" }, `it exists. To manage it again, ${toImport} to the options of the resource that had it`],
    [
      { is: "other provider", urn: urnOf("old") },
      'which "old" of another provider in this stack manages.\n  - To keep both, change cidrBlock of one',
    ],
    [{ is: "orphan" }, `--orphans --delete\`.\n  - To keep it as this resource, ${toImport} to the options.`],
    [{ is: "unmanaged" }, `Use a different cidrBlock, or import vpc-9: ${toImport} to the options`],
    [{ is: "stack", urn: urnOf("old") }, `If this is a new name or parent for "old", add aliases: ["${urnOf("old")}"] to the options.`],
    [
      { is: "stack" },
      'for that resource, add aliases: [{ name: "<its old name>" }] to the options.\n  - Run `pulumi up` without this resource first',
    ],
  ])("its owner: %j", (owner, says) => {
    expect(saying(owner)).toContain(says);
  });

  test("a resource with an ID cannot become the existing one, nor can one that only overlaps it", () => {
    expect(saying({ is: "unmanaged" }, node("old"))).not.toContain("{ import");
    expect(saying({ is: "unmanaged" }, fresh, range)).not.toContain("{ import");
    expect(saying({ is: "orphan" }, node("old"))).not.toContain("{ import");
    expect(saying({ is: "self", urn: urnOf("new") })).not.toContain("{ import");
    expect(conflictWithExisting(fresh, { id: "vpc-9", conflict: undefined }, { is: "unmanaged" })).toContain(
      "Vpc vpc-9 already exists, and this stack does not manage it. Change vpcId, or delete Vpc vpc-9 on the platform if it is not needed, or import vpc-9",
    );
  });

  test("what releases the value decides how to wait for that", () => {
    const [own, old] = [{ is: "stack", urn: urnOf("old") } as const, node("new", { operation: "keep" })];
    const first = saying(own, fresh, range, { deletesOld: "first" });
    expect(first).toContain('Or make this resource depend on "old" (dependsOn)');
    expect(first).not.toMatch(/deleteBeforeReplace|is a new name|To swap/);
    const last = saying(own, old, range, { deletesOld: "last" });
    expect(last).toContain('Or set deleteBeforeReplace: true on "old", and make this resource depend on it (dependsOn)');
    expect(last).toMatch(/without this change first[^]*To swap values between the two/);
    expect(last).not.toMatch(/Or make this resource depend|is a new name/);
  });
});

test("a replacement that cannot coexist with the old resource, and a reference to a replaced one", () => {
  expect(cannotCoexist("vpc-1", true)).toContain("vpc-1, which retainOnDelete keeps. Remove retainOnDelete and run");
  expect(cannotCoexist("vpc-1", false)).toBe(
    "the replacement cannot coexist with vpc-1. Remove deleteBeforeReplace: false from the options",
  );
  expect(literalIdOfReplaced("vpc-1", urnOf("net"), urnOf("sub"))).toContain('vpc-1 is "net", which is being replaced');
  expect(inUse("it", "uses vpc-1", true, true)).toMatch(/while the resource uses it, and which is being replaced$/);
  expect(inUse("they", "use vpc-1", false, false)).toMatch(/while these nodes exist$/);
});
