import { expect, test } from "vitest";
import { createNodePool, modifyClusterAttribute, modifyNodePool } from "../../catalogue/cluster.ts";
import { clusterStage, codeOf } from "./stage.fixture.ts";

const tagged = (key: string, value = "a") => [{ resourceType: "machine", tags: [{ key, value }] }];

test.each<[code: string, change: { name?: string; tags?: ReturnType<typeof tagged> }]>([
  ["InvalidParameterValue.Empty", { tags: tagged("") }],
  ["InvalidParameterValue.TooLong", { tags: tagged("k".repeat(128)) }],
  ["InvalidParameterValue.TooLong", { tags: tagged("a", "v".repeat(256)) }],
  ["InvalidParameterValue.Duplicate", { tags: [...tagged("a"), ...tagged("a")] }],
  ["LimitExceeded.ResourceAttachedTags", { tags: Array.from({ length: 51 }, (_, index) => tagged(`key-${index}`)).flat() }],
  ["InvalidParameter", { name: " " }],
  ["InvalidParameter", { name: "a\u0000b" }],
])("a node pool is refused with %s, new and changed", async (code, change) => {
  const { clusterId, ...at } = await clusterStage();
  const nodePoolId = await at.pool(clusterId, 0);
  const asked = { clusterId, name: "workers", type: "Native" as const, native: at.settings };
  expect(await codeOf(at.call(createNodePool, { ...asked, ...change }))).toBe(code);
  expect(await codeOf(at.call(modifyNodePool, { clusterId, nodePoolId, ...change }))).toBe(code);
});

test("a disk has a size that its zone has", async () => {
  const { clusterId, ...at } = await clusterStage();
  await expect(at.pool(clusterId, { systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 4096 } })).rejects.toThrow(
    "Native.SystemDisk.DiskSize is 4096 GB; as a SYSTEM_DISK of eu-frankfurt-1, CLOUD_PREMIUM takes 20 to 2048 GB",
  );
});

test("a cluster has a name that is not blank, and a system that nodes can have", async () => {
  const { clusterId, ...at } = await clusterStage();
  const create = (basic: { clusterName?: string; clusterOs?: string }) => at.create("172.20.0.0/16", { clusterBasicSettings: basic });
  await expect(create({ clusterOs: "windows" })).rejects.toThrow('ClusterOs is "windows"; it takes ubuntu22.04x86_64, ubuntu24.04x86_64');
  expect(await codeOf(create({ clusterOs: "tlinux2.4x86_64" }))).toBe("InvalidParameter");
  await expect(create({ clusterName: "\t" })).rejects.toThrow("ClusterName is ");
  await expect(at.call(modifyClusterAttribute, { clusterId, clusterName: " " })).rejects.toThrow("ClusterName is ");
  await create({ clusterOs: "img-0000000a", clusterName: "own image" });
});
