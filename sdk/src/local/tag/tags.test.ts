import { expect, test } from "vitest";
import type { z } from "zod";
import { attachResourcesTag, getResources, modifyResourceTags } from "../../catalogue/tag.ts";
import * as vpcs from "../../catalogue/vpc.ts";
import { parseResourceName, resourceKinds, resourceName } from "../../formats/resource-name.ts";
import { refused, region, stage } from "../stage.fixture.ts";

async function start() {
  const at = stage("tags");
  const { world, cloud } = at;
  const { vpcId } = await at.vpc("10.0.0.0/16", { tags: [{ key: "team", value: "net" }] });
  const nameOf = (kind: keyof typeof resourceKinds, id: string, account = world.account) =>
    resourceName({ ...resourceKinds[kind], region, account, id });
  const tags = async () => (await cloud.call(vpcs.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.tagSet;
  return { ...at, vpcId, nameOf, tags, resource: nameOf("vpc", vpcId) };
}

test("a resource name has six segments, and is parsed into what it was made of", () => {
  const name = { service: "cvm", region, account: "100000000001", type: "sg", id: "sg-1" };
  expect(resourceName(name)).toBe("cp::cvm:eu-frankfurt:uin/100000000001:sg/sg-1");
  expect(parseResourceName(resourceName(name))).toEqual(name);
  const others = ["", "vpc-1", "qcs::vpc:r:uin/1:vpc/v", "cp:x:vpc:r:uin/1:vpc/v", "cp::vpc:r:1:vpc/v"];
  for (const text of [...others, "cp::vpc:r:uin/1:vpc", "cp::vpc:r:uin/1:/v", "cp::vpc:r:uin/1:vpc/v:w"])
    expect(parseResourceName(text)).toBeUndefined();
});

test("tags are added, changed and removed; the others stay", async () => {
  const { cloud, resource, tags } = await start();
  await cloud.call(modifyResourceTags, { resource, replaceTags: [{ tagKey: "env", tagValue: "dev" }] });
  await cloud.call(modifyResourceTags, {
    resource,
    replaceTags: [
      { tagKey: "team", tagValue: "core" },
      { tagKey: "cost", tagValue: "" },
    ],
    deleteTags: [{ tagKey: "env" }, { tagKey: "absent" }],
  });
  expect(await tags()).toEqual([
    { key: "team", value: "core" },
    { key: "cost", value: "" },
  ]);
});

test("subnets and security groups take tags too, and an empty account in a name is the caller's", async () => {
  const { cloud, vpcId, nameOf, subnet, group } = await start();
  const { subnetId } = await subnet(vpcId);
  const replaceTags = [{ tagKey: "team", tagValue: "web" }];
  await cloud.call(modifyResourceTags, { resource: nameOf("subnet", subnetId), replaceTags });
  await cloud.call(modifyResourceTags, { resource: nameOf("securityGroup", await group(), ""), replaceTags });
  const tagSet = [{ key: "team", value: "web" }];
  const filters = [{ name: "tag:team", values: ["web"] }];
  expect((await cloud.call(vpcs.describeSubnets, { filters })).subnetSet).toMatchObject([{ subnetId, tagSet }]);
  expect((await cloud.call(vpcs.describeSecurityGroups, { filters })).securityGroupSet).toMatchObject([{ tagSet }]);
});

test("invalid tags and names are refused, and change nothing", async () => {
  const { cloud, resource, tags, nameOf, vpcId } = await start();
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ tagKey: `k${index}`, tagValue: "v" }));
  const tag = { tagKey: "k", tagValue: "v" };
  const wrong: [string, z.input<typeof modifyResourceTags.input>][] = [
    ["MissingParameter", { resource }],
    ["InvalidParameterValue.DeleteTagsParamError", { resource, replaceTags: [tag], deleteTags: [{ tagKey: "k" }] }],
    ["InvalidParameterValue.Duplicate", { resource, replaceTags: [tag, tag] }],
    ["InvalidParameterValue.Empty", { resource, replaceTags: [{ ...tag, tagKey: "" }] }],
    ["InvalidParameterValue.TooLong", { resource, replaceTags: [{ ...tag, tagKey: "k".repeat(128) }] }],
    ["InvalidParameterValue.TooLong", { resource, replaceTags: [{ ...tag, tagValue: "v".repeat(256) }] }],
    ["LimitExceeded.ResourceAttachedTags", { resource, replaceTags: many(50) }],
    ["ResourceNotFound", { resource: nameOf("vpc", "vpc-00000000"), replaceTags: [tag] }],
    ["InvalidParameterValue.ResourceDescriptionError", { resource: vpcId, replaceTags: [tag] }],
    ["InvalidParameterValue.ResourceDescriptionError", { resource: nameOf("vpc", vpcId, "100000000002"), replaceTags: [tag] }],
    ["InvalidParameterValue.ResourceDescriptionError", { resource: resource.replace(region, "mars"), replaceTags: [tag] }],
    ["InvalidParameterValue.ResourceDescriptionError", { resource: resource.replace("::vpc:", "::dns:"), replaceTags: [tag] }],
  ];
  for (const [code, input] of wrong) await refused(cloud.call(modifyResourceTags, input), code);
  expect(await tags()).toEqual([{ key: "team", value: "net" }]);
  await cloud.call(modifyResourceTags, { resource, replaceTags: many(49) });
  expect(await tags()).toHaveLength(50);
});

test("a tag is given to several resources at once: one that has it gets the new value, and other tags stay", async () => {
  const { cloud, vpc, vpcId, tags } = await start();
  const other = (await vpc("10.1.0.0/16")).vpcId;
  const kind = { serviceType: "vpc", resourcePrefix: "vpc" };
  const attach = (input: Partial<z.input<typeof attachResourcesTag.input>>) =>
    cloud.call(attachResourcesTag, { ...kind, resourceIds: [vpcId, other], tagKey: "state", tagValue: "new", ...input });
  await attach({});
  await attach({ resourceIds: [vpcId], tagValue: "old", resourceRegion: "eu-frankfurt" });
  expect(await tags()).toEqual([
    { key: "team", value: "net" },
    { key: "state", value: "old" },
  ]);
  expect((await cloud.call(vpcs.describeVpcs, { vpcIds: [other] })).vpcSet[0]?.tagSet).toEqual([{ key: "state", value: "new" }]);
  const wrong: [string, Parameters<typeof attach>[0]][] = [
    ["InvalidParameterValue.LimitExceeded", { resourceIds: Array.from({ length: 51 }, () => vpcId) }],
    ["ResourceNotFound", { resourceIds: [vpcId, "vpc-00000000"], tagValue: "never" }],
    ["ResourceNotFound", { resourceRegion: "na-ashburn", tagValue: "never" }],
    ["InvalidParameterValue.ResourceDescriptionError", { resourceRegion: "nowhere" }],
    ["InvalidParameterValue.ResourceDescriptionError", { resourcePrefix: "dns" }],
    ["InvalidParameterValue.Empty", { tagKey: "" }],
  ];
  for (const [code, input] of wrong) await refused(attach(input), code);
  expect(await tags()).toContainEqual({ key: "state", value: "old" });
});

test("a VPC cannot be created with tags that it could not be given later", async () => {
  const { vpc } = await start();
  const made = (count: number, key = (index: number) => `k${index}`) =>
    vpc("10.1.0.0/16", { tags: Array.from({ length: count }, (_, index) => ({ key: key(index), value: "v" })) });
  await refused(made(51), "LimitExceeded.ResourceAttachedTags", { kind: "limit" });
  await refused(
    made(2, () => "same"),
    "InvalidParameterValue.Duplicate",
  );
  await made(50);
});

test("tags are read by name, by tag and page by page", async () => {
  const { cloud, resource, nameOf, vpc } = await start();
  for (let index = 1; index <= 3; index++) await vpc(`10.${index}.0.0/16`, { tags: [{ key: "n", value: String(index) }] });
  await vpc("10.9.0.0/16");
  const read = async (input: z.input<typeof getResources.input>) => (await cloud.call(getResources, input)).resourceTagMappingList;
  expect(await read({ resourceList: [resource, nameOf("vpc", "vpc-00000000")] })).toEqual([
    { resource, tags: [{ tagKey: "team", tagValue: "net" }] },
  ]);
  expect(await read({})).toHaveLength(4);
  expect(await read({ tagFilters: [{ tagKey: "n" }] })).toHaveLength(3);
  expect(await read({ tagFilters: [{ tagKey: "n", tagValue: ["1", "2"] }] })).toHaveLength(2);
  expect(await read({ tagFilters: [{ tagKey: "n" }, { tagKey: "team" }] })).toEqual([]);
  const first = await cloud.call(getResources, { maxResults: 3 });
  const last = await cloud.call(getResources, { maxResults: 3, paginationToken: first.paginationToken });
  expect([first.resourceTagMappingList.length, last.resourceTagMappingList.length, last.paginationToken]).toEqual([3, 1, ""]);
  const wrong: [string, z.input<typeof getResources.input>][] = [
    ["InvalidParameterValue.ResourceDescriptionError", { resourceList: ["vpc"] }],
    ["InvalidParameterValue.LimitExceeded", { resourceList: Array.from({ length: 51 }, () => resource) }],
    ["InvalidParameterValue.Range", { maxResults: 201 }],
    ["InvalidParameter", { paginationToken: "x" }],
  ];
  for (const [code, input] of wrong) await refused(cloud.call(getResources, input), code);
});
