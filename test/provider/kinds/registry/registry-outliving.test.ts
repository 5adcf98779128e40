import { expect, test } from "vitest";
import { severities } from "../../../support/host.ts";
import { makeNetwork } from "../../stage/outside.ts";
import { sharedStage } from "../../stage/shared-stage.ts";

/** What outlives a deletion, and is billed, is named, with the input that removes it. */

const stage = await sharedStage();
const { vpcId, subnetIds } = await makeNetwork(stage);

const said = (id: string) =>
  stage.host.lines
    .filter(({ message }) => message.startsWith(`${id}: `) && message.includes("billed"))
    .map(({ severity, message }) => ({ severity, message }));

test("a bucket that a replacement leaves is named in the preview, unless it goes along", async () => {
  const registry = await stage.deployed("RegistryInstance", { registryName: "kept-images" });
  const { id } = registry;
  expect(await registry.preview({ registryName: "other-images" })).toBe("replace");
  const message = `${id}: its storage bucket with all layers is kept and billed after the deletion. To delete it too, set deleteBucket: true and run \`pulumi up\` first`;
  await expect.poll(() => said(id)).toEqual([{ severity: severities.info, message }]);
  await registry.up({ registryName: "kept-images", deleteBucket: true });
  await registry.destroy();
  expect(said(id)).toHaveLength(1);
});

test("what a deletion has left is named", async () => {
  const cluster = stage.deployment("Cluster");
  const disks = [{ resourceType: "CBS", deleteMode: "retain" }];
  await cluster.up({
    vpcId,
    subnetId: subnetIds[0],
    clusterCidr: "172.16.0.0/16",
    instanceDeleteMode: "retain",
    resourceDeleteOptions: disks,
  });
  const { id } = cluster;
  await cluster.destroy();
  const stays = (what: string, input: string) => ({
    severity: severities.warning,
    message: `${id}: ${what} was kept and is still billed. Delete it in the console (${input} would have deleted it) [Provider.SideEffect]`,
  });
  await expect
    .poll(() => said(id))
    .toEqual([
      stays("what there is of its nodes, as machines without a cluster,", 'instanceDeleteMode: "terminate"'),
      stays("what there is of disks of its workloads", 'deleteMode: "terminate" for CBS in resourceDeleteOptions'),
    ]);
});
