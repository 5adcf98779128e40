import { afterAll, expect, test } from "vitest";
import { killedInCreation, said, takenOver } from "./killed.ts";
import { Stage } from "./stage.ts";
import { keyedCreations } from "./tables/creations.ts";

/** What takes no tags, and is there once at most: the journal tells whose it is, and what somebody else has made is left alone. */

const stage = await Stage.open();
afterAll(() => stage[Symbol.asyncDispose]());
const creations = await keyedCreations(stage);

const strange =
  /^creating (?:Ipv6Block: VPC (vpc-\w+) has|ClusterEndpoint: cluster (cls-\w+) has|UserPermission: (\d+) has) .+\. It was there before: to take it over, add \{ import: "(\1|\2\/public|\3\/.+)" \} to this resource's options$/;

test.each(creations)("$type: killed between the deed and the answer: the next up takes it over, and says so", async (one) => {
  await killedInCreation(stage, one);
  await using again = stage.deployment(one.type);
  const told = await said(stage, "info", async () => {
    expect(await stage.writes(() => again.up(one.args))).toEqual([]);
  });
  expect(told).toEqual([takenOver(again.id)]);
  expect(await one.count()).toBe(1);
  await again.refresh();
  expect(await again.preview(one.args)).toBe("nothing");
  await stage.host.restart("SIGINT");
});

test.each(creations)("$type: not saved, a creation takes it over; once it is saved, no creation does", async (one) => {
  await stage.deployment(one.type).up(one.args);
  await stage.host.restart("SIGKILL");
  await using saved = stage.deployment(one.type);
  expect(await stage.writes(() => saved.up(one.args))).toEqual([]);
  await stage.host.restart("SIGINT");
  await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow(strange);
});

test.each(creations)("$type: one that the engine asks about is saved, whoever was killed", async (one) => {
  await using saved = stage.deployment(one.type);
  await saved.up(one.args);
  await stage.host.restart("SIGKILL");
  expect(await saved.preview(one.args)).toBe("nothing");
  await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow(strange);
});

test.each(creations)(
  "$type: one that somebody else has made: the error says how to import it, also after a creation that was refused",
  async (one) => {
    stage.faults.add({ operation: { action: one.operation.action }, when: "before", code: "InvalidParameter", reason: "not this one" });
    await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow("not this one");
    await one.byHand();
    await stage.host.restart();
    const writes = await stage.writes(() => expect(stage.deployment(one.type).up(one.args)).rejects.toThrow(strange));
    // The platform refuses it, or is not even asked.
    expect(writes.filter((call) => !call.includes(":"))).toEqual([]);
    expect(await one.count()).toBe(1);
    await one.undo();
    await stage.host.restart();
  },
);

test.each(creations)("$type: the answer was lost: it is found all the same, and the next up goes on with it", async (one) => {
  await using thing = stage.deployment(one.type);
  stage.faults.add({ operation: { action: one.operation.action }, when: "after", code: "FailedOperation" });
  await expect(thing.up(one.args)).rejects.toThrow("FailedOperation");
  expect(await one.count()).toBe(1);
  expect(await thing.preview(one.args)).toBe("update");
  expect(await stage.writes(() => thing.up(one.args))).toEqual([]);
  await stage.host.restart("SIGINT");
});

test("a permission whose creation fails after it was given is kept in the state", async () => {
  const one = creations.find(({ type }) => type === "UserPermission");
  if (!one) throw new Error("there is no creation of UserPermission");
  await using thing = stage.deployment(one.type);
  // It is looked for, then the list is read, written, and read once more.
  stage.faults.add({ operation: { action: "DescribeUserPermissions" }, when: "before", code: "InvalidParameter", nth: 3 });
  await expect(thing.up(one.args)).rejects.toThrow("DescribeUserPermissions: InvalidParameter");
  expect(await one.count()).toBe(1);
  expect(await stage.writes(() => thing.up(one.args))).toEqual([]);
  await stage.host.restart("SIGINT");
});

test("nothing is left of all this", async () => {
  await stage.undoAll();
  expect(await stage.contents()).toEqual({});
  expect(stage.host.printed).toEqual([]);
});
