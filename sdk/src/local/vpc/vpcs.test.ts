import { expect, test } from "vitest";
import { createSubnet, createVpc, deleteVpc, describeRouteTables, describeVpcs, modifyVpcAttribute } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { putInstance, putRouteTable } from "../out-of-band.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";

function start(seed = "vpcs") {
  const world = World.open(":memory:", { pace: "instant", seed });
  const transport = new LocalPlatform(world);
  return { world, transport, cloud: new Cloud({ transport, region: "eu-frankfurt" }) };
}

test("a VPC has what was asked for, and the platform's defaults for the rest", async () => {
  const { cloud } = start();
  const { vpc } = await cloud.call(createVpc, { vpcName: "one", cidrBlock: "10.0.0.0/16", tags: [{ key: "team", value: "net" }] });
  expect(vpc).toMatchObject({
    vpcName: "one",
    cidrBlock: "10.0.0.0/16",
    isDefault: false,
    enableRouteVpcPublishIpv6: false,
    tagSet: [{ key: "team", value: "net" }],
  });
  expect(vpc.vpcId).toMatch(/^vpc-[0-9a-f]{8}$/);
  expect(vpc.dnsServerSet).toHaveLength(2);
  expect(vpc.ipv6CidrBlock).toBeUndefined();
  expect((await cloud.call(describeVpcs, { vpcIds: [vpc.vpcId] })).vpcSet).toEqual([vpc]);
});

test("the same seed and calls give the same ids, another seed different ones", async () => {
  const made = async (seed: string) => (await start(seed).cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc.vpcId;
  expect(await made("x")).toBe(await made("x"));
  expect(await made("x")).not.toBe(await made("y"));
});

test.each([
  ["", "InvalidParameterValue.Empty"],
  ["x".repeat(61), "InvalidParameterValue.TooLong"],
])("name %j is refused with %s", async (vpcName, code) => {
  const { cloud } = start();
  await expect(cloud.call(createVpc, { vpcName, cidrBlock: "10.0.0.0/16" })).rejects.toMatchObject({ code });
  const { vpc } = await cloud.call(createVpc, { vpcName: "😀".repeat(60), cidrBlock: "10.0.0.0/16" });
  await expect(cloud.call(modifyVpcAttribute, { vpcId: vpc.vpcId, vpcName })).rejects.toMatchObject({ code });
});

test.each([
  "10.0.0.0/11",
  "10.0.0.0/29",
  "172.32.0.0/16",
  "192.169.0.0/16",
  "8.8.0.0/16",
  "10.0.0.1/16",
  "2001:db8::/56",
  "ten",
  "10.0.0.0",
])("range %s is refused as malformed", async (cidrBlock) => {
  await expect(start().cloud.call(createVpc, { vpcName: "a", cidrBlock })).rejects.toMatchObject({
    code: "InvalidParameterValue.Malformed",
    kind: "invalid",
  });
});

test.each(["10.0.0.0/12", "10.255.255.240/28", "172.16.0.0/12", "192.168.0.0/16"])("range %s is taken", async (cidrBlock) => {
  expect((await start().cloud.call(createVpc, { vpcName: "a", cidrBlock })).vpc.cidrBlock).toBe(cidrBlock);
});

test("host bits are refused, and the message has the range without them", async () => {
  await expect(start().cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.3.7/16" })).rejects.toThrow("10.0.0.0/16");
});

test("ranges of the VPCs of a region cannot overlap; the message names the other VPC", async () => {
  const { cloud, transport } = start();
  await cloud.call(createVpc, { vpcName: "left", cidrBlock: "10.0.0.0/16" });
  const { vpc } = await cloud.call(createVpc, { vpcName: "mid", cidrBlock: "10.2.0.0/16" });
  await cloud.call(createVpc, { vpcName: "right", cidrBlock: "10.3.0.0/16" });
  for (const cidrBlock of ["10.2.0.0/16", "10.2.7.0/24"]) {
    await expect(cloud.call(createVpc, { vpcName: "b", cidrBlock })).rejects.toThrow(
      new RegExp(`10.2.0.0/16 of ${vpc.vpcId}.*InvalidParameter.VpcCidrConflict`),
    );
  }
  await expect(cloud.call(createVpc, { vpcName: "b", cidrBlock: "10.0.0.0/12" })).rejects.toMatchObject({
    code: "InvalidParameter.VpcCidrConflict",
  });
  await cloud.call(createVpc, { vpcName: "gap", cidrBlock: "10.1.0.0/16" });
  await new Cloud({ transport, region: "ap-singapore" }).call(createVpc, { vpcName: "elsewhere", cidrBlock: "10.2.0.0/16" });
});

test.each([
  [[], "InvalidParameterValue.Empty"],
  [["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"], "InvalidParameterValue.LimitExceeded"],
  [["dns.example"], "InvalidParameterValue.Malformed"],
  [["192.0.2.0/24"], "InvalidParameterValue.Malformed"],
])("DNS servers %j are refused with %s", async (dnsServers, code) => {
  const { cloud } = start();
  await expect(cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16", dnsServers })).rejects.toMatchObject({ code });
  const { vpc } = await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16", dnsServers: ["192.0.2.1"] });
  await expect(cloud.call(modifyVpcAttribute, { vpcId: vpc.vpcId, dnsServers })).rejects.toMatchObject({ code });
});

test("attributes are changed one by one; the others stay", async () => {
  const { cloud } = start();
  const { vpc } = await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
  await cloud.call(modifyVpcAttribute, { vpcId: vpc.vpcId, vpcName: "b" });
  await cloud.call(modifyVpcAttribute, { vpcId: vpc.vpcId, enableRouteVpcPublishIpv6: true, enableMulticast: "true" });
  await cloud.call(modifyVpcAttribute, { vpcId: vpc.vpcId, dnsServers: ["192.0.2.9"], domainName: "corp.example" });
  const [live] = (await cloud.call(describeVpcs, { vpcIds: [vpc.vpcId] })).vpcSet;
  expect(live).toEqual({
    ...vpc,
    vpcName: "b",
    enableRouteVpcPublishIpv6: true,
    enableMulticast: true,
    dnsServerSet: ["192.0.2.9"],
    domainName: "corp.example",
  });
});

test("a VPC cannot be deleted while it has subnets, other route tables, or addresses in use; the message names them", async () => {
  const { cloud, world } = start();
  const { vpc } = await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
  const { subnet } = await cloud.call(createSubnet, {
    vpcId: vpc.vpcId,
    subnetName: "s",
    cidrBlock: "10.0.0.0/24",
    zone: "eu-frankfurt-1",
  });
  const place = { region: "eu-frankfurt", vpcId: vpc.vpcId };
  const routeTableId = await putRouteTable(world, { ...place, name: "own" });
  const instanceId = await putInstance(world, { ...place, subnetId: subnet.subnetId, securityGroupIds: ["sg-00000001"] });
  const refusal = await cloud.call(deleteVpc, { vpcId: vpc.vpcId }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "ResourceInUse", kind: "inUse" });
  for (const id of [subnet.subnetId, routeTableId, instanceId, "sg-00000001"]) expect(String(refusal)).toContain(id);
});

test("a VPC's main route table is deleted with it, and its range can be used again", async () => {
  const { cloud } = start();
  const { vpc } = await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" });
  expect((await cloud.call(describeRouteTables, {})).routeTableSet).toMatchObject([{ vpcId: vpc.vpcId, main: true }]);
  await cloud.call(deleteVpc, { vpcId: vpc.vpcId });
  expect((await cloud.call(describeRouteTables, {})).totalCount).toBe(0);
  await expect(cloud.call(deleteVpc, { vpcId: vpc.vpcId })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(cloud.call(describeVpcs, { vpcIds: [vpc.vpcId] })).rejects.toMatchObject({ code: "ResourceNotFound", kind: "notFound" });
  await cloud.call(createVpc, { vpcName: "again", cidrBlock: "10.0.0.0/16" });
});

test("unknown parameters are refused at any depth, and so are missing ones that are required", async () => {
  const { transport } = start();
  const send = (body: Record<string, string | { Key: string; Value: string; Colour: string }[]>) =>
    transport.send({ product: "vpc", action: "CreateVpc", version: "2017-03-12", region: "eu-frankfurt", body });
  await expect(send({ VpcName: "a", CidrBlock: "10.0.0.0/16", Colour: "red" })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(send({ vpcName: "a", CidrBlock: "10.0.0.0/16" })).rejects.toThrow("vpcName");
  const nested = send({ VpcName: "a", CidrBlock: "10.0.0.0/16", Tags: [{ Key: "k", Value: "v", Colour: "red" }] });
  await expect(nested).rejects.toThrow("Tags.0.Colour");
  await expect(send({ VpcName: "a" })).rejects.toMatchObject({ code: "MissingParameter" });
  await expect(send({ VpcName: "a", CidrBlock: "10.0.0.0/16", EnableMulticast: "yes" })).rejects.toMatchObject({
    code: "InvalidParameter",
  });
});
