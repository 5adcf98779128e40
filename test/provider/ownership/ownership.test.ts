import { hash } from "node:crypto";
import { createCluster, modifyClusterTags } from "@container-platform/sdk/cluster";
import { clusterFinder } from "@container-platform/sdk/finders/cluster";
import * as tag from "@container-platform/sdk/tag";
import { expect, test } from "vitest";
import { deleteOrphan } from "../../../provider/src/import/orphans.ts";
import { PendingResources } from "../../../provider/src/ownership/pending.ts";
import { markOfProvider, ownerOf } from "../../../provider/src/ownership/tags.ts";
import { kinds } from "../../../provider/src/resources/kinds.ts";
import { providerId } from "../../support/simulated-state.ts";
import { makeVpc, retag } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { region } from "../stage/stage.ts";
import { ToldOtherwise } from "../stage/told-otherwise.ts";
import { makePlace } from "../stage/place.ts";
import { killedInCreation, linesShown, notedCreations, taggedCreations, recoveryNote } from "./killed.ts";

/** Resources with tags or a note: whatever is killed during a creation, there is one resource in the end. Saved resources are not recovered. */

const stage = await sharedStage();
const place = await makePlace(stage);
const [creations, noted] = [taggedCreations(place), notedCreations(place)];
const bare = await makeVpc(stage, "10.7.0.0/16");
const { nextRun } = runsOf(stage);

const ownerKey = "container-platform/owner";
const stateKey = "container-platform/state";
const stackKey = "container-platform/stack";

const mark = markOfProvider(providerId);

function creationOf(type: string) {
  const found = creations.find((one) => one.type === type);
  if (!found) throw new Error(`there is no creation of ${type}`);
  return found;
}

test("Pulumi is killed before the answer to a creation: the next up recovers the resource, and confirms it at its end", async () => {
  const counted = await Promise.all(creations.map(async (one) => ({ ...one, before: await one.count() })));
  await killedInCreation(stage, "SIGKILL", ...creations);
  await using stack = new AsyncDisposableStack();
  const saved = counted.map((one) => ({ ...one, again: stack.use(stage.deployment(one.type)) }));
  for (const { type, args, count, before, tags, again } of saved) {
    const shown = await linesShown(stage, "info", async () => {
      expect(await stage.writes(() => again.up(args)), type).toEqual([]);
    });
    expect(shown, type).toEqual([recoveryNote(again.id)]);
    expect(await tags(again.id), type).toMatchObject({ [stateKey]: "pending" });
    expect(await count(), type).toBe(before + 1);
    expect(await again.preview(args), type).toBe("nothing");
    await again.refresh();
    expect(await again.preview(args), type).toBe("nothing");
  }
  await nextRun();
  for (const { type, args, tags, beside, again } of saved) {
    expect(await tags(again.id), type).toMatchObject({ [stateKey]: "confirmed" });
    // A forced replacement of a saved resource is not preceded by a comparison.
    const forced = stack.use(stage.deployment(type));
    if (beside) {
      await forced.up(args);
      expect(forced.id, type).not.toBe(again.id);
    } else
      await expect(forced.preview(args), type).rejects.toThrow(
        new RegExp(`${again.id}.+ It is the same resource: .+ deleteBeforeReplace: true`),
      );
  }
  await nextRun();
});

test("a resource with a note whose creation was interrupted is deleted and created again, and loses its note at the end of the update", async () => {
  await killedInCreation(stage, "SIGKILL", ...noted);
  for (const { type, args, count, operation, deletes, confirms } of noted) {
    const before = await count();
    await using again = stage.deployment(type);
    expect(await stage.writes(() => again.up(args)), type).toEqual([deletes.action, operation.action]);
    expect(await count(), type).toBe(before);
    expect(await stage.writes(nextRun), type).toEqual([confirms.action]);
    expect(await again.preview(args), type).toBe("nothing");
    await again.refresh();
    expect(again.state?.inputs, type).toMatchObject(args);
  }
});

test("a resource with a note whose answer was lost is deleted at once, as nobody knows its password", async () => {
  for (const { type, args, count, operation } of noted) {
    const before = await count();
    await using one = stage.deployment(type);
    stage.faults.add({ operation: { action: operation.action }, when: "after" });
    await expect(one.up(args), type).rejects.toThrow(
      `the connection was lost before the answer came (${operation.action}: ConnectionLost)`,
    );
    expect(await count(), type).toBe(before);
    await one.up(args);
    expect(await count(), type).toBe(before + 1);
  }
  await nextRun();
});

test("an orphan in an orphaned cluster is recovered with it", async () => {
  const [ofCluster, ofPool] = [creationOf("Cluster"), creationOf("NodePool")];
  const unsaved = await stage.deployed("Cluster", ofCluster.args);
  await stage.deployment("NodePool").up({ ...ofPool.args, clusterId: unsaved.id });
  await stage.host.restart("SIGKILL");
  await using cluster = stage.deployment("Cluster");
  expect(await stage.writes(() => cluster.up(ofCluster.args))).toEqual([]);
  expect(cluster.id).toBe(unsaved.id);
  await using pool = stage.deployment("NodePool");
  expect(await stage.writes(() => pool.up({ ...ofPool.args, clusterId: cluster.id }))).toEqual([]);
  await nextRun();
});

test("the provider's own tags stay when others change, and no input shows them", async () => {
  await using stack = new AsyncDisposableStack();
  const resources = creations.map((one) => ({ ...one, resource: stack.use(stage.deployment(one.type)) }));
  let state = "pending";
  for (const desired of [{ team: "a" }, { stage: "test", team: "b" }, undefined, { team: "c" }]) {
    for (const { type, args, resource, tags } of resources) {
      await resource.up({ ...args, tags: desired });
      const { [ownerKey]: owner, [stackKey]: ofStack, ...others } = await tags(resource.id);
      expect([owner, ofStack], type).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), `laws/test.${mark}`]);
      expect(others, type).toEqual({ ...desired, [stateKey]: state });
      await resource.refresh();
      expect(resource.state?.inputs["tags"], type).toEqual(desired);
      for (const own of [owner, ofStack]) expect(JSON.stringify(resource.state), type).not.toContain(own);
      expect(await resource.preview({ ...args, tags: desired }), type).toBe("nothing");
    }
    if (state === "pending") await nextRun();
    state = "confirmed";
  }
});

test("the stack tag of version 0.1.0 becomes the one of today with the next change", async () => {
  const { type, args, tags } = creationOf("Vpc");
  await using resource = await stage.deployed(type, args);
  await nextRun();
  await retag(stage, "vpc", resource.id, { [stackKey]: hash("sha256", "test::laws").slice(0, 12) });
  expect(await resource.preview(args)).toBe("nothing");
  await resource.up({ ...args, vpcName: "changed" });
  expect(await tags(resource.id)).toMatchObject({ [stackKey]: "laws/test", [stateKey]: "confirmed" });
});

test("a renamed resource gets the owner tag of its new URN with the next change", async () => {
  const { args, tags } = creationOf("Vpc");
  const before = await stage.deployed("Vpc", args);
  await nextRun();
  await using renamed = stage.deployment("Vpc", "renamed");
  renamed.state = before.state;
  await renamed.up({ ...args, vpcName: "changed" });
  expect(await tags(renamed.id)).toMatchObject({ [ownerKey]: ownerOf(urnOf("Vpc", "renamed")) });
});

test("tags that somebody adds to a resource before it is confirmed stay", async () => {
  const { args, tags } = creationOf("Cluster");
  await using resource = await stage.deployed("Cluster", { ...args, tags: { team: "a" } });
  const made = await tags(resource.id);
  const more = Object.entries({ ...made, cost: "7" }).map(([key, value]) => ({ key, value }));
  await stage.cloud.call(modifyClusterTags, { clusterId: resource.id, tags: more });
  await nextRun();
  expect(await tags(resource.id)).toEqual({ ...made, cost: "7", [stateKey]: "confirmed" });
});

test("a resource whose answer was lost is found all the same, and the next up continues with it", async () => {
  // A process that has known a namespace of the same name would take the one that is made now for that one.
  await stage.host.restart();
  for (const { type, args, count, operation, tags } of creations) {
    const before = await count();
    await using resource = stage.deployment(type);
    // A call with a token is repeated.
    stage.faults.add({ operation: { action: operation.action }, when: "after", times: 6 });
    await expect(resource.up(args), type).rejects.toThrow("ConnectionLost");
    stage.faults.clear();
    expect(await tags(resource.id), type).toMatchObject({ [stateKey]: "pending" });
    expect(await resource.preview(args), type).toBe("update");
    expect(await stage.writes(() => resource.up(args)), type).toEqual([]);
    expect(await count(), type).toBe(before + 1);
  }
  await nextRun();
});

test("a resource whose answer was lost, and that was not found at once, is recovered by the next up", async () => {
  const { type, args, count, operation } = creationOf("SecurityGroup");
  const before = await count();
  await stage.host.restart();
  stage.faults.add({ operation: tag.getResources, when: "before", code: "FailedOperation", nth: 2 });
  stage.faults.add({ operation: { action: operation.action }, when: "after" });
  await using one = stage.deployment(type);
  await expect(one.up(args)).rejects.toThrow("ConnectionLost");
  expect(one.state).toBeUndefined();
  expect(await stage.writes(() => one.up(args))).toEqual([]);
  expect(await count()).toBe(before + 1);
  stage.faults.clear();
  await nextRun();
});

test("a resource that was recovered in the same update is not deleted, and a warning says so", async () => {
  const { type, args: untagged } = creationOf("Vpc");
  const args = { ...untagged, tags: { team: "a" } };
  await stage.deployment(type).up(args);
  await stage.host.restart("SIGKILL");
  expect(await stage.deployment(type).preview(args)).toBe("create");
  const again = await stage.deployed(type, args);
  const { id, state } = again;
  const shown = await linesShown(stage, "warning", async () => {
    expect(await stage.calls(() => stage.host.delete(id, state?.outputs ?? {}))).toEqual([]);
  });
  expect(shown).toEqual([
    `${id} was not deleted, because this update imported or recovered it: run \`pulumi up\` again [Provider.OtherOwner]`,
  ]);
  await nextRun();
  await again.destroy();
});

test("an orphan that cannot be changed to the desired resource is neither recovered nor created again: the error has both ways out", async () => {
  const lost = await stage.deployed("Vpc", { cidrBlock: "10.1.0.0/16" });
  await stage.host.restart("SIGKILL");
  const writes = await stage.writes(() =>
    expect(stage.deployment("Vpc").up({ cidrBlock: "10.2.0.0/16" })).rejects.toThrow(
      `cannot recover ${lost.id}, which an interrupted update created: cidrBlock changed since, and cannot be updated in place. Change it back, or delete Vpc ${lost.id} on the platform, then run \`pulumi up\` again`,
    ),
  );
  expect(writes).toEqual([]);
  await lost.destroy();
});

test("a cluster that is still being created is recovered, and the provider waits for it", async () => {
  stage.world.setTimeScale("realistic");
  const one = creationOf("Cluster");
  await killedInCreation(stage, "SIGKILL", one);
  await using again = stage.deployment("Cluster");
  const seen = stage.host.lines.length;
  const writes = stage.writes(() => again.up(one.args));
  await expect.poll(() => stage.host.lines.slice(seen).map(({ message }) => message)).toContain("Creating");
  stage.world.advance(600_000);
  expect(await writes).toEqual([]);
  stage.world.setTimeScale("instant");
  await nextRun();
});

test("an update lists pending resources once, and confirms fifty resources with a call; one that changes nothing writes nothing", async () => {
  const subnets = Array.from({ length: 60 }, (_, index) => stage.deployment("Subnet", `many-${index}`));
  const args = (index: number) => ({ vpcId: bare, cidrBlock: `10.7.${index}.0/24`, zone: "eu-frankfurt-1" });
  await stage.host.restart();
  const calls = await stage.calls(async () => {
    await Promise.all(subnets.map((one, index) => one.up(args(index))));
    await nextRun();
  });
  const count = (action: string) => calls.filter((call) => call.action === action).length;
  expect([count("CreateSubnet"), count("GetResources"), count("AttachResourcesTag"), count("ModifyResourceTags")]).toEqual([60, 1, 2, 0]);

  const [first, second] = subnets;
  await first?.destroy();
  await first?.up(args(0));
  // Pulumi saves it, and the provider is killed.
  await stage.host.restart();
  const looking = await stage.writes(async () => {
    await first?.refresh();
    expect(await first?.preview(args(0))).toBe("nothing");
    await nextRun();
  });
  expect(looking).toEqual([]);
  // The next update that creates something confirms what an interrupted one has saved.
  expect(await first?.preview(args(0))).toBe("nothing");
  await second?.destroy();
  await second?.up(args(1));
  await nextRun();
  expect(await creationOf("Subnet").tags(first?.id ?? "")).toMatchObject({ [stateKey]: "confirmed" });
  await Promise.all(subnets.map((one) => one.destroy()));
});

test("an account that may not list tags is warned once, and its resources are created", async () => {
  const { type, args, count } = creationOf("RegistryInstance");
  const before = await count();
  await stage.host.restart();
  stage.faults.add({
    operation: tag.getResources,
    when: "before",
    code: "UnauthorizedOperation.AccessMgmtNoAuth",
    reason: "no permission",
    times: 99,
  });
  await using one = stage.deployment(type);
  await using vpc = stage.deployment("Vpc");
  const shown = await linesShown(stage, "warning", async () => {
    await one.up(args);
    await vpc.up(creationOf("Vpc").args);
  });
  expect(shown).toEqual([
    "the provider cannot find resources that an interrupted update created, and could create them a second time: no permission (GetResources: UnauthorizedOperation.AccessMgmtNoAuth). Allow the account GetResources [Provider.Unchecked]",
  ]);
  expect(await count()).toBe(before + 1);
  stage.faults.clear();
  await nextRun();
});

test("pending resources of other regions are left out, if the tag product lists all regions at once", async () => {
  const tags = [{ TagKey: stateKey, TagValue: "pending" }];
  const named = (place: string) => ({ Resource: `cp::vpc:${place}:uin/100000000001:vpc/vpc-00000001`, Tags: tags });
  const cloud = ToldOtherwise.by(stage.world, {
    GetResources: () => ({ PaginationToken: "", ResourceTagMappingList: [named("na-ashburn"), named(region)] }),
  });
  const found = await new PendingResources().list(cloud, ({ message }) => {
    throw new Error(message);
  });
  expect(found).toMatchObject([{ kind: "vpc", id: "vpc-00000001", isPending: true }]);
});

test("an interrupted deletion of an orphan names the command that continues it: no `up` does", async () => {
  const { cloud, world } = stage;
  const { kind } = await kinds.Cluster();
  const made = await cloud.call(createCluster, {
    vpcId: place.vpcId,
    subnetId: place.subnetIds[0],
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
    clusterBasicSettings: {
      tagSpecification: [{ resourceType: "cluster", tags: [{ key: stateKey, value: "pending" }] }],
    },
  });
  const id = made.clusterId;
  world.setTimeScale("realistic");
  const ending = new AbortController();
  const context = {
    cloud,
    signal: ending.signal,
    show: (message: string) => {
      if (message.startsWith("Deleting")) ending.abort();
    },
    note: () => undefined,
    warn: () => undefined,
  };
  await expect(deleteOrphan(context, { kind, id, create: undefined })).rejects.toThrow(
    "interrupted: Deleting. `npx container-platform-import --orphans --delete` continues",
  );
  world.advance(60 * 60_000);
  expect(await clusterFinder.find(cloud, id)).toBeUndefined();
  world.setTimeScale("instant");
});
