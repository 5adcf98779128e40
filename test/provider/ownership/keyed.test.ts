import { afterEach, expect, test } from "vitest";
import { sharedStage } from "../stage/shared-stage.ts";
import type { KeyedCreation } from "../kinds/kind-cases.ts";
import { makePlace } from "../stage/place.ts";
import { keyedCreations, killedInCreation, linesShown, type OfKind, recoveryNote } from "./killed.ts";

/** Resources whose IDs consist of inputs: pending creates in the state prove that this stack created them. Others are not recovered. */

const stage = await sharedStage({ provider: "process" });
const creations = await keyedCreations(await makePlace(stage));
afterEach(() => {
  stage.host.saved.clearPendingCreates();
});

/** The error for an existing resource that the state does not record. */
const unmanaged = ({ type, id }: OfKind<KeyedCreation>) =>
  new RegExp(`^${type} ${id} already exists, and this stack does not manage it\\. .+ add \\{ import: "${id}" \\} to the options$`);

test("Pulumi is killed before the answer to a creation: the next up recovers the resource, and names the command that clears the state", async () => {
  await killedInCreation(stage, "SIGKILL", ...creations);
  await using stack = new AsyncDisposableStack();
  for (const { type, args, count } of creations) {
    const again = stack.use(stage.deployment(type));
    const shown = await linesShown(stage, "info", async () => {
      expect(await stage.writes(() => again.up(args)), type).toEqual([]);
    });
    expect(shown, type).toEqual([`${recoveryNote(again.id)}. Run \`pulumi refresh --clear-pending-creates\` after this update`]);
    expect(await count(), type).toBe(1);
    await again.refresh();
    expect(await again.preview(args), type).toBe("nothing");
  }
  await stage.host.restart("SIGINT");
  for (const { type, args } of creations)
    await expect(stage.deployment(type).up(args), type).rejects.toThrow("already exists. It is the same resource: a forced replacement");
});

test("only the provider is killed, which leaves no pending create: the next up fails and says how to import the resource", async () => {
  await killedInCreation(stage, "SIGTERM", ...creations);
  for (const one of creations) {
    await expect(stage.deployment(one.type).up(one.args), one.type).rejects.toThrow(unmanaged(one));
    await one.undo();
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
    expect(await stage.writes(() => expect(stage.deployment(type).up(args), type).rejects.toThrow(unmanaged(one))), type).toEqual([]);
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
  // The provider waits until the permission that this process deleted is gone and looks for it, then reads the list, writes it, and reads again.
  stage.faults.add({ operation: { action: "DescribeUserPermissions" }, when: "before", code: "InvalidParameter", nth: 4 });
  await expect(resource.up(one.args)).rejects.toThrow("DescribeUserPermissions: InvalidParameter");
  expect(await one.count()).toBe(1);
  expect(await stage.writes(() => resource.up(one.args))).toEqual([]);
  await stage.host.restart("SIGINT");
});
