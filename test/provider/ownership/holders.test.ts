import { expect } from "vitest";
import { makeNamespace, makeRegistry } from "../stage/outside.ts";
import { makePlace } from "../stage/place.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { keyedCreations, linesShown, taggedCreations } from "./killed.ts";
import { dynamicTest as test } from "../../support/shell.ts";

/** Two resources that manage one ID, in the provider's process, for each kind: a deletion of one does not delete the other's resource. */

const stage = await sharedStage({ provider: "process" });
/** A world of its own, as both have a network of the same range. */
const keyed = await sharedStage({ provider: "process" });
const registryId = await makeRegistry(stage, "laws-once");
await makeNamespace(stage, registryId, "build");
const permissions = [{ resource: "build", actions: ["reg:PullRepository"] }];
const account = { registryId, name: "ci", permissions };
const cases = [
  { kinds: "kinds with tags", on: stage, hasTags: true, creations: taggedCreations(await makePlace(stage)) },
  { kinds: "kinds whose IDs consist of inputs", on: keyed, hasTags: false, creations: await keyedCreations(await makePlace(keyed)) },
  {
    kinds: "kinds with a note",
    on: stage,
    hasTags: false,
    creations: [
      { type: "Token", args: { registryId } },
      { type: "ServiceAccount", args: account },
    ],
  },
];

test.each(cases)(
  "$kinds: a preview with two for one ID fails, and an update that declares the one that imported it does not delete it",
  async ({ on, hasTags, creations }) => {
    const pairs = creations.map(({ type, args }) => ({ type, args, first: on.deployment(type, "first") }));
    for (const { args, first } of pairs) await first.up(args);
    const held = pairs.map((pair) => ({
      ...pair,
      id: pair.first.id,
      second: on.deployment(pair.type, "second", { __adopt: pair.first.id }),
    }));
    const both = (id: string) => `"first" and "second" both manage ${id}; only one resource can`;

    await on.host.restart("SIGINT");
    for (const { type, args, first, second, id } of held) {
      expect(await first.preview(args), type).toBe("nothing");
      await expect(second.preview(args), type).rejects.toThrow(both(id));
    }
    await on.host.restart("SIGINT");
    for (const { type, args, first, second, id } of held) {
      expect(await second.preview(args), type).toBe("create");
      await expect(first.preview(args), type).rejects.toThrow(both(id));
    }

    await on.host.restart("SIGINT");
    for (const { args, second } of held) await second.up(args);
    await on.host.restart("SIGINT");
    for (const { type, args, first, second, id } of held) {
      expect(await second.preview(args), type).toBe("nothing");
      const shown = await linesShown(on, "warning", async () => {
        expect(await on.writes(() => on.host.delete(id, first.state?.outputs ?? {})), type).toEqual([]);
      });
      expect(shown, type).toEqual([`${id} was not deleted: "second" in this program manages it as well [Provider.OtherOwner]`]);
    }
    await on.host.restart("SIGINT");
    // The owner tag protects it also from an update that does not declare the other one.
    for (const { type, first, id } of hasTags ? held : []) {
      const shown = await linesShown(on, "warning", async () => {
        expect(await on.writes(() => first.destroy()), type).toEqual([]);
      });
      expect(shown, type).toEqual([
        `${id} was removed from the state but not deleted on the platform: its tag container-platform/owner names ${type} "second" of this stack. If it is not needed, delete it there [Provider.OtherOwner]`,
      ]);
    }
    for (const { type, second } of held) {
      expect(await second.refresh(), type).toBe(true);
      await second.destroy();
    }
  },
);

test("an orphan that another resource has imported is not deleted by a creation", async () => {
  const first = stage.deployment("ServiceAccount", "first");
  await first.up(account);
  await stage.host.restart("SIGKILL");
  await using second = stage.deployment("ServiceAccount", "second", { __adopt: first.id });
  await second.up(account);
  await stage.host.restart("SIGINT");
  const again = stage.deployment("ServiceAccount", "first");
  expect(await stage.writes(() => expect(again.up(account)).rejects.toThrow("already exists"))).toEqual([]);
  await stage.host.restart("SIGINT");
});
