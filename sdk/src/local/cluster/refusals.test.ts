import { expect, test } from "vitest";
import { createCluster, createNodePool, modifyClusterAttribute, modifyNodePool } from "../../catalogue/cluster.ts";
import { stage } from "./stage.fixture.ts";

const tagged = (key: string, value = "a") => [{ resourceType: "machine", tags: [{ key, value }] }];

interface Change {
  readonly name?: string;
  readonly tags?: ReturnType<typeof tagged>;
}

test.each<[code: string, change: Change]>([
  ["InvalidParameterValue.Empty", { tags: tagged("") }],
  ["InvalidParameterValue.TooLong", { tags: tagged("k".repeat(128)) }],
  ["InvalidParameterValue.TooLong", { tags: tagged("a", "v".repeat(256)) }],
  ["InvalidParameterValue.Duplicate", { tags: [...tagged("a"), ...tagged("a")] }],
  ["LimitExceeded.ResourceAttachedTags", { tags: Array.from({ length: 51 }, (_, index) => tagged(`key-${index}`)).flat() }],
  ["InvalidParameter", { name: " " }],
  ["InvalidParameter", { name: "a\u0000b" }],
])("a node pool is refused with %s, new and changed", async (code, change) => {
  const at = await stage();
  const clusterId = await at.running();
  const nodePoolId = await at.pool(clusterId, 0);
  const asked = {
    clusterId,
    name: "workers",
    type: "Native" as const,
    native: { ...at.settings, scaling: { minReplicas: 0, maxReplicas: 1 } },
  };
  await expect(at.cloud.call(createNodePool, { ...asked, ...change })).rejects.toMatchObject({ code });
  await expect(at.cloud.call(modifyNodePool, { clusterId, nodePoolId, ...change })).rejects.toMatchObject({ code });
});

test("a disk has a size that its zone has", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const native = { ...at.settings, scaling: { minReplicas: 0, maxReplicas: 1 } };
  const systemDisk = { diskType: "CLOUD_PREMIUM", diskSize: 4096 };
  await expect(
    at.cloud.call(createNodePool, { clusterId, name: "workers", type: "Native", native: { ...native, systemDisk } }),
  ).rejects.toThrow("Native.SystemDisk.DiskSize is 4096 GB; as a SYSTEM_DISK of eu-frankfurt-1, CLOUD_PREMIUM takes 20 to 2048 GB");
});

test("a cluster has a name that is not blank, and a system that nodes can have", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const { vpcId, subnetId } = at;
  const create = (basic: { clusterName?: string; clusterOs?: string }) =>
    at.cloud.call(createCluster, {
      clusterBasicSettings: { vpcId, subnetId, ...basic },
      clusterCidrSettings: { clusterCidr: "172.20.0.0/16" },
    });
  await expect(create({ clusterOs: "windows" })).rejects.toThrow('ClusterOs is "windows"; it takes ubuntu22.04x86_64, ubuntu24.04x86_64');
  await expect(create({ clusterOs: "tlinux2.4x86_64" })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(create({ clusterName: "\t" })).rejects.toThrow("ClusterName is ");
  await expect(at.cloud.call(modifyClusterAttribute, { clusterId, clusterName: " " })).rejects.toThrow("ClusterName is ");
  await create({ clusterOs: "img-0000000a", clusterName: "own image" });
});
