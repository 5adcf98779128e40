import { expect, test } from "vitest";
import type { z } from "zod";
import {
  createSecurityGroup,
  createSecurityGroupPolicies,
  createSubnet,
  createVpc,
  deleteSecurityGroup,
  deleteSecurityGroupPolicies,
  deleteVpc,
  describeSecurityGroupAssociationStatistics,
  describeSecurityGroups,
  modifySecurityGroupAttribute,
} from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { putInstance, removeInstance } from "../out-of-band.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";

const region = "eu-frankfurt";

function start() {
  const world = World.open(":memory:", { pace: "instant", seed: "groups" });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const group = async (groupName = "g") =>
    (await cloud.call(createSecurityGroup, { groupName, groupDescription: "d" })).securityGroup.securityGroupId;
  const policy = { protocol: "ALL", action: "ACCEPT" };
  const admit = (to: string, from: string) =>
    cloud.call(createSecurityGroupPolicies, {
      securityGroupId: to,
      securityGroupPolicySet: { ingress: [{ ...policy, securityGroupId: from }] },
    });
  return { world, cloud, group, admit };
}

test("a group's record has the field names of the specification and of the public API", async () => {
  const { cloud } = start();
  const { securityGroup } = await cloud.call(createSecurityGroup, { groupName: "web", groupDescription: "of the web" });
  expect(securityGroup).toMatchObject({
    groupName: "web",
    groupDescription: "of the web",
    securityGroupName: "web",
    securityGroupDesc: "of the web",
    projectId: "0",
    isDefault: false,
  });
  const { securityGroupSet } = await cloud.call(describeSecurityGroups, { securityGroupIds: [securityGroup.securityGroupId] });
  expect(securityGroupSet).toEqual([securityGroup]);
});

test.each([
  [{ groupName: "" }, "InvalidParameterValue.Empty"],
  [{ groupName: "x".repeat(61) }, "InvalidParameterValue.TooLong"],
  [{ groupDescription: "x".repeat(101) }, "InvalidParameterValue.TooLong"],
])("%j is refused with %s", async (given, code) => {
  const { cloud, group } = start();
  await expect(cloud.call(createSecurityGroup, { groupName: "g", groupDescription: "", ...given })).rejects.toMatchObject({ code });
  await expect(cloud.call(modifySecurityGroupAttribute, { securityGroupId: await group(), ...given })).rejects.toMatchObject({ code });
});

test("name and description change one by one", async () => {
  const { cloud, group } = start();
  const securityGroupId = await group();
  await cloud.call(modifySecurityGroupAttribute, { securityGroupId, groupName: "h" });
  await cloud.call(modifySecurityGroupAttribute, { securityGroupId, groupDescription: "" });
  const { securityGroupSet } = await cloud.call(describeSecurityGroups, { securityGroupIds: [securityGroupId] });
  expect(securityGroupSet).toMatchObject([{ groupName: "h", groupDescription: "" }]);
  const gone = cloud.call(modifySecurityGroupAttribute, { securityGroupId: "sg-00000000", groupName: "h" });
  await expect(gone).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("a group in use cannot be deleted, nor can its VPC; the messages name what is in the way", async () => {
  const { world, cloud, group } = start();
  const securityGroupId = await group();
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const { subnet } = await cloud.call(createSubnet, { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/24", zone: `${region}-1` });
  const id = await putInstance(world, { region, vpcId, subnetId: subnet.subnetId, securityGroupIds: [securityGroupId] });
  await expect(cloud.call(deleteVpc, { vpcId })).rejects.toThrow(securityGroupId);
  await expect(cloud.call(deleteSecurityGroup, { securityGroupId })).rejects.toThrow(new RegExp(`${id}.*ResourceInUse`));
  await removeInstance(world, region, id);
  await cloud.call(deleteSecurityGroup, { securityGroupId });
  await expect(cloud.call(deleteSecurityGroup, { securityGroupId })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(cloud.call(describeSecurityGroups, { securityGroupIds: [securityGroupId] })).rejects.toMatchObject({
    code: "ResourceNotFound",
  });
});

test("a group that another group's rule names cannot be deleted; one that only its own rules name can", async () => {
  const { cloud, group, admit } = start();
  const [one, two] = [await group("one"), await group("two")];
  await admit(one, one);
  await admit(two, one);
  await expect(cloud.call(deleteSecurityGroup, { securityGroupId: one })).rejects.toThrow(new RegExp(`${two}.*ResourceInUse`));
  await cloud.call(deleteSecurityGroupPolicies, { securityGroupId: two, securityGroupPolicySet: { ingress: [{ policyIndex: 0 }] } });
  await cloud.call(deleteSecurityGroup, { securityGroupId: one });
});

test("statistics count the machines, other resources and groups that use a group", async () => {
  const { world, cloud, group, admit } = start();
  const [one, two] = [await group("one"), await group("two")];
  await admit(two, one);
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const { subnet } = await cloud.call(createSubnet, { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/24", zone: `${region}-1` });
  for (let count = 0; count < 2; count++) await putInstance(world, { region, vpcId, subnetId: subnet.subnetId, securityGroupIds: [one] });
  const { securityGroupAssociationStatisticsSet: statistics } = await cloud.call(describeSecurityGroupAssociationStatistics, {
    securityGroupIds: [one, two],
  });
  expect(statistics).toEqual([
    {
      securityGroupId: one,
      cvm: 2,
      cdb: 0,
      eni: 0,
      sg: 1,
      clb: 0,
      totalCount: 2,
      instanceStatistics: [{ instanceType: "CVM", instanceCount: 2 }],
    },
    { securityGroupId: two, cvm: 0, cdb: 0, eni: 0, sg: 0, clb: 0, totalCount: 0, instanceStatistics: [] },
  ]);
  for (const [ids, code] of [
    [[], "InvalidParameterValue.Empty"],
    [["sg-00000000"], "ResourceNotFound"],
    [Array.from({ length: 101 }, () => one), "InvalidParameterValue.LimitExceeded"],
  ] as const)
    await expect(cloud.call(describeSecurityGroupAssociationStatistics, { securityGroupIds: [...ids] })).rejects.toMatchObject({ code });
});

test("statistics have the public API's field names on the wire", async () => {
  const { cloud, group } = start();
  const { body } = await cloud.transport.send({
    product: "vpc",
    action: "DescribeSecurityGroupAssociationStatistics",
    version: "2017-03-12",
    region,
    body: { SecurityGroupIds: [await group()] },
  });
  expect(body).toMatchObject({ SecurityGroupAssociationStatisticsSet: [{ CVM: 0, CDB: 0, ENI: 0, SG: 0, CLB: 0, TotalCount: 0 }] });
});

test("groups are filtered and sorted", async () => {
  const { world, cloud, group } = start();
  world.freeze(Date.UTC(2026, 0, 1));
  const ids: string[] = [];
  for (const name of ["web", "web-internal", "data"]) {
    ids.push(await group(name));
    world.advance(60_000);
  }
  const [web = ""] = ids;
  await cloud.call(modifySecurityGroupAttribute, { securityGroupId: web, groupDescription: "changed" });
  const names = async (input: z.input<typeof describeSecurityGroups.input>) =>
    (await cloud.call(describeSecurityGroups, input)).securityGroupSet.map(({ groupName }) => groupName);
  expect(await names({ filters: [{ name: "security-group-name", values: ["web"] }] })).toEqual(["web", "web-internal"]);
  expect(await names({ filters: [{ name: "security-group-id", values: [web] }] })).toEqual(["web"]);
  expect(await names({ filters: [{ name: "project-id", values: ["1"] }] })).toEqual([]);
  expect(await names({ orderField: "CreatedTime", orderDirection: "DESC" })).toEqual(["data", "web-internal", "web"]);
  expect(await names({ orderField: "UpdateTime", limit: "2" })).toEqual(["web-internal", "data"]);
  await expect(names({ filters: [{ name: "vpc-id", values: ["x"] }] })).rejects.toMatchObject({ code: "InvalidParameter" });
});
