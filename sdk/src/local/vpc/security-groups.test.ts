import { expect, test } from "vitest";
import type { z } from "zod";
import * as vpcs from "../../catalogue/vpc.ts";
import { putInstance, removeInstance } from "../out-of-band.ts";
import { refused, region, stage } from "../stage.fixture.ts";

function start() {
  const at = stage("groups");
  const policy = { protocol: "ALL", action: "ACCEPT" };
  const admit = (to: string, from: string) =>
    at.cloud.call(vpcs.createSecurityGroupPolicies, {
      securityGroupId: to,
      securityGroupPolicySet: { ingress: [{ ...policy, securityGroupId: from }] },
    });
  return { ...at, admit };
}

test("a group's record has the field names of the specification and of the public API", async () => {
  const { cloud } = start();
  const { securityGroup } = await cloud.call(vpcs.createSecurityGroup, { groupName: "web", groupDescription: "of the web" });
  expect(securityGroup).toMatchObject({
    groupName: "web",
    groupDescription: "of the web",
    securityGroupName: "web",
    securityGroupDesc: "of the web",
    projectId: "0",
    isDefault: false,
  });
  const { securityGroupSet } = await cloud.call(vpcs.describeSecurityGroups, { securityGroupIds: [securityGroup.securityGroupId] });
  expect(securityGroupSet).toEqual([securityGroup]);
});

test.each([
  [{ groupName: "" }, "InvalidParameterValue.Empty"],
  [{ groupName: "x".repeat(61) }, "InvalidParameterValue.TooLong"],
  [{ groupDescription: "x".repeat(101) }, "InvalidParameterValue.TooLong"],
])("%j is refused with %s", async (given, code) => {
  const { cloud, group } = start();
  await refused(cloud.call(vpcs.createSecurityGroup, { groupName: "g", groupDescription: "", ...given }), code);
  await refused(cloud.call(vpcs.modifySecurityGroupAttribute, { securityGroupId: await group(), ...given }), code);
});

test("name and description change one by one", async () => {
  const { cloud, group } = start();
  const securityGroupId = await group("g", "d");
  await cloud.call(vpcs.modifySecurityGroupAttribute, { securityGroupId, groupName: "h" });
  await cloud.call(vpcs.modifySecurityGroupAttribute, { securityGroupId, groupDescription: "" });
  const { securityGroupSet } = await cloud.call(vpcs.describeSecurityGroups, { securityGroupIds: [securityGroupId] });
  expect(securityGroupSet).toMatchObject([{ groupName: "h", groupDescription: "" }]);
  await refused(cloud.call(vpcs.modifySecurityGroupAttribute, { securityGroupId: "sg-00000000", groupName: "h" }), "ResourceNotFound");
});

test("a group in use cannot be deleted, nor can its VPC; the messages name what is in the way", async () => {
  const { world, cloud, group, vpc, subnet } = start();
  const securityGroupId = await group();
  const { vpcId } = await vpc();
  const { subnetId } = await subnet(vpcId);
  const id = await putInstance(world, { region, vpcId, subnetId, securityGroupIds: [securityGroupId] });
  await expect(cloud.call(vpcs.deleteVpc, { vpcId })).rejects.toThrow(securityGroupId);
  await expect(cloud.call(vpcs.deleteSecurityGroup, { securityGroupId })).rejects.toThrow(new RegExp(`${id}.*ResourceInUse`));
  await removeInstance(world, region, id);
  await cloud.call(vpcs.deleteSecurityGroup, { securityGroupId });
  await refused(cloud.call(vpcs.deleteSecurityGroup, { securityGroupId }), "ResourceNotFound");
  await refused(cloud.call(vpcs.describeSecurityGroups, { securityGroupIds: [securityGroupId] }), "ResourceNotFound");
});

test("a group that another group's rule names cannot be deleted; one that only its own rules name can", async () => {
  const { cloud, group, admit } = start();
  const [one, two] = [await group("one"), await group("two")];
  await admit(one, one);
  await admit(two, one);
  await expect(cloud.call(vpcs.deleteSecurityGroup, { securityGroupId: one })).rejects.toThrow(new RegExp(`${two}.*ResourceInUse`));
  await cloud.call(vpcs.deleteSecurityGroupPolicies, { securityGroupId: two, securityGroupPolicySet: { ingress: [{ policyIndex: 0 }] } });
  await cloud.call(vpcs.deleteSecurityGroup, { securityGroupId: one });
});

test("statistics count the machines, other resources and groups that use a group", async () => {
  const { world, cloud, group, vpc, subnet, admit } = start();
  const [one, two] = [await group("one"), await group("two")];
  await admit(two, one);
  const { vpcId } = await vpc();
  const { subnetId } = await subnet(vpcId);
  for (let count = 0; count < 2; count++) await putInstance(world, { region, vpcId, subnetId, securityGroupIds: [one] });
  const { securityGroupAssociationStatisticsSet: statistics } = await cloud.call(vpcs.describeSecurityGroupAssociationStatistics, {
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
    await refused(cloud.call(vpcs.describeSecurityGroupAssociationStatistics, { securityGroupIds: [...ids] }), code);
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
  await cloud.call(vpcs.modifySecurityGroupAttribute, { securityGroupId: web, groupDescription: "changed" });
  const names = async (input: z.input<typeof vpcs.describeSecurityGroups.input>) =>
    (await cloud.call(vpcs.describeSecurityGroups, input)).securityGroupSet.map(({ groupName }) => groupName);
  expect(await names({ filters: [{ name: "security-group-name", values: ["web"] }] })).toEqual(["web", "web-internal"]);
  expect(await names({ filters: [{ name: "security-group-id", values: [web] }] })).toEqual(["web"]);
  expect(await names({ filters: [{ name: "project-id", values: ["1"] }] })).toEqual([]);
  expect(await names({ orderField: "CreatedTime", orderDirection: "DESC" })).toEqual(["data", "web-internal", "web"]);
  expect(await names({ orderField: "UpdateTime", limit: "2" })).toEqual(["web-internal", "data"]);
  await refused(names({ filters: [{ name: "vpc-id", values: ["x"] }] }), "InvalidParameter");
});
