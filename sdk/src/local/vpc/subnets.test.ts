import { expect, test } from "vitest";
import type { z } from "zod";
import { deleteSubnet, describeSubnets, modifySubnetAttribute } from "../../catalogue/vpc.ts";
import { putInstance, removeInstance } from "../out-of-band.ts";
import { refused, region, stage } from "../stage.fixture.ts";

async function start() {
  const at = stage("subnets");
  const { vpcId } = await at.vpc();
  const subnet = (cidrBlock: string, given: Parameters<typeof at.subnet>[2] = {}) => at.subnet(vpcId, cidrBlock, given);
  return { ...at, at, vpcId, subnet };
}

test.each([
  ["10.0.0.0/24", 253],
  ["10.0.0.0/16", 65_533],
  ["10.0.0.8/29", 5],
])("subnet %s can assign %i addresses", async (cidrBlock, count) => {
  const { subnet } = await start();
  expect(await subnet(cidrBlock)).toMatchObject({ cidrBlock, availableIpAddressCount: count, totalIpAddressCount: count });
});

test("machines take addresses, and release them", async () => {
  const { cloud, world, vpcId, subnet } = await start();
  const { subnetId } = await subnet("10.0.0.0/24");
  const id = await putInstance(world, { region, vpcId, subnetId });
  const free = async () => (await cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.availableIpAddressCount;
  expect(await free()).toBe(252);
  await expect(cloud.call(deleteSubnet, { subnetId })).rejects.toThrow(new RegExp(`${id}.*ResourceInUse`));
  await removeInstance(world, region, id);
  expect(await free()).toBe(253);
  await cloud.call(deleteSubnet, { subnetId });
  await refused(cloud.call(deleteSubnet, { subnetId }), "ResourceNotFound");
});

test.each([
  ["10.1.0.0/24", "InvalidParameterValue.SubnetRange"],
  ["10.0.0.0/15", "InvalidParameterValue.SubnetRange"],
  ["10.0.0.0/30", "InvalidParameterValue.Malformed"],
  ["10.0.0.1/24", "InvalidParameterValue.Malformed"],
  ["2001:db8::/64", "InvalidParameterValue.Malformed"],
])("range %s is refused with %s", async (cidrBlock, code) => {
  const { subnet } = await start();
  await refused(subnet(cidrBlock), code);
});

test.each([
  ["", "InvalidParameterValue.Empty"],
  ["x".repeat(61), "InvalidParameterValue.TooLong"],
])("name %j is refused with %s", async (subnetName, code) => {
  const { cloud, subnet } = await start();
  await refused(subnet("10.0.0.0/24", { subnetName }), code);
  const { subnetId } = await subnet("10.0.0.0/24");
  await refused(cloud.call(modifySubnetAttribute, { subnetId, subnetName }), code);
});

test("name and broadcast change one by one", async () => {
  const { cloud, subnet } = await start();
  const made = await subnet("10.0.0.0/24");
  await cloud.call(modifySubnetAttribute, { subnetId: made.subnetId, subnetName: "t" });
  await cloud.call(modifySubnetAttribute, { subnetId: made.subnetId, enableBroadcast: "true" });
  await cloud.call(modifySubnetAttribute, { subnetId: made.subnetId, subnetName: "u" });
  const { subnetSet } = await cloud.call(describeSubnets, { subnetIds: [made.subnetId] });
  expect(subnetSet).toEqual([{ ...made, subnetName: "u", enableBroadcast: true }]);
});

test("a subnet needs a VPC of the region", async () => {
  await refused(stage().subnet("vpc-00000000"), "ResourceNotFound");
});

test("any value of a filter matches; several filters must all match", async () => {
  const { at, cloud, vpcId, subnet } = await start();
  const other = await at.vpc("10.1.0.0/16");
  const made = [
    await subnet("10.0.1.0/24", { subnetName: "web-1" }),
    await subnet("10.0.2.0/24", { subnetName: "web-2", zone: "eu-frankfurt-2" }),
    await subnet("10.0.3.0/24", { subnetName: "data" }),
  ];
  const last = await at.subnet(other.vpcId, "10.1.0.0/24", { subnetName: "web-3", tags: [{ key: "team", value: "web" }] });
  const names = async (...filters: { name: string; values: string[] }[]) => {
    const { subnetSet, totalCount } = await cloud.call(describeSubnets, { filters });
    expect(totalCount).toBe(subnetSet.length);
    return subnetSet.map(({ subnetName }) => subnetName);
  };
  const ids = made.map(({ subnetId }) => subnetId);
  expect(await names({ name: "vpc-id", values: [vpcId] })).toEqual(["web-1", "web-2", "data"]);
  expect(await names({ name: "vpc-id", values: [other.vpcId, vpcId] })).toEqual(["web-3", "web-1", "web-2", "data"]);
  expect(await names({ name: "vpc-id", values: ["vpc-00000000"] })).toEqual([]);
  expect(await names({ name: "subnet-name", values: ["web"] })).toEqual(["web-1", "web-2", "web-3"]);
  expect(await names({ name: "subnet-name", values: ["web"] }, { name: "zone", values: ["eu-frankfurt-1"] })).toEqual(["web-1", "web-3"]);
  expect(await names({ name: "zone", values: ["eu-frankfurt-2", "eu-frankfurt-3"] })).toEqual(["web-2"]);
  expect(await names({ name: "subnet-id", values: [...ids, "subnet-00000000"] }, { name: "vpc-id", values: [vpcId] })).toHaveLength(3);
  expect(await names({ name: "subnet-id", values: [last.subnetId] }, { name: "vpc-id", values: [vpcId] })).toEqual([]);
  expect(await names({ name: "tag-key", values: ["team"] })).toEqual(["web-3"]);
  expect(await names({ name: "tag:team", values: ["web", "net"] })).toEqual(["web-3"]);
  expect(await names({ name: "tag:team", values: ["net"] })).toEqual([]);
  expect(await names({ name: "cidr-block", values: ["10.0.3.0/24"] })).toEqual(["data"]);
});

test("wrong filters, ids and pages are refused", async () => {
  const { cloud, subnet } = await start();
  const { subnetId } = await subnet("10.0.0.0/24");
  const refusal = (input: z.input<typeof describeSubnets.input>, code: string, reason = "") =>
    refused(cloud.call(describeSubnets, input), code, { reason: expect.stringMatching(reason) });
  const filters = [{ name: "zone", values: ["eu-frankfurt-1"] }];
  await refusal({ filters: [{ name: "vpcId", values: ["x"] }] }, "InvalidParameter", ".*vpcId.*subnet-id, vpc-id");
  await refusal({ filters: [{ name: "tag:", values: ["x"] }] }, "InvalidParameter");
  await refusal({ filters: [{ name: "constructor", values: ["x"] }] }, "InvalidParameter");
  await refusal({ filters: [{ name: "zone", values: [] }] }, "InvalidParameter");
  await refusal({ subnetIds: [subnetId], filters }, "InvalidParameter.Coexist", "SubnetIds and Filters");
  await refusal({ subnetIds: [subnetId, "subnet-00000000"] }, "ResourceNotFound", ".*subnet-00000000");
  const many = Array.from({ length: 101 }, (_, index) => `subnet-${index}`);
  await refusal({ subnetIds: many }, "InvalidParameterValue.LimitExceeded", ".*101");
  await refusal({ limit: "101" }, "InvalidParameterValue.Range", "Limit is 101; it takes 1 to 100");
  await refusal({ limit: "0" }, "InvalidParameterValue.Range");
  await refusal({ offset: "-1" }, "InvalidParameterValue.Range");
  await refusal({ offset: "ten" }, "InvalidParameterValue.Malformed");
  await cloud.call(describeSubnets, { subnetIds: [], filters });
  await refusal({ maxResults: 101 }, "InvalidParameterValue.Range", "MaxResults is 101; it takes 1 to 100");
  await refusal({ nextToken: "" }, "InvalidParameter", "NextToken");
  await refusal({ nextToken: "1", offset: "1" }, "InvalidParameter.Coexist", "Offset and Limit");
  await refusal({ maxResults: 1, limit: "1" }, "InvalidParameter.Coexist", "Offset and Limit");
});

test("pages follow each other without gap or overlap, with filters or without", async () => {
  const { cloud, vpcId, subnet } = await start();
  const ids: string[] = [];
  for (let index = 0; index < 45; index++) ids.push((await subnet(`10.0.${index}.0/24`)).subnetId);
  const filterings = [[], [{ name: "vpc-id", values: [vpcId] }], [{ name: "zone", values: ["eu-frankfurt-1"] }]];
  for (const filters of filterings) {
    const first = await cloud.call(describeSubnets, { filters });
    expect([first.totalCount, first.subnetSet.length]).toEqual([45, 20]);
    const seen: string[] = [];
    for (let offset = 0; offset < 45; offset += 10) {
      const { subnetSet } = await cloud.call(describeSubnets, { filters, offset: String(offset), limit: "10" });
      seen.push(...subnetSet.map(({ subnetId }) => subnetId));
    }
    expect(seen).toEqual(ids);
    expect((await cloud.call(describeSubnets, { filters, offset: "45" })).subnetSet).toEqual([]);
  }
  expect((await cloud.call(describeSubnets, { subnetIds: ids.slice(5, 40), limit: "100" })).subnetSet).toHaveLength(35);
  const sizes: number[] = [];
  const found: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await cloud.call(describeSubnets, { maxResults: 20, nextToken });
    sizes.push(page.subnetSet.length);
    found.push(...page.subnetSet.map(({ subnetId }) => subnetId));
    ({ nextToken } = page);
  } while (nextToken !== undefined);
  expect([sizes, found]).toEqual([[20, 20, 5], ids]);
});
