import { expect, test } from "vitest";
import { lookUpEvents } from "../../catalogue/audit.ts";
import { createClusterEndpoint, createClusterNodePool, describeTasks } from "../../catalogue/cluster.ts";
import * as registry from "../../catalogue/registry.ts";
import { attachResourcesTag, modifyResourceTags } from "../../catalogue/tag.ts";
import { createVpc } from "../../catalogue/vpc.ts";
import type { Cloud } from "../../client/client.ts";
import { resourceKinds, resourceName } from "../../formats/resource-name.ts";
import { stage as clusterStage } from "../cluster/stage.fixture.ts";
import { stage as registryStage } from "../registry/stage.fixture.ts";

/** By what a call is found: its ids and names. */

async function found(cloud: Cloud, name: string | number) {
  const lookupAttributes = [{ attributeKey: "ResourceName", attributeValue: String(name) }];
  const window = { startTime: Date.UTC(2026, 0, 1) / 1000, endTime: Date.UTC(2026, 1, 28) / 1000 };
  return (await cloud.call(lookUpEvents, { ...window, lookupAttributes })).events;
}

async function actions(cloud: Cloud, name: string | number) {
  return (await found(cloud, name)).map(({ eventName }) => eventName);
}

test("a replication rule is found by its name and its destination", async () => {
  const { cloud, running } = registryStage();
  const [source, destination] = [await running(), await running("other-images")];
  await cloud.call(registry.createNamespace, { registryId: destination, namespaceName: "copies", isPublic: false });
  const filters = [{ type: "name" as const, value: "web" }];
  const rule = { name: "nightly", destNamespace: "copies", override: true, filters };
  await cloud.call(registry.manageReplication, { sourceRegistryId: source, destinationRegistryId: destination, rule });
  expect(await actions(cloud, "nightly")).toEqual(["ManageReplication"]);
  expect(await actions(cloud, "copies")).toEqual(["ManageReplication", "CreateNamespace"]);
  expect(await actions(cloud, "web")).toEqual([]);
});

test("a retention rule is found by the number and the name of its namespace, and by its own number", async () => {
  const { cloud, withNamespace } = registryStage();
  const registryId = await withNamespace("team");
  const namespaceId = (await cloud.call(registry.describeNamespaces, { registryId })).namespaceList[0]?.namespaceId ?? 0;
  const asked = { registryId, namespaceId, cronSetting: "manual", retentionRule: { key: "latestPushedK", value: 3 } } as const;
  await cloud.call(registry.createTagRetentionRule, asked);
  const retentionId = (await cloud.call(registry.describeTagRetentionRules, { registryId })).retentionPolicyList[0]?.retentionId ?? 0;
  await cloud.call(registry.modifyTagRetentionRule, { ...asked, retentionId });
  const both = ["ModifyTagRetentionRule", "CreateTagRetentionRule"];
  expect(await actions(cloud, namespaceId)).toEqual(both);
  expect(await actions(cloud, "team")).toEqual([...both, "CreateNamespace"]);
  expect(await actions(cloud, retentionId)).toEqual(["ModifyTagRetentionRule"]);
});

test("a call is found by a security group, by the cluster of a filter, and by an id in JSON as text", async () => {
  const { cloud, running, group, vpcId } = await clusterStage();
  const clusterId = await running();
  const securityGroup = await group();
  await cloud.call(createClusterEndpoint, { clusterId, isExtranet: true, securityGroup }).catch(() => undefined);
  const filter = [
    { name: "ClusterId", values: [clusterId] },
    { name: "TaskType", values: ["node_upgrade"] },
  ];
  await cloud.call(describeTasks, { filter });
  const pool = { clusterId, enableAutoscale: false, instanceAdvancedSettings: {} };
  const asked = { autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: ["subnet-1"] }), launchConfigurePara: "{}" };
  await cloud.call(createClusterNodePool, { ...pool, ...asked }).catch(() => undefined);
  expect(await actions(cloud, securityGroup)).toEqual(["CreateClusterEndpoint", "CreateSecurityGroup"]);
  expect((await actions(cloud, clusterId)).slice(0, 2)).toEqual(["CreateClusterNodePool", "DescribeTasks"]);
  expect(await actions(cloud, "subnet-1")).toEqual(["CreateClusterNodePool"]);
  expect(await actions(cloud, "node_upgrade")).toEqual([]);
});

test("a call about a resource of another region is found in that region, with the one that was called", async () => {
  const { cloud, cloudIn, region } = registryStage();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const there = cloudIn("ap-singapore");
  const tag = { serviceType: "vpc", resourcePrefix: "vpc", resourceRegion: region, tagKey: "team", tagValue: "web" };
  await there.call(attachResourcesTag, { ...tag, resourceIds: [vpcId] });
  const resource = resourceName({ ...resourceKinds.vpc, region, account: "", id: vpcId });
  await there.call(modifyResourceTags, { resource, deleteTags: [{ tagKey: "team" }] });
  expect(await actions(there, vpcId)).toEqual([]);
  const called = { eventRegion: "ap-singapore", resourceRegion: region };
  expect(await found(cloud, vpcId)).toMatchObject([
    { eventName: "ModifyResourceTags", ...called },
    { eventName: "AttachResourcesTag", ...called },
    { eventName: "CreateVpc", eventRegion: region, resourceRegion: region },
  ]);
});
