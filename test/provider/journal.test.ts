import { expect, test } from "vitest";
import { killedInCreation, said, takenOver } from "./killed.ts";
import { sharedStage } from "./shared-stage.ts";
import { type KeyedCreation, keyedCreations } from "./tables/creations.ts";

/** What takes no tags, and is there once at most: the journal tells whose it is, and what somebody else has made is left alone. */

const stage = await sharedStage();
const creations = await keyedCreations(stage);

/** The platform's sentence, or the resource's own, and how to import what is there. */
const strange = ({ type, has, id }: KeyedCreation) =>
  new RegExp(
    `^creating ${type}: ${has} .+\\. It was there before: to take it over, add \\{ import: "${id}" \\} to this resource's options$`,
  );

test("killed between the deed and the answer: the next up takes it over, and says so", async () => {
  await killedInCreation(stage, ...creations);
  await using stack = new AsyncDisposableStack();
  for (const { type, args, count } of creations) {
    const again = stack.use(stage.deployment(type));
    const told = await said(stage, "info", async () => {
      expect(await stage.writes(() => again.up(args)), type).toEqual([]);
    });
    expect(told, type).toEqual([takenOver(again.id)]);
    expect(await count(), type).toBe(1);
    await again.refresh();
    expect(await again.preview(args), type).toBe("nothing");
  }
  await stage.host.restart("SIGINT");
});

test("not saved, a creation takes it over; once it is saved, no creation does", async () => {
  for (const { type, args } of creations) await stage.deployment(type).up(args);
  await stage.host.restart("SIGKILL");
  await using stack = new AsyncDisposableStack();
  for (const { type, args } of creations) {
    const saved = stack.use(stage.deployment(type));
    expect(await stage.writes(() => saved.up(args)), type).toEqual([]);
  }
  await stage.host.restart("SIGINT");
  for (const one of creations) await expect(stage.deployment(one.type).up(one.args), one.type).rejects.toThrow(strange(one));
});

test("one that the engine asks about is saved, whoever was killed", async () => {
  await using stack = new AsyncDisposableStack();
  const saved = creations.map((one) => ({ one, thing: stack.use(stage.deployment(one.type)) }));
  for (const { one, thing } of saved) await thing.up(one.args);
  await stage.host.restart("SIGKILL");
  for (const { one, thing } of saved) {
    expect(await thing.preview(one.args), one.type).toBe("nothing");
    await expect(stage.deployment(one.type).up(one.args), one.type).rejects.toThrow(strange(one));
  }
});

test("one that somebody else has made: the error says how to import it, also after a creation that was refused", async () => {
  for (const { type, args, operation, byHand } of creations) {
    stage.faults.add({ operation: { action: operation.action }, when: "before", code: "InvalidParameter", reason: "not this one" });
    await expect(stage.deployment(type).up(args), type).rejects.toThrow("not this one");
    await byHand();
  }
  await stage.host.restart();
  for (const one of creations) {
    const { type, args, count, undo } = one;
    const writes = await stage.writes(() => expect(stage.deployment(type).up(args), type).rejects.toThrow(strange(one)));
    // The platform refuses it, or is not even asked.
    expect(
      writes.filter((call) => !call.includes(":")),
      type,
    ).toEqual([]);
    expect(await count(), type).toBe(1);
    await undo();
  }
  await stage.host.restart();
});

test("the answer was lost: it is found all the same, and the next up goes on with it", async () => {
  await using stack = new AsyncDisposableStack();
  for (const { type, args, count, operation } of creations) {
    const thing = stack.use(stage.deployment(type));
    stage.faults.add({ operation: { action: operation.action }, when: "after", code: "FailedOperation" });
    await expect(thing.up(args), type).rejects.toThrow("FailedOperation");
    expect(await count(), type).toBe(1);
    expect(await thing.preview(args), type).toBe("update");
    expect(await stage.writes(() => thing.up(args)), type).toEqual([]);
  }
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
