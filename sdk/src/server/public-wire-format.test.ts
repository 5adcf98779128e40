import { expect, test } from "vitest";
import { z } from "zod";
import { isObject, type JsonObject } from "../operation/codec.ts";
import { publicCalls, served } from "./stage.fixture.ts";

const start = async () => publicCalls(await served());

function objectIn(value: unknown, name: string): JsonObject {
  const inner = isObject(value) ? value[name] : undefined;
  if (!isObject(inner)) throw new Error(`there is no ${name} in ${JSON.stringify(value)}`);
  return inner;
}

const net = { VpcName: "net", CidrBlock: "10.0.0.0/16" };

test("who signs as the public API's clients do is answered with its names, and with no others", async () => {
  const call = await start();
  const group = objectIn(await call("vpc", "CreateSecurityGroup", { GroupName: "guard", GroupDescription: "doors" }), "SecurityGroup");
  expect(group).toMatchObject({ SecurityGroupName: "guard", SecurityGroupDesc: "doors" });
  expect(Object.keys(group)).not.toContain("GroupName");
});

test("names and values of the public API are understood in calls", async () => {
  const call = await start();
  const { VpcId = "" } = objectIn(await call("vpc", "CreateVpc", net), "Vpc");
  const tagged = { ServiceType: "vpc", ResourcePrefix: "vpc", ResourceIds: [VpcId], TagKey: "a", TagValue: "b" };
  const attached = await call("tag", "AttachResourcesTag", { ...tagged, ResourceRegion: "eu-frankfurt" });
  expect(attached).toEqual({ RequestId: expect.any(String) });
  const found = await call("tag", "GetResources", {});
  expect(found["ResourceTagMappingList"]).toEqual([
    { Resource: expect.stringMatching(/^qcs::vpc:eu-frankfurt:uin\/\d+:vpc\/vpc-/), Tags: [{ TagKey: "a", TagValue: "b" }] },
  ]);
});

test("a name that only the catalogue has is refused, and codes are the public API's", async () => {
  const call = await start();
  const { VpcId = "" } = objectIn(await call("vpc", "CreateVpc", net), "Vpc");
  const subnet = { VpcId, SubnetName: "part", CidrBlock: "10.0.0.0/24", Zone: "eu-frankfurt-1" };
  const { SubnetId = "" } = objectIn(await call("vpc", "CreateSubnet", subnet), "Subnet");
  const asked = { VpcId, Ipv6SubnetCidrBlocks: [{ SubnetId, Ipv6SubnetCidrBlock: "fd00::/64" }] };
  expect((await call("vpc", "AssignIpv6SubnetCidrBlock", asked))["Error"]).toEqual({
    Code: "InvalidParameter",
    Message: "the public API has no Ipv6SubnetCidrBlocks[].Ipv6SubnetCidrBlock; give Ipv6SubnetCidrBlocks[].Ipv6CidrBlock",
  });
  expect((await call("vpc", "CreateSubnet", subnet))["Error"]).toMatchObject({ Code: "InvalidParameterValue.SubnetConflict" });
});

const uninformed = { ClusterType: "MANAGED_CLUSTER", ClusterCIDRSettings: {}, ClusterBasicSettings: {} };
const ipv6 = { VpcId: "vpc-1", Ipv6SubnetCidrBlocks: [{ SubnetId: "subnet-1" }] };
const tag = { ServiceType: "vpc", ResourcePrefix: "vpc", ResourceIds: ["vpc-1"], TagKey: "a", TagValue: "b" };
const registry = { RegistryName: "one", RegistryType: "basic", TagSpecification: { Tags: [] } };
const accounts = { ClusterId: "cls-1", ServiceAccounts: { UseServiceDefault: true } };
const granted = { TargetUin: "100000000002", Permissions: [{ ClusterId: "cls-1", RoleName: "svc:admin", RoleType: "cluster" }] };
const named = "cp::vpc:eu-frankfurt:uin/1:vpc/vpc-1";
const bot = (Resource: string, action: string) => ({ RegistryId: "tcr-1", Name: "bot", Permissions: [{ Resource, Actions: [action] }] });
const no = (field: string, value: string, instead: string) => `the public API has no ${field} "${value}"; give "${instead}"`;

test.each<[product: string, action: string, body: JsonObject, code: string, message: string | RegExp]>([
  ["vpc", "AssignIpv6SubnetCidrBlock", ipv6, "MissingParameter", "Ipv6SubnetCidrBlocks.0.Ipv6CidrBlock is required"],
  ["tke", "CreateCluster", uninformed, "MissingParameter", /ClusterBasicSettings\.VpcId is required/],
  ["tke", "ModifyClusterAuthenticationOptions", accounts, "InvalidParameter", /give ServiceAccounts\.UseTKEDefault$/],
  ["tke", "CreateCluster", {}, "MissingParameter", "ClusterType is required"],
  ["tag", "AttachResourcesTag", tag, "MissingParameter", "ResourceRegion is required"],
  ["tcr", "CreateInstance", registry, "MissingParameter", "TagSpecification.ResourceType is required"],
  ["tke", "DescribeNothing", {}, "InvalidAction", /^tke has no /],
  ["tke", "GrantUserPermissions", granted, "InvalidParameter", no("Permissions[].RoleName", "svc:admin", "tke:admin")],
  ["tag", "GetResources", { ResourceList: [named] }, "InvalidParameter", no("ResourceList[]", named, named.replace("cp:", "qcs:"))],
  [
    "tcr",
    "CreateServiceAccount",
    bot("team", "reg:PullRepository"),
    "InvalidParameter",
    no("Permissions[].Actions[]", "reg:PullRepository", "tcr:PullRepository"),
  ],
  ["tcr", "CreateServiceAccount", bot("team/", "tcr:PullRepository"), "InvalidParameter", no("Permissions[].Resource", "team/", "team")],
  ["tcr", "DeleteServiceAccount", { RegistryId: "tcr-1", Name: "reg$bot" }, "InvalidParameter", no("Name", "reg$bot", "tcr$bot")],
])("%s %s refuses %j in the names and values of the public API", async (product, action, body, code, message) => {
  const call = await start();
  const told = typeof message === "string" ? message : expect.stringMatching(message);
  expect((await call(product, action, body))["Error"]).toEqual({ Code: code, Message: told });
});

test("values in messages and in the audit log are the public API's", async () => {
  const call = await start();
  const grant = { TargetUin: "100000000002", Permissions: [{ ClusterId: "cls-1", RoleName: "tke:bogus", RoleType: "cluster" }] };
  const refusal = objectIn(await call("tke", "GrantUserPermissions", grant), "Error");
  expect(JSON.stringify(refusal)).not.toMatch(/svc:/);
  await call("tag", "ModifyResourceTags", { Resource: "qcs::vpc:eu-frankfurt:uin/1:vpc/vpc-1" });
  await call("tcr", "DeleteServiceAccount", { RegistryId: "tcr-1", Name: "tcr$bot" });
  const second = Math.floor(Date.now() / 1000);
  const found = await call("cloudaudit", "LookUpEvents", { StartTime: second - 3600, EndTime: second + 3600 });
  const told = JSON.stringify(found["Events"]).replaceAll('\\"', `"`);
  expect(told).toMatch(/"EventSource":"tke".*tke:bogus/);
  expect(told).toMatch(/qcs::vpc/);
  expect(told).not.toMatch(/svc:|cp::|reg\$|"EventSource":"(cluster|registry)"/);
});

test("a user's own text stays as it was written, also where it reads like a value of the platform", async () => {
  const call = await start();
  const text = "svc:a,tke:b, svc:ro reg$c cp::d";
  const VpcName = `${text} "EventSource":"cluster"`;
  const { VpcId } = z.object({ VpcId: z.string() }).parse(objectIn(await call("vpc", "CreateVpc", { ...net, VpcName }), "Vpc"));
  expect(objectIn(await call("vpc", "CreateVpc", { ...net, CidrBlock: text }), "Error")["Message"]).toContain(`CidrBlock is "${text}";`);
  const second = Math.floor(Date.now() / 1000);
  const LookupAttributes = [{ AttributeKey: "ResourceName", AttributeValue: VpcId }];
  const asked = { StartTime: second - 3600, EndTime: second + 3600, LookupAttributes };
  const told = await call("cloudaudit", "LookUpEvents", asked);
  const [event] = z
    .array(z.object({ Resources: z.object({ ResourceName: z.string() }), CloudAuditEvent: z.string() }))
    .parse(told["Events"]);
  expect(event?.Resources.ResourceName).toBe(`${VpcName},${VpcId}`);
  expect(JSON.parse(event?.CloudAuditEvent ?? "")).toMatchObject({
    EventSource: "vpc",
    Resources: { ResourceName: `${VpcName},${VpcId}` },
    RequestParameters: { VpcName },
  });
});

test("a message that lists roles has the public API's, and those of the call", async () => {
  const call = await start();
  const role = (RoleName: string) => ({ ClusterId: "cls-1", RoleName, RoleType: "cluster" });
  const grant = { TargetUin: "100000000002", Permissions: [role("tke:ro"), role("tke:bogus")] };
  expect((await call("tke", "GrantUserPermissions", grant))["Error"]).toMatchObject({
    Message:
      'RoleName is "tke:bogus"; it takes tke:admin, tke:ops, tke:dev, tke:ro, tke:ns:dev, tke:ns:ro, or the name of a Role or ClusterRole, which does not begin with tke:',
  });
});

test("a call has to name its version, as there, and a region, whose refusal has the public API's code", async () => {
  const call = await start();
  const unversioned = await call("vpc", "DescribeVpcs", {}, "");
  expect(unversioned["Error"]).toEqual({ Code: "MissingParameter", Message: "x-tc-version is required" });
  expect((await call("vpc", "DescribeVpcs", {}, "2017-03-12", "nowhere"))["Error"]).toMatchObject({ Code: "UnsupportedRegion" });
});
