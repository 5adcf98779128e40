import { modifyClusterTags } from "@container-platform/sdk/cluster";
import * as tag from "@container-platform/sdk/tag";
import { expect, test } from "vitest";
import { makeVpc } from "./outside.ts";
import { sharedStage } from "./shared-stage.ts";
import { killedInCreation, said, takenOver } from "./killed.ts";
import { taggedCreations } from "./tables/creations.ts";

/** What takes tags: whoever is killed in the middle of a creation, there is one thing in the end; what is saved is left alone. */

const stage = await sharedStage();
const creations = await taggedCreations(stage);
const bare = await makeVpc(stage, "10.7.0.0/16");

const ownerKey = "container-platform/owner";
const stateKey = "container-platform/state";

function creationOf(type: string) {
  const found = creations.find((one) => one.type === type);
  if (!found) throw new Error(`there is no creation of ${type}`);
  return found;
}

test("killed between the deed and the answer: the next up takes it over, and says so", async () => {
  const counted = await Promise.all(creations.map(async (one) => ({ ...one, before: await one.count() })));
  await killedInCreation(stage, ...creations);
  await using stack = new AsyncDisposableStack();
  for (const { type, args, count, before } of counted) {
    const again = stack.use(stage.deployment(type));
    const told = await said(stage, "info", async () => {
      expect(await stage.writes(() => again.up(args)), type).toEqual([]);
    });
    expect(told, type).toEqual([takenOver(again.id)]);
    expect(await count(), type).toBe(before + 1);
    expect(await again.preview(args), type).toBe("nothing");
    await again.refresh();
    expect(await again.preview(args), type).toBe("nothing");
  }
  await stage.host.restart("SIGINT");
});

test("not saved, a creation takes it over; once it is saved, a creation makes a second one", async () => {
  for (const { type, args } of creations) await stage.deployment(type).up(args);
  await stage.host.restart("SIGKILL");
  await using stack = new AsyncDisposableStack();
  const saved = creations.map((one) => ({ ...one, thing: stack.use(stage.deployment(one.type)) }));
  for (const { type, args, thing, tags } of saved) {
    expect(await stage.writes(() => thing.up(args)), type).toEqual([]);
    expect(await tags(thing.id), type).toMatchObject({ [stateKey]: "pending" });
  }
  await stage.host.restart("SIGINT");
  for (const { type, args, thing, tags, beside } of saved) {
    expect(await tags(thing.id), type).toMatchObject({ [stateKey]: "confirmed" });
    // A forced replacement: nothing is compared before.
    const forced = stack.use(stage.deployment(type));
    if (beside === true) {
      await forced.up(args);
      expect(forced.id, type).not.toBe(thing.id);
    } else await expect(forced.up(args), type).rejects.toThrow(beside);
  }
});

test("the provider's tags stay when others change, and no input shows them", async () => {
  await using stack = new AsyncDisposableStack();
  const things = creations.map((one) => ({ ...one, thing: stack.use(stage.deployment(one.type)) }));
  let state = "pending";
  for (const wished of [{ team: "a" }, { stage: "test", team: "b" }, undefined, { team: "c" }]) {
    for (const { type, args, thing, tags } of things) {
      await thing.up({ ...args, tags: wished });
      const { [ownerKey]: owner, ...others } = await tags(thing.id);
      expect(owner, type).toMatch(/^[0-9a-f]{12}$/);
      expect(others, type).toEqual({ ...wished, [stateKey]: state });
      await thing.refresh();
      expect(thing.state?.inputs["tags"], type).toEqual(wished);
      expect(JSON.stringify(thing.state), type).not.toContain(owner);
      expect(await thing.preview({ ...args, tags: wished }), type).toBe("nothing");
    }
    if (state === "pending") await stage.host.restart("SIGINT");
    state = "confirmed";
  }
});

test("tags that somebody puts on a thing before it is confirmed stay on it", async () => {
  const { args, tags } = creationOf("Cluster");
  await using thing = stage.deployment("Cluster");
  await thing.up({ ...args, tags: { team: "a" } });
  const made = await tags(thing.id);
  const more = Object.entries({ ...made, cost: "7" }).map(([key, value]) => ({ key, value }));
  await stage.cloud.call(modifyClusterTags, { clusterId: thing.id, tags: more });
  await stage.host.restart("SIGINT");
  expect(await tags(thing.id)).toEqual({ ...made, cost: "7", [stateKey]: "confirmed" });
});

test("the answer was lost: it is found all the same, and the next up goes on with it", async () => {
  // A process that has known a namespace of the same name would take the one that is made now for that one.
  await stage.host.restart();
  for (const { type, args, count, operation, tags } of creations) {
    const before = await count();
    await using thing = stage.deployment(type);
    stage.faults.add({ operation: { action: operation.action }, when: "after" });
    await expect(thing.up(args), type).rejects.toThrow("ConnectionLost");
    expect(await tags(thing.id), type).toMatchObject({ [stateKey]: "pending" });
    expect(await thing.preview(args), type).toBe("update");
    expect(await stage.writes(() => thing.up(args)), type).toEqual([]);
    expect(await count(), type).toBe(before + 1);
  }
  await stage.host.restart("SIGINT");
});

test("the answer was lost, and what was made could not be found at once: the next up takes it over", async () => {
  const { type, args, count, operation } = creationOf("SecurityGroup");
  const before = await count();
  await stage.host.restart();
  stage.faults.add({ operation: { action: operation.action }, when: "after" });
  stage.faults.add({ operation: tag.getResources, when: "before", code: "FailedOperation", nth: 2 });
  await using one = stage.deployment(type);
  await expect(one.up(args)).rejects.toThrow("ConnectionLost");
  expect(one.state).toBeUndefined();
  expect(await stage.writes(() => one.up(args))).toEqual([]);
  expect(await count()).toBe(before + 1);
  await stage.host.restart("SIGINT");
});

test("what has just been taken over is not deleted, and a warning says so", async () => {
  const { type, args } = creationOf("Vpc");
  await stage.deployment(type).up(args);
  await stage.host.restart("SIGKILL");
  const again = stage.deployment(type);
  await again.up(args);
  const { id, state } = again;
  const told = await said(stage, "warning", async () => {
    expect(await stage.calls(() => stage.host.delete(id, state?.outputs ?? {}))).toEqual([]);
  });
  expect(told).toEqual([`${id} was taken over in this same run and is therefore not deleted: run \`pulumi up\` again`]);
  await stage.host.restart("SIGINT");
  await again.destroy();
});

test("what was left behind and cannot become what is wished stays, and a warning names it", async () => {
  const lost = stage.deployment("Vpc");
  await lost.up({ cidrBlock: "10.1.0.0/16" });
  await stage.host.restart("SIGKILL");
  await using other = stage.deployment("Vpc");
  const told = await said(stage, "warning", async () => {
    expect(await stage.writes(() => other.up({ cidrBlock: "10.2.0.0/16" }))).toEqual(["CreateVpc"]);
  });
  expect(told).toEqual([
    `${lost.id} was made by a run that was ended before it could save it, and cannot be taken over, because cidrBlock cannot be changed on it: delete this Vpc if nobody needs it`,
  ]);
  await lost.destroy();
});

test("a cluster that is still being made is taken over, and waited for", async () => {
  stage.world.setPace("realistic");
  const one = creationOf("Cluster");
  await killedInCreation(stage, one);
  await using again = stage.deployment("Cluster");
  const seen = stage.host.lines.length;
  const writes = stage.writes(() => again.up(one.args));
  await expect.poll(() => stage.host.lines.slice(seen).map(({ message }) => message)).toContain("Creating");
  stage.world.advance(600_000);
  expect(await writes).toEqual([]);
  stage.world.setPace("instant");
  await stage.host.restart("SIGINT");
});

test("a run looks once for what was left, and confirms fifty things with a call; one that only looks writes nothing", async () => {
  const subnets = Array.from({ length: 60 }, (_, index) => stage.deployment("Subnet", `many-${index}`));
  const args = (index: number) => ({ vpcId: bare, cidrBlock: `10.7.${index}.0/24`, zone: "eu-frankfurt-1" });
  await stage.host.restart();
  const calls = await stage.calls(async () => {
    await Promise.all(subnets.map((one, index) => one.up(args(index))));
    await stage.host.restart("SIGINT");
  });
  const count = (action: string) => calls.filter((call) => call.action === action).length;
  expect([count("CreateSubnet"), count("GetResources"), count("AttachResourcesTag"), count("ModifyResourceTags")]).toEqual([60, 1, 2, 0]);

  const [first, second] = subnets;
  await first?.destroy();
  await first?.up(args(0));
  await stage.host.restart("SIGKILL");
  const looking = await stage.writes(async () => {
    await first?.refresh();
    expect(await first?.preview(args(0))).toBe("nothing");
    await stage.host.restart("SIGINT");
  });
  expect(looking).toEqual([]);
  // What a killed run has saved is confirmed by the next one that makes something.
  expect(await first?.preview(args(0))).toBe("nothing");
  await second?.destroy();
  await second?.up(args(1));
  await stage.host.restart("SIGINT");
  expect(await creationOf("Subnet").tags(first?.id ?? "")).toMatchObject({ [stateKey]: "confirmed" });
  await Promise.all(subnets.map((one) => one.destroy()));
});

test("who may not look for what was left is warned, once, and makes what is new", async () => {
  const denied = { when: "before", code: "UnauthorizedOperation.AccessMgmtNoAuth", reason: "no permission" } as const;
  stage.faults.add({ operation: tag.getResources, ...denied });
  await stage.host.restart();
  await using one = stage.deployment("SecurityGroup", "one");
  await using other = stage.deployment("SecurityGroup", "other");
  const told = await said(stage, "warning", async () => {
    await one.up({});
    await other.up({});
  });
  expect(told).toEqual([
    "what a killed run left behind cannot be found, and would be made a second time: no permission (GetResources: UnauthorizedOperation.AccessMgmtNoAuth)",
  ]);
  // The next run may look again.
  await stage.host.restart();
});
