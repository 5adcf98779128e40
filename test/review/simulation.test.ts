import { describe, expect, test } from "vitest";
import { unknown } from "../support/structs.ts";
import { creation, deletion, type Step, unchanged, urnOf } from "./previews.ts";
import { collisionsIn, reviewOfSteps } from "./reviewed.ts";

/** The steps of a plan, carried out on paper: what would fail is blocked, with the step. */

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
