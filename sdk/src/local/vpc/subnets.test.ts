import { expect, test } from "vitest";
import type { z } from "zod";
import { createSubnet, createVpc, deleteSubnet, describeSubnets, modifySubnetAttribute } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { PlatformError } from "../../operation/errors.ts";
import { putInstance, removeInstance } from "../out-of-band.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";

async function start() {
  const world = World.open(":memory:", { pace: "instant", seed: "subnets" });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt" });
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const subnet = async (cidrBlock: string, given: { subnetName?: string; zone?: string } = {}) =>
    (await cloud.call(createSubnet, { vpcId, subnetName: "s", cidrBlock, zone: "eu-frankfurt-1", ...given })).subnet;
  return { world, cloud, vpcId, subnet };
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
  const id = await putInstance(world, { region: "eu-frankfurt", vpcId, subnetId });
  const free = async () => (await cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.availableIpAddressCount;
  expect(await free()).toBe(252);
  await expect(cloud.call(deleteSubnet, { subnetId })).rejects.toThrow(new RegExp(`${id}.*ResourceInUse`));
  await removeInstance(world, "eu-frankfurt", id);
  expect(await free()).toBe(253);
  await cloud.call(deleteSubnet, { subnetId });
  await expect(cloud.call(deleteSubnet, { subnetId })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test.each([
  ["10.1.0.0/24", "InvalidParameterValue.SubnetRange"],
  ["10.0.0.0/15", "InvalidParameterValue.SubnetRange"],
  ["10.0.0.0/30", "InvalidParameterValue.Malformed"],
  ["10.0.0.1/24", "InvalidParameterValue.Malformed"],
  ["2001:db8::/64", "InvalidParameterValue.Malformed"],
])("range %s is refused with %s", async (cidrBlock, code) => {
  const { subnet } = await start();
  await expect(subnet(cidrBlock)).rejects.toMatchObject({ code });
});

test("ranges of the subnets of a VPC cannot overlap; the message names the other subnet", async () => {
  const { subnet } = await start();
  await subnet("10.0.0.0/24");
  const { subnetId } = await subnet("10.0.2.0/24");
  await subnet("10.0.3.0/24");
  for (const cidrBlock of ["10.0.2.0/24", "10.0.2.128/25"]) {
    await expect(subnet(cidrBlock)).rejects.toThrow(new RegExp(`${subnetId}.*InvalidParameter.SubnetConflict`));
  }
  await expect(subnet("10.0.0.0/20")).rejects.toMatchObject({ code: "InvalidParameter.SubnetConflict" });
  await subnet("10.0.1.0/24");
});

test.each(["eu-frankfurt-4", "eu-frankfurt-9", "ap-singapore-1", ""])(
  "zone %j is refused, and the message has the available ones",
  async (zone) => {
    const { subnet } = await start();
    await expect(subnet("10.0.0.0/24", { zone })).rejects.toThrow(
      /take eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3 \(InvalidZone\.ZoneNotAvailable/,
    );
  },
);

test.each([
  ["", "InvalidParameterValue.Empty"],
  ["x".repeat(61), "InvalidParameterValue.TooLong"],
])("name %j is refused with %s", async (subnetName, code) => {
  const { cloud, subnet } = await start();
  await expect(subnet("10.0.0.0/24", { subnetName })).rejects.toMatchObject({ code });
  const { subnetId } = await subnet("10.0.0.0/24");
  await expect(cloud.call(modifySubnetAttribute, { subnetId, subnetName })).rejects.toMatchObject({ code });
});

test("name and broadcast change one by one", async () => {
  const { cloud, subnet } = await start();
  const made = await subnet("10.0.0.0/24");
  await cloud.call(modifySubnetAttribute, { subnetId: made.subnetId, subnetName: "t" });
  await cloud.call(modifySubnetAttribute, { subnetId: made.subnetId, enableBroadcast: "true" });
  const { subnetSet } = await cloud.call(describeSubnets, { subnetIds: [made.subnetId] });
  expect(subnetSet).toEqual([{ ...made, subnetName: "t", enableBroadcast: true }]);
});

test("a subnet needs a VPC of the region", async () => {
  const { cloud } = await start();
  const made = cloud.call(createSubnet, { vpcId: "vpc-00000000", subnetName: "s", cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" });
  await expect(made).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("any value of a filter matches; several filters must all match", async () => {
  const { cloud, vpcId, subnet } = await start();
  const { vpc: other } = await cloud.call(createVpc, { vpcName: "b", cidrBlock: "10.1.0.0/16" });
  const made = [
    await subnet("10.0.1.0/24", { subnetName: "web-1" }),
    await subnet("10.0.2.0/24", { subnetName: "web-2", zone: "eu-frankfurt-2" }),
    await subnet("10.0.3.0/24", { subnetName: "data" }),
  ];
  const { subnet: last } = await cloud.call(createSubnet, {
    vpcId: other.vpcId,
    subnetName: "web-3",
    cidrBlock: "10.1.0.0/24",
    zone: "eu-frankfurt-1",
    tags: [{ key: "team", value: "web" }],
  });
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
  const refusal = async (input: z.input<typeof describeSubnets.input>) => {
    try {
      await cloud.call(describeSubnets, input);
      return "answered";
    } catch (error) {
      return error instanceof PlatformError ? `${error.code}: ${error.reason}` : "another error";
    }
  };
  const filters = [{ name: "zone", values: ["eu-frankfurt-1"] }];
  expect(await refusal({ filters: [{ name: "vpcId", values: ["x"] }] })).toMatch(/^InvalidParameter: .*vpcId.*subnet-id, vpc-id/);
  expect(await refusal({ filters: [{ name: "tag:", values: ["x"] }] })).toMatch(/^InvalidParameter: /);
  expect(await refusal({ filters: [{ name: "constructor", values: ["x"] }] })).toMatch(/^InvalidParameter: /);
  expect(await refusal({ filters: [{ name: "zone", values: [] }] })).toMatch(/^InvalidParameter: /);
  expect(await refusal({ subnetIds: [subnetId], filters })).toMatch(/^InvalidParameter.Coexist: SubnetIds and Filters/);
  expect(await refusal({ subnetIds: [subnetId, "subnet-00000000"] })).toMatch(/^ResourceNotFound: .*subnet-00000000/);
  const many = Array.from({ length: 101 }, (_, index) => `subnet-${index}`);
  expect(await refusal({ subnetIds: many })).toMatch(/^InvalidParameterValue.LimitExceeded: .*101/);
  expect(await refusal({ limit: "101" })).toMatch(/^InvalidParameterValue.Range: Limit is 101; it takes 1 to 100/);
  expect(await refusal({ limit: "0" })).toMatch(/^InvalidParameterValue.Range/);
  expect(await refusal({ offset: "-1" })).toMatch(/^InvalidParameterValue.Range/);
  expect(await refusal({ offset: "ten" })).toMatch(/^InvalidParameterValue.Malformed/);
  expect(await refusal({ subnetIds: [], filters })).toBe("answered");
  expect(await refusal({ maxResults: 101 })).toMatch(/^InvalidParameterValue.Range: MaxResults is 101; it takes 1 to 100/);
  expect(await refusal({ nextToken: "" })).toMatch(/^InvalidParameter: NextToken/);
  expect(await refusal({ nextToken: "1", offset: "1" })).toMatch(/^InvalidParameter.Coexist: Offset and Limit/);
  expect(await refusal({ maxResults: 1, limit: "1" })).toMatch(/^InvalidParameter.Coexist: Offset and Limit/);
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
