import { afterEach, expect, test } from "vitest";
import type { Deployment } from "../../support/deployment.ts";
import { makeNetwork } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** A run that deletes is ended, and the program still has the resource: the next one does not call it unchanged. */

const stage = await sharedStage({ provider: "process" });
afterEach(() => stage.world.setTimeScale("instant"));

const {
  vpcId,
  subnetIds: [subnetId],
} = await makeNetwork(stage);
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };

/** What the deletion says when Control-C ends it. */
async function interrupted(one: Deployment, seen: RegExp): Promise<string> {
  const { lines } = stage.host;
  const before = lines.length;
  const ended = one.destroy().then(
    () => "deleted",
    (error: unknown) => String(error),
  );
  await expect.poll(() => lines.slice(before).some(({ ephemeral, message }) => ephemeral && seen.test(message))).toBe(true);
  await stage.host.cancel();
  const said = await ended;
  await stage.host.restart();
  return said;
}

test("a cluster whose deletion is interrupted is neither unchanged nor forgotten", async () => {
  const one = stage.deployment("Cluster");
  await one.up(gr);
  stage.world.setTimeScale("realistic");
  expect(await interrupted(one, /^Deleting/)).toMatch(
    /: interrupted: Deleting\. The next `pulumi destroy`, or `up` without it, goes on from here$/,
  );
  const going = /^Cluster cls-[0-9a-f]{8} is being deleted, which an earlier run has begun: `pulumi destroy` goes on with it\. /;
  await expect(one.preview(gr)).rejects.toThrow(going);
  expect(await stage.writes(() => expect(one.up(gr)).rejects.toThrow(going))).toEqual([]);
  stage.world.advance(60 * 60_000);
  await expect(one.preview(gr)).rejects.toThrow(
    /^Cluster cls-[0-9a-f]{8} is gone: an earlier run has deleted it, .+`pulumi up --refresh` makes it again/,
  );
  expect(await one.refresh()).toBe(false);
  expect(await one.preview(gr)).toBe("create");
});

test("what goes on with an interrupted deletion is `destroy`, and a replacement", async () => {
  const one = stage.deployment("Cluster");
  await one.up(gr);
  stage.world.setTimeScale("realistic");
  await interrupted(one, /^Deleting/);
  expect(await one.preview({ ...gr, clusterCidr: "172.17.0.0/16" })).toMatch(/replace$/);
  stage.world.setTimeScale("instant");
  stage.world.advance(60 * 60_000);
  expect(await stage.writes(() => one.destroy())).toEqual(["DeleteCluster: ResourceNotFound"]);
});

test("a resource that a killed run has deleted and not saved as gone is not unchanged", async () => {
  const one = stage.deployment("Vpc");
  await one.up({ cidrBlock: "10.201.0.0/16" });
  const { state } = one;
  await one.destroy();
  await stage.host.restart("SIGKILL");
  one.state = state;
  await expect(one.preview({ cidrBlock: "10.201.0.0/16" })).rejects.toThrow(/^Vpc vpc-[0-9a-f]{8} is gone: /);
  await one.destroy();
});

test("a resource that is still there after a begun deletion is unchanged, and looked at once", async () => {
  const args = { cidrBlock: "10.202.0.0/16" };
  const one = stage.deployment("Vpc");
  await one.up(args);
  const inside = stage.deployment("Subnet");
  await inside.up({ vpcId: one.id, cidrBlock: "10.202.1.0/24", zone: "eu-frankfurt-1" });
  expect(await interrupted(one, /cannot be deleted while/)).toMatch(/or `up` without it, goes on from here$/);
  expect(await one.preview(args)).toBe("nothing");
  await inside.destroy();
  await one.destroy();
});
