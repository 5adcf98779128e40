import { modifyClusterTags } from "@container-platform/sdk/cluster";
import { describeInstances } from "@container-platform/sdk/registry";
import * as tag from "@container-platform/sdk/tag";
import { describeSecurityGroups } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { Orphans } from "../../../provider/src/recovery/orphans.ts";
import { makeVpc } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { region } from "../stage/stage.ts";
import { ToldOtherwise } from "../stage/told-otherwise.ts";
import { makePlace } from "../stage/place.ts";
import { killedInCreation, linesShown, taggedCreations, takeOverNote } from "./killed.ts";

/** Resources with tags: whatever is killed during a creation, there is one resource in the end. Saved resources are left alone. */

const stage = await sharedStage();
const creations = taggedCreations(await makePlace(stage));
const bare = await makeVpc(stage, "10.7.0.0/16");
const { nextRun } = runsOf(stage);

const ownerKey = "container-platform/owner";
const stateKey = "container-platform/state";
const stackKey = "container-platform/stack";

function creationOf(type: string) {
  const found = creations.find((one) => one.type === type);
  if (!found) throw new Error(`there is no creation of ${type}`);
  return found;
}

/** The account may not ask the tag product. */
const denied = {
  operation: tag.getResources,
  when: "before",
  code: "UnauthorizedOperation.AccessMgmtNoAuth",
  reason: "no permission",
  times: 99,
} as const;

test.each(["", ", which only the products themselves find where the tag product may not be asked"])(
  "a provider is killed before the answer to a creation: the next up takes the resource over, and says so%s",
  async (where) => {
    const counted = await Promise.all(creations.map(async (one) => ({ ...one, before: await one.count() })));
    await killedInCreation(stage, ...creations);
    if (where !== "") stage.faults.add(denied);
    await using stack = new AsyncDisposableStack();
    const saved = counted.map((one) => ({ ...one, again: stack.use(stage.deployment(one.type)) }));
    for (const { type, args, count, before, tags, again } of saved) {
      const shown = await linesShown(stage, "info", async () => {
        expect(await stage.writes(() => again.up(args)), type).toEqual([]);
      });
      expect(shown, type).toEqual([takeOverNote(again.id)]);
      expect(await tags(again.id), type).toMatchObject({ [stateKey]: "pending" });
      expect(await count(), type).toBe(before + 1);
      expect(await again.preview(args), type).toBe("nothing");
      await again.refresh();
      expect(await again.preview(args), type).toBe("nothing");
    }
    stage.faults.clear();
    await nextRun();
    for (const { type, args, tags, beside, again } of saved) {
      expect(await tags(again.id), type).toMatchObject({ [stateKey]: "confirmed" });
      // A forced replacement of what is saved: nothing is compared before.
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
  },
);

test("what a killed run has left in a cluster that it has left, too, is taken over with it", async () => {
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
      expect([owner, ofStack], type).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), expect.stringMatching(/^[0-9a-f]{12}$/)]);
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
    stage.faults.add({ operation: { action: operation.action }, when: "after" });
    await expect(resource.up(args), type).rejects.toThrow("ConnectionLost");
    expect(await tags(resource.id), type).toMatchObject({ [stateKey]: "pending" });
    expect(await resource.preview(args), type).toBe("update");
    expect(await stage.writes(() => resource.up(args)), type).toEqual([]);
    expect(await count(), type).toBe(before + 1);
  }
  await nextRun();
});

test.each([
  { how: "with the tag product", faults: [{ operation: tag.getResources, when: "before", code: "FailedOperation", nth: 2 }] },
  {
    how: "without permission to ask the tag product",
    faults: [denied, { operation: describeSecurityGroups, when: "before", code: "FailedOperation", nth: 2 }],
  },
] as const)("a resource whose answer was lost, and which was not found at once, is taken over by the next up: $how", async ({ faults }) => {
  const { type, args, count, operation } = creationOf("SecurityGroup");
  const before = await count();
  await stage.host.restart();
  for (const fault of [...faults, { operation: { action: operation.action }, when: "after" } as const]) stage.faults.add(fault);
  await using one = stage.deployment(type);
  await expect(one.up(args)).rejects.toThrow("ConnectionLost");
  expect(one.state).toBeUndefined();
  expect(await stage.writes(() => one.up(args))).toEqual([]);
  expect(await count()).toBe(before + 1);
  stage.faults.clear();
  await nextRun();
});

test("a resource that was taken over in the same run is not deleted, and a warning says so", async () => {
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
  expect(shown).toEqual([`${id} was taken over in this same run and is therefore not deleted: run \`pulumi up\` again`]);
  await nextRun();
  await again.destroy();
});

test("a resource that an earlier run has left, and that cannot be changed to the desired one, stays, and a warning names it", async () => {
  const lost = await stage.deployed("Vpc", { cidrBlock: "10.1.0.0/16" });
  await stage.host.restart("SIGKILL");
  await using other = stage.deployment("Vpc");
  const shown = await linesShown(stage, "warning", async () => {
    expect(await stage.writes(() => other.up({ cidrBlock: "10.2.0.0/16" }))).toEqual(["CreateVpc"]);
  });
  expect(shown).toEqual([
    `${lost.id} was made by a run that was ended before it could save it, and cannot be taken over, because cidrBlock cannot be changed on it: delete this Vpc if nobody needs it`,
  ]);
  await lost.destroy();
});

test("a cluster that is still being made is taken over, and the provider waits for it", async () => {
  stage.world.setTimeScale("realistic");
  const one = creationOf("Cluster");
  await killedInCreation(stage, one);
  await using again = stage.deployment("Cluster");
  const seen = stage.host.lines.length;
  const writes = stage.writes(() => again.up(one.args));
  await expect.poll(() => stage.host.lines.slice(seen).map(({ message }) => message)).toContain("Creating");
  stage.world.advance(600_000);
  expect(await writes).toEqual([]);
  stage.world.setTimeScale("instant");
  await nextRun();
});

test("a run looks once for what earlier runs have left, and confirms fifty resources with a call; one that changes nothing writes nothing", async () => {
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
  await stage.host.restart("SIGKILL");
  const looking = await stage.writes(async () => {
    await first?.refresh();
    expect(await first?.preview(args(0))).toBe("nothing");
    await nextRun();
  });
  expect(looking).toEqual([]);
  // What a killed run has saved is confirmed by the next one that makes something.
  expect(await first?.preview(args(0))).toBe("nothing");
  await second?.destroy();
  await second?.up(args(1));
  await nextRun();
  expect(await creationOf("Subnet").tags(first?.id ?? "")).toMatchObject({ [stateKey]: "confirmed" });
  await Promise.all(subnets.map((one) => one.destroy()));
});

test("what cannot be searched for in any way is not made", async () => {
  const { type, args, count } = creationOf("RegistryInstance");
  const before = await count();
  await stage.host.restart();
  stage.faults.add(denied);
  stage.faults.add({ ...denied, operation: describeInstances });
  await using one = stage.deployment(type);
  await using vpc = stage.deployment("Vpc");
  const why =
    "no permission (GetResources: UnauthorizedOperation.AccessMgmtNoAuth); no permission (DescribeInstances: UnauthorizedOperation.AccessMgmtNoAuth)";
  const shown = await linesShown(stage, "warning", async () => {
    await expect(one.up(args)).rejects.toThrow(
      `it is not made, because what a killed run has left cannot be found, and would be made a second time: ${why}. Allow the account one of these operations`,
    );
    await vpc.up(creationOf("Vpc").args);
  });
  expect(shown).toContain(`what a killed run has left of registry and namespace cannot be found, and none of these is made: ${why}`);
  expect(await count()).toBe(before);
  stage.faults.clear();
  await nextRun();
});

test("what killed runs have left in other regions is left alone, where the platform lists all regions at once", async () => {
  const tags = [{ TagKey: stateKey, TagValue: "pending" }];
  const named = (place: string) => ({ Resource: `cp::vpc:${place}:uin/100000000001:vpc/vpc-00000001`, Tags: tags });
  const cloud = ToldOtherwise.by(stage.world, {
    GetResources: () => ({ PaginationToken: "", ResourceTagMappingList: [named("na-ashburn"), named(region)] }),
  });
  const found = await new Orphans().list(cloud, (message) => {
    throw new Error(message);
  });
  expect(found).toEqual([{ cloud, kind: "vpc", id: "vpc-00000001", owner: undefined, stack: undefined }]);
});
