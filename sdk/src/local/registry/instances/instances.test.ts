import { expect, test } from "vitest";
import * as registry from "../../../catalogue/registry.ts";
import { getResources, modifyResourceTags } from "../../../catalogue/tag.ts";
import { describeSubnets } from "../../../catalogue/vpc.ts";
import { Cloud } from "../../../client/client.ts";
import { resourceKinds, resourceName } from "../../../formats/resource-name.ts";
import { putAccount } from "../../accounts/accounts.ts";
import { LocalPlatform } from "../../platform.ts";
import { tables } from "../../store/table.ts";
import { bucketsIn, setRegistryStatus } from "../out-of-band.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

test("a registry is Pending, Deploying, then Running, and its conditions have the progress", async () => {
  const at = stage();
  const registryId = await at.create();
  expect(await at.statusOf(registryId)).toMatchObject({ status: "Pending", conditions: [{ type: "Create", status: "Processing" }] });
  at.world.advance(500);
  expect((await at.statusOf(registryId))?.conditions[0]?.reason).toContain("being set up");
  expect(await at.recordOf(registryId)).toMatchObject({ status: "Deploying" });
  at.world.advance(1500);
  expect(await at.statusOf(registryId)).toMatchObject({ status: "Running", conditions: [{ status: "Succeeded", reason: "" }] });
  expect(await at.recordOf(registryId)).toMatchObject({
    registryName: "acme-images",
    registryType: "basic",
    publicDomain: "acme-images.registry.container-platform.internal",
    internalEndpoint: "",
    deletionProtection: false,
    tokenValidTime: 3600,
    createdAt: "2026-01-31T12:00:00Z",
    payMod: 0,
    regionName: "eu-frankfurt",
    regionId: 1,
  });
});

test("a registry whose creation, change or deletion failed has the reason", async () => {
  const at = stage();
  at.platform.faults.add({ resourceType: "registry", endState: "FailedCreated", reason: "no storage left" });
  const failed = await at.running();
  expect(await at.statusOf(failed)).toMatchObject({
    status: "FailedCreated",
    conditions: [{ status: "Failed", reason: "no storage left" }],
  });
  const registryId = await at.running("other-images");
  at.platform.faults.add({ resourceType: "registry", endState: "FailedUpdated", reason: "no licence left" });
  await at.cloud.call(registry.modifyInstance, { registryId, registryType: "premium" });
  expect(await at.statusOf(registryId)).toMatchObject({
    status: "FailedUpdated",
    conditions: [{ type: "Update", reason: "no licence left" }],
  });
  expect((await at.recordOf(registryId))?.registryType).toBe("basic");
  at.platform.faults.add({ resourceType: "registryDeletion", endState: "DeleteBucketFailed", reason: "the bucket is locked" });
  await at.cloud.call(registry.deleteInstance, { registryId });
  at.world.advance(1000);
  expect(await at.statusOf(registryId)).toMatchObject({ status: "DeleteBucketFailed", conditions: [{ reason: "the bucket is locked" }] });
  for (const status of registry.registryStatuses) {
    await setRegistryStatus(at.world, { region: at.region, registryId, status, reason: "so it is" });
    expect((await at.statusOf(registryId))?.status).toBe(status);
  }
});

test("names are unique over all regions, and CheckInstanceName applies the same rules as a creation", async () => {
  const at = stage();
  await at.create("acme-images", at.cloudIn("ap-singapore"));
  const names: [string, number, string][] = [
    ["acme", 1, "InvalidParameter.ErrorNameIllegal"],
    ["Acme-images", 1, "InvalidParameter.ErrorNameIllegal"],
    ["-acme-images", 1, "InvalidParameter.ErrorNameIllegal"],
    ["a".repeat(51), 1, "InvalidParameter.ErrorNameIllegal"],
    ["library", 2, "InvalidParameter.ErrorNameReserved"],
    ["acme-images", 3, "InvalidParameter.ErrorNameExists"],
  ];
  for (const [registryName, detailCode, code] of names) {
    expect(await at.cloud.call(registry.checkInstanceName, { registryName })).toMatchObject({ isValidated: false, detailCode });
    await refused(at.cloud.call(registry.createInstance, { registryName, registryType: "basic" }), code);
  }
  for (const registryName of ["acme5", "a".repeat(50)])
    expect(await at.cloud.call(registry.checkInstanceName, { registryName })).toMatchObject({ isValidated: true, detailCode: 0 });
});

test("names are unique over all main accounts, as each is the domain of one registry", async () => {
  const at = stage();
  await at.create("acme-images");
  const uin = await putAccount(at.world, { name: "other" });
  const other = new Cloud({ transport: new LocalPlatform(at.world, { uin }), region: at.region });
  await refused(
    other.call(registry.createInstance, { registryName: "acme-images", registryType: "basic" }),
    "InvalidParameter.ErrorNameExists",
  );
  expect((await other.call(registry.describeInstances, {})).totalCount).toBe(0);
});

test("registries are listed by id, name and tag, here or in all regions", async () => {
  const at = stage();
  const here = await at.create("one-images");
  const there = await at.create("two-images", at.cloudIn("na-ashburn"));
  const tagSpecification = { tags: [{ key: "team", value: "web" }] };
  const tagged = (await at.cloud.call(registry.createInstance, { registryName: "three-images", registryType: "basic", tagSpecification }))
    .registryId;
  const list = async (
    input: Parameters<typeof at.cloud.call<typeof registry.describeInstances.input, typeof registry.describeInstances.output>>[1],
  ) => (await at.cloud.call(registry.describeInstances, input)).registries.map(({ registryId }) => registryId);
  expect(await list({})).toEqual([here, tagged]);
  expect(await list({ allRegion: true })).toEqual([here, tagged, there]);
  expect(await list({ allRegion: true, registryIds: [there] })).toEqual([there]);
  expect(await list({ registryIds: [here, "tcr-00000000", there] })).toEqual([here]);
  expect(await list({ filters: [{ name: "RegistryName", values: ["one-images"] }] })).toEqual([here]);
  expect(await list({ filters: [{ name: "Tags", values: ["team:web"] }] })).toEqual([tagged]);
  await refused(list({ filters: [{ name: "Tags", values: ["team:web", "team"] }] }), "InvalidParameter", {
    reason: 'filter Tags has "team"; it takes <key>:<value>',
  });
  expect(await list({ offset: 1, limit: 1 })).toEqual([tagged]);
  await refused(list({ filters: [{ name: "registry-id", values: [here] }] }), "InvalidParameter");
  await refused(list({ limit: 101 }), "InvalidParameterValue.Range");
  const registryIds = Array.from({ length: 101 }, (_, index) => `tcr-${index}`);
  const many = { code: "InvalidParameterValue.LimitExceeded" };
  await expect(at.cloud.call(registry.describeInstanceStatus, { registryIds })).rejects.toMatchObject(many);
});

test("edition, versioning and deletion protection can be changed; the first two only of a running registry", async () => {
  const at = stage();
  const registryId = await at.create();
  await refused(
    at.cloud.call(registry.modifyInstance, { registryId, registryType: "standard" }),
    "ResourceInsufficient.ErrorInstanceNotRunning",
    { kind: "transient" },
  );
  await at.cloud.call(registry.modifyInstance, { registryId, deletionProtection: true });
  const removal = () => at.cloud.call(registry.deleteInstance, { registryId });
  await refused(removal(), "OperationDenied", { kind: "protected" });
  at.world.advance(2000);
  await at.cloud.call(registry.modifyInstance, {
    registryId,
    registryType: "premium",
    enableCosVersioning: true,
    deletionProtection: false,
  });
  expect(await at.recordOf(registryId)).toMatchObject({ registryType: "premium", enableCosVersioning: true, deletionProtection: false });
  await at.cloud.call(registry.deleteInstance, { registryId, dryRun: true });
  expect((await at.recordOf(registryId))?.status).toBe("Running");
  const missing = { registryId: "tcr-00000000" };
  await refused(at.cloud.call(registry.modifyInstance, missing), "ResourceNotFound");
  await refused(at.cloud.call(registry.deleteInstance, missing), "ResourceNotFound");
});

test("prepaid registries have the date until which they are paid", async () => {
  const at = stage();
  const create = (input: object) =>
    at.cloud.call(registry.createInstance, { registryName: "acme-images", registryType: "basic", ...input });
  const prepaid = { period: 1, renewFlag: 1 };
  await refused(create({ registryChargeType: 1 }), "MissingParameter");
  await refused(create({ registryChargePrepaid: prepaid }), "InvalidParameter");
  await refused(create({ registryChargeType: 1, registryChargePrepaid: { period: 0, renewFlag: 1 } }), "InvalidParameter");
  const wrongTags = { tagSpecification: { resourceType: "cluster", tags: [] } };
  await refused(create(wrongTags), "InvalidParameter");
  const { registryId } = await create({ registryChargeType: 1, registryChargePrepaid: { period: 12, renewFlag: 1 } });
  expect(await at.recordOf(registryId)).toMatchObject({ payMod: 1, renewFlag: 1, expiredAt: "2027-01-31T12:00:00Z" });
});

test("all of a registry is deleted with it, but its bucket only if asked for", async () => {
  const at = stage();
  const registryId = await at.withNamespace();
  const { vpcId, subnetId } = await at.network();
  await at.cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm" });
  await at.cloud.call(registry.createServiceAccount, {
    registryId,
    name: "ci",
    permissions: [{ resource: "team/", actions: ["reg:PullRepository"] }],
  });
  const namespaceId = (await at.cloud.call(registry.describeNamespaces, { registryId })).namespaceList[0]?.namespaceId ?? 0;
  const retentionRule = { key: "latestPushedK" as const, value: 1 };
  await at.cloud.call(registry.createTagRetentionRule, { registryId, namespaceId, cronSetting: "daily", retentionRule });
  await at.cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  await at.push(registryId, "1");
  await at.cloud.call(registry.deleteInstance, { registryId });
  await at.cloud.call(registry.deleteInstance, { registryId });
  expect(await at.statusOf(registryId)).toMatchObject({ status: "Deleting", conditions: [{ type: "Delete", status: "Processing" }] });
  at.world.advance(1000);
  expect(await at.recordOf(registryId)).toBeUndefined();
  const free = async () => (await at.cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.availableIpAddressCount;
  expect(await free()).toBe(252);
  at.world.advance(300);
  expect(await free()).toBe(253);
  const kept = new Set(["vpcs", "subnets", "routeTables", "buckets"]);
  const left = tables.filter(({ name }) => !kept.has(name) && at.world.prepare(`SELECT 1 FROM "${name}"`).get());
  expect(left.map(({ name }) => name)).toEqual([]);
  expect(bucketsIn(at.world, at.region)).toMatchObject([{ registryId }]);
  const second = await at.running("acme-images");
  await at.cloud.call(registry.deleteInstance, { registryId: second, deleteBucket: true });
  at.world.advance(1000);
  await at.cloud.call(registry.describeInstances, {});
  expect(bucketsIn(at.world, at.region)).toHaveLength(1);
});

test("registries and namespaces take tags of the tag product", async () => {
  const at = stage();
  const registryId = await at.withNamespace();
  const named = { region: at.region, account: "" };
  const ofRegistry = resourceName({ ...resourceKinds.registry, ...named, id: registryId });
  const ofNamespace = resourceName({ ...resourceKinds.namespace, ...named, id: `${registryId}/team` });
  const replaceTags = [{ tagKey: "team", tagValue: "web" }];
  for (const resource of [ofRegistry, ofNamespace]) await at.cloud.call(modifyResourceTags, { resource, replaceTags });
  const tags = [{ key: "team", value: "web" }];
  expect((await at.recordOf(registryId))?.tagSpecification.tags).toEqual(tags);
  const filters = [{ name: "Tags", values: ["team:web"] }];
  expect((await at.cloud.call(registry.describeNamespaces, { registryId, filters })).namespaceList).toMatchObject([
    { tagSpecification: { tags } },
  ]);
  expect((await at.cloud.call(getResources, {})).resourceTagMappingList).toHaveLength(2);
});
