import { expect, test } from "vitest";
import { deleteVpc, describeRouteTables, describeVpcs, modifyVpcAttribute } from "../../catalogue/vpc.ts";
import { refused, stage } from "../stage.fixture.ts";

test("a VPC has what was asked for, and the platform's defaults for the rest", async () => {
  const at = stage();
  const vpc = await at.vpc("10.0.0.0/16", { vpcName: "one", tags: [{ key: "team", value: "net" }] });
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
  expect((await at.cloud.call(describeVpcs, { vpcIds: [vpc.vpcId] })).vpcSet).toEqual([vpc]);
});

test("the same seed and calls give the same ids, another seed different ones", async () => {
  const made = async (seed: string) => (await stage(seed).vpc()).vpcId;
  expect(await made("x")).toBe(await made("x"));
  expect(await made("x")).not.toBe(await made("y"));
});

test.each("10.0.0.0/11 10.0.0.0/29 172.32.0.0/16 192.169.0.0/16 8.8.0.0/16 10.0.0.1/16 2001:db8::/56 ten 10.0.0.0".split(" "))(
  "range %s is refused as malformed",
  async (cidrBlock) => {
    await refused(stage().vpc(cidrBlock), "InvalidParameterValue.Malformed", { kind: "invalid" });
  },
);

test.each(["10.0.0.0/12", "10.255.255.240/28", "172.16.0.0/12", "192.168.0.0/16"])("range %s is taken", async (cidrBlock) => {
  expect((await stage().vpc(cidrBlock)).cidrBlock).toBe(cidrBlock);
});

test("host bits are refused, and the message has the range without them", async () => {
  await expect(stage().vpc("10.0.3.7/16")).rejects.toThrow("10.0.0.0/16");
});

test.each([
  [{ vpcName: "" }, "InvalidParameterValue.Empty"],
  [{ vpcName: "x".repeat(61) }, "InvalidParameterValue.TooLong"],
  [{ dnsServers: [] }, "InvalidParameterValue.Empty"],
  [{ dnsServers: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"] }, "InvalidParameterValue.LimitExceeded"],
  [{ dnsServers: ["dns.example"] }, "InvalidParameterValue.Malformed"],
  [{ dnsServers: ["192.0.2.0/24"] }, "InvalidParameterValue.Malformed"],
])("%j is refused with %s", async (given, code) => {
  const { cloud, vpc } = stage();
  await refused(vpc("10.0.0.0/16", given), code);
  const { vpcId } = await vpc();
  await refused(cloud.call(modifyVpcAttribute, { vpcId, ...given }), code);
});

test("attributes are changed one by one; the others stay", async () => {
  const at = stage();
  const { cloud } = at;
  const vpc = await at.vpc("10.0.0.0/16", { vpcName: "😀".repeat(60) });
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

test("a VPC's main route table is deleted with it, and its range can be used again", async () => {
  const { cloud, vpc } = stage();
  const { vpcId } = await vpc();
  expect((await cloud.call(describeRouteTables, {})).routeTableSet).toMatchObject([{ vpcId, main: true }]);
  await cloud.call(deleteVpc, { vpcId });
  expect((await cloud.call(describeRouteTables, {})).totalCount).toBe(0);
  await refused(cloud.call(deleteVpc, { vpcId }), "ResourceNotFound");
  await refused(cloud.call(describeVpcs, { vpcIds: [vpcId] }), "ResourceNotFound", { kind: "notFound" });
  await vpc();
});
