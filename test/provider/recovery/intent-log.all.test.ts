import { expect, test } from "vitest";
import { sharedStage } from "../stage/shared-stage.ts";
import type { KeyedCreation } from "../kinds/kind-cases.ts";
import { makePlace } from "../stage/place.ts";
import { keyedCreations, killedInCreation, linesShown, type OfKind, takeOverNote } from "./killed.ts";

/** Resources without tags that can exist only once: the intent log says whether this stack made them. Those of others are left alone. */

const stage = await sharedStage({ provider: "process" });
const creations = await keyedCreations(await makePlace(stage));

/** The platform's sentence, or the resource's own, and how to import what exists. */
const notOurs = ({ type, has, id }: OfKind<KeyedCreation>) =>
  new RegExp(
    `^creating ${type}: ${has} .+\\. It was there before: to take it over, add \\{ import: "${id}" \\} to this resource's options$`,
  );
/** The same, of what is found before anything is created. */
const isThere = ({ type, id }: OfKind<KeyedCreation>) =>
  new RegExp(`^${type} ${id} already exists, and this stack does not manage it\\. .+ add \\{ import: "${id}" \\} to the options$`);

test("a provider is killed before the answer to a creation: the next up takes the resource over, and says so", async () => {
  await killedInCreation(stage, ...creations);
  await using stack = new AsyncDisposableStack();
  for (const { type, args, count } of creations) {
    const again = stack.use(stage.deployment(type));
    const shown = await linesShown(stage, "info", async () => {
      expect(await stage.writes(() => again.up(args)), type).toEqual([]);
    });
    expect(shown, type).toEqual([takeOverNote(again.id)]);
    expect(await count(), type).toBe(1);
    await again.refresh();
    expect(await again.preview(args), type).toBe("nothing");
  }
  await stage.host.restart("SIGINT");
});

test("a creation takes over a resource that was not saved, and none that was saved", async () => {
  for (const { type, args } of creations) await stage.deployment(type).up(args);
  await stage.host.restart("SIGKILL");
  await using stack = new AsyncDisposableStack();
  for (const { type, args } of creations) {
    const saved = stack.use(stage.deployment(type));
    expect(await stage.writes(() => saved.up(args)), type).toEqual([]);
  }
  await stage.host.restart("SIGINT");
  for (const one of creations) await expect(stage.deployment(one.type).up(one.args), one.type).rejects.toThrow(isThere(one));
});

test("a resource that the engine asks about counts as saved, even if the provider was killed", async () => {
  await using stack = new AsyncDisposableStack();
  const saved = creations.map((one) => ({ one, resource: stack.use(stage.deployment(one.type)) }));
  for (const { one, resource } of saved) await resource.up(one.args);
  await stage.host.restart("SIGKILL");
  for (const { one, resource } of saved) {
    expect(await resource.preview(one.args), one.type).toBe("nothing");
    await expect(stage.deployment(one.type).up(one.args), one.type).rejects.toThrow(notOurs(one));
  }
});

test("of a resource that somebody else has made, the error says how to import it, also after a refused creation", async () => {
  for (const { type, args, operation, byHand } of creations) {
    stage.faults.add({ operation: { action: operation.action }, when: "before", code: "InvalidParameter", reason: "not this one" });
    await expect(stage.deployment(type).up(args), type).rejects.toThrow("not this one");
    await byHand();
  }
  await stage.host.restart();
  for (const one of creations) {
    const { type, args, count, undo } = one;
    expect(await stage.writes(() => expect(stage.deployment(type).up(args), type).rejects.toThrow(isThere(one))), type).toEqual([]);
    expect(await count(), type).toBe(1);
    await undo();
  }
  await stage.host.restart();
});

test("a resource whose answer was lost is found all the same, and the next up continues with it", async () => {
  await using stack = new AsyncDisposableStack();
  for (const { type, args, count, operation } of creations) {
    const resource = stack.use(stage.deployment(type));
    stage.faults.add({ operation: { action: operation.action }, when: "after", code: "FailedOperation" });
    await expect(resource.up(args), type).rejects.toThrow("FailedOperation");
    expect(await count(), type).toBe(1);
    expect(await resource.preview(args), type).toBe("update");
    expect(await stage.writes(() => resource.up(args)), type).toEqual([]);
  }
  await stage.host.restart("SIGINT");
});

test("a permission whose creation fails after it was given is kept in the state", async () => {
  const one = creations.find(({ type }) => type === "UserPermission");
  if (!one) throw new Error("there is no creation of UserPermission");
  await using resource = stage.deployment(one.type);
  // The provider looks for the permission, then reads the list, writes it, and reads it once more.
  stage.faults.add({ operation: { action: "DescribeUserPermissions" }, when: "before", code: "InvalidParameter", nth: 3 });
  await expect(resource.up(one.args)).rejects.toThrow("DescribeUserPermissions: InvalidParameter");
  expect(await one.count()).toBe(1);
  expect(await stage.writes(() => resource.up(one.args))).toEqual([]);
  await stage.host.restart("SIGINT");
});
