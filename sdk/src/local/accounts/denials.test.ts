import { expect, test } from "vitest";
import * as cluster from "../../catalogue/cluster.ts";
import * as registry from "../../catalogue/registry.ts";
import { attachResourcesTag, modifyResourceTags } from "../../catalogue/tag.ts";
import { createSecurityGroup, createVpc, describeVpcs, modifyVpcAttribute } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { resourceKinds, resourceName } from "../../formats/resource-name.ts";
import { stage as clusterStage } from "../cluster/stage.fixture.ts";
import { LocalPlatform } from "../platform.ts";
import { numberOfRegion } from "../regions.ts";
import { stage as registryStage } from "../registry/stage.fixture.ts";
import type { World } from "../store/world.ts";
import { putSubAccount } from "./accounts.ts";

const denied = { code: "AuthFailure.UnauthorizedOperation", kind: "unauthorized" };
const tags = [{ key: "stage", value: "live" }];
const elsewhere = "ap-singapore";

/** A sub-account that may do everything, but nothing to what has the tag. */
async function deniedIn(world: World) {
  const tag = { key: "stage", value: "live" };
  const uin = await putSubAccount(world, { name: "user", allow: ["*"], deny: [{ permissions: ["*"], tag }] });
  const transport = new LocalPlatform(world, { uin });
  return (region = "eu-frankfurt") => new Cloud({ transport, region, retries: { attempts: 1, pause: 0, longest: 0 } });
}

test("a sub-account cannot lift its own denial from another region", async () => {
  const { world, cloud, region } = registryStage();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16", tags })).vpc;
  const at = await deniedIn(world);
  const resource = resourceName({ ...resourceKinds.vpc, region, account: "", id: vpcId });
  for (const place of [region, elsewhere]) {
    const lifted = { resource, deleteTags: [{ tagKey: "stage" }] };
    await expect(at(place).call(modifyResourceTags, lifted)).rejects.toMatchObject(denied);
    const attached = { serviceType: "vpc", resourcePrefix: "vpc", resourceRegion: region, tagKey: "stage", tagValue: "trial" };
    await expect(at(place).call(attachResourcesTag, { ...attached, resourceIds: [vpcId] })).rejects.toMatchObject(denied);
  }
  expect((await cloud.call(describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.tagSet).toEqual(tags);
});

test("a denial counts for a namespace, however a call names it", async () => {
  const { world, cloud, running } = registryStage();
  const [registryId, other] = [await running(), await running("other-images")];
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "live", isPublic: false, tagSpecification: { tags } });
  for (const id of [registryId, other])
    await cloud.call(registry.createNamespace, { registryId: id, namespaceName: "free", isPublic: false });
  const at = (await deniedIn(world))();
  const { namespaceList } = await cloud.call(registry.describeNamespaces, { registryId, namespaceName: "live" });
  const namespaceId = namespaceList[0]?.namespaceId ?? 0;
  const rule = { registryId, namespaceId, cronSetting: "manual", retentionRule: { key: "latestPushedK", value: 1 } } as const;
  await expect(at.call(registry.modifyNamespace, { registryId, namespaceName: "live", isPublic: true })).rejects.toMatchObject(denied);
  await expect(at.call(registry.createRepository, { registryId, namespaceName: "live", repositoryName: "web" })).rejects.toMatchObject(
    denied,
  );
  await expect(at.call(registry.createTagRetentionRule, rule)).rejects.toMatchObject(denied);
  await cloud.call(registry.createTagRetentionRule, rule);
  const retentionId = (await cloud.call(registry.describeTagRetentionRules, { registryId })).retentionPolicyList[0]?.retentionId ?? 0;
  await expect(at.call(registry.deleteTagRetentionRule, { registryId, retentionId })).rejects.toMatchObject(denied);
  const pulling = (resource: string) => ({ registryId, name: "robot", permissions: [{ resource, actions: ["reg:PullRepository"] }] });
  await expect(at.call(registry.createServiceAccount, pulling("live/"))).rejects.toMatchObject(denied);
  const copied = { name: "copy", destNamespace: "live", override: true, filters: [{ type: "name" as const, value: "**" }] };
  const asked = { sourceRegistryId: other, destinationRegistryId: registryId, rule: copied };
  await expect(at.call(registry.manageReplication, asked)).rejects.toMatchObject(denied);
  await at.call(registry.modifyNamespace, { registryId, namespaceName: "free", isPublic: true });
  await at.call(registry.manageReplication, { ...asked, rule: { ...copied, destNamespace: "free" } });
  await at.call(registry.createServiceAccount, pulling("free/"));
});

test("a denial counts for a registry of another region that images are copied to", async () => {
  const { world, cloudIn, create, running, cloud } = registryStage();
  const [source, there] = [await running("from-images", cloud, "premium"), cloudIn(elsewhere)];
  await create("spare-images", there);
  const { registryId } = await there.call(registry.createInstance, {
    registryName: "to-images",
    registryType: "premium",
    tagSpecification: { tags },
  });
  world.advance(2000);
  await there.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const at = (await deniedIn(world))();
  const rule = { name: "copy", destNamespace: "team", override: true, filters: [{ type: "name" as const, value: "**" }] };
  const asked = { sourceRegistryId: source, destinationRegistryId: registryId, destinationRegionId: numberOfRegion(elsewhere), rule };
  await expect(at.call(registry.manageReplication, asked)).rejects.toMatchObject(denied);
});

test("a denial counts for an id in a field of any name, and in a parameter that is JSON as text", async () => {
  const { world, cloud, running, vpcId, settings } = await clusterStage();
  const clusterId = await running();
  const { securityGroup } = await cloud.call(createSecurityGroup, { groupName: "g", groupDescription: "", tags });
  const group = securityGroup.securityGroupId;
  const at = (await deniedIn(world))();
  await expect(at.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: group })).rejects.toMatchObject(denied);
  const pool = {
    clusterId,
    enableAutoscale: false,
    autoScalingGroupPara: JSON.stringify({ VpcId: vpcId, SubnetIds: settings.subnetIds, MinSize: 0, MaxSize: 1 }),
    instanceAdvancedSettings: {},
  };
  const launch = { InstanceType: "SA5.MEDIUM4", SecurityGroupIds: [group] };
  await expect(at.call(cluster.createClusterNodePool, { ...pool, launchConfigurePara: JSON.stringify(launch) })).rejects.toMatchObject(
    denied,
  );
  const masters = [{ nodeRole: "MASTER_ETCD" as const, runInstancesPara: [` ${JSON.stringify(launch)}`] }];
  await expect(at.call(cluster.scaleOutClusterMaster, { clusterId, runInstancesForNode: masters })).rejects.toMatchObject(denied);
  await expect(
    at.call(cluster.addExistedInstances, { clusterId, instanceIds: ["ins-00000000"], securityGroupIds: [group] }),
  ).rejects.toMatchObject(denied);
  await at.call(cluster.createClusterNodePool, { ...pool, launchConfigurePara: JSON.stringify({ ...launch, SecurityGroupIds: [] }) });
});

test("a denial counts for the cluster of edge machines; what a tag or a description says names nothing", async () => {
  const { world, cloud, vpcId } = await clusterStage();
  const { vpc } = await cloud.call(createVpc, { vpcName: "live", cidrBlock: "10.9.0.0/16", tags });
  const at = (await deniedIn(world))();
  const edge = { clusterId: vpc.vpcId, moduleId: "em-00000000", zoneInstanceCountIspSet: [] };
  await expect(at.call(cluster.createEcmInstances, edge)).rejects.toMatchObject(denied);
  await at.call(createSecurityGroup, { groupName: "g", groupDescription: vpc.vpcId, tags: [{ key: "of", value: vpc.vpcId }] });
  await at.call(modifyVpcAttribute, { vpcId, vpcName: "b" });
});
