import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { makeSubnet, makeVpc } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Where a cluster or a pool cannot be put is refused before anything of an old one is deleted. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const own = await makeSubnet(stage, vpcId, "10.0.0.0/24");
const small = await makeSubnet(stage, vpcId, "10.0.1.0/29");
const foreignVpc = await makeVpc(stage, "10.1.0.0/16");
const foreign = await makeSubnet(stage, foreignVpc, "10.1.0.0/24");

test("a cluster moves to no subnet of another VPC, and to none that is too small", async () => {
  const base = { vpcId, subnetId: own, clusterCidr: "172.16.0.0/16" };
  await using one = stage.deployment("Cluster", "example");
  await one.up(base);
  await stage.host.restart("SIGINT");
  await expect(one.preview({ ...base, subnetId: foreign })).rejects.toThrow(
    `subnetId: ${foreign} is in ${foreignVpc}: it takes a subnet of ${vpcId}`,
  );
  await expect(one.preview({ ...base, subnetId: small })).rejects.toThrow(
    `subnetId: ${small} has 5 free addresses: a cluster needs 10 or more`,
  );
  const pods = { vpcId, subnetId: own, eniSubnetIds: [own, foreign] };
  await expect(stage.deployment("Cluster", "pods").preview(pods)).rejects.toThrow(`eniSubnetIds: ${foreign} is in ${foreignVpc}`);
  const native = {
    instanceTypes: ["SA5.MEDIUM4"],
    subnetIds: [foreign],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 1, maxReplicas: 1 },
  };
  await expect(stage.deployment("NodePool", "pool").preview({ clusterId: one.id, native })).rejects.toThrow(
    `native.subnetIds: ${foreign} is in ${foreignVpc}: it takes a subnet of ${vpcId}`,
  );
});

test("a cluster that somebody has protected is not replaced, and the preview says what to do", async () => {
  const base = { vpcId, subnetId: own, clusterCidr: "172.16.0.0/16" };
  const other = { ...base, clusterCidr: "172.17.0.0/16" };
  await using one = stage.deployment("Cluster", "example");
  await one.up(base);
  await stage.cloud.call(cluster.enableClusterDeletionProtection, { clusterId: one.id });
  await stage.host.restart("SIGINT");
  await expect(one.preview(other)).rejects.toThrow(
    `a new Cluster is to be made in place of ${one.id}, but deletionProtection of ${one.id} is on: set it to false and run \`pulumi up\` first (\`pulumi up --refresh\`, if it was switched on elsewhere), without this change`,
  );
  await stage.host.restart("SIGINT");
  await one.refresh();
  await one.up(base);
  expect(await one.preview(other)).toBe("replace");
});
