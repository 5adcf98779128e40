import { expect, test } from "vitest";
import { describeVpcs } from "../catalogue/vpc.ts";
import { isObject, type JsonObject } from "../operation/codec.ts";
import type { Operation, Product } from "../operation/operation.ts";
import { catalogue } from "../catalogue/every-operation.ts";
import { neutral, publicApi } from "./wire-format.ts";
import { publicDifferences } from "./public/differences.ts";
import { differs } from "./rule.ts";
import { Translator } from "./translator.ts";

const region = "eu-frankfurt";
const translator = new Translator(publicDifferences);

function callOf(product: Product, action: string) {
  const found = catalogue.find((one) => one.product === product && one.action === action);
  if (!found) throw new Error(`there is no ${product} ${action}`);
  return { product, action, version: found.version, region };
}

const request = (product: Product, action: string) => ({ of: callOf(product, action), part: "request" }) as const;
const answer = (product: Product, action: string) => ({ of: callOf(product, action), part: "answer" }) as const;

/** A request or an answer here and there. It is translated both ways. */
interface Pair {
  readonly of: ReturnType<typeof callOf>;
  readonly part: "request" | "answer";
  readonly here: JsonObject;
  readonly there: JsonObject;
}

const grants = (role: string) => ({
  TargetUin: "100000000002",
  Permissions: [
    { ClusterId: "cls-1", RoleName: role, RoleType: "cluster" },
    { ClusterId: "cls-1", RoleName: "own", RoleType: "cluster" },
  ],
});
const withNamespaces = (role: string) => ({
  ...grants(role),
  Permissions: grants(role).Permissions.map((item) => ({ ...item, Namespace: "" })),
});
const account = (name: string, resource: string, action: string) => ({
  RegistryId: "tcr-1",
  Name: name,
  Permissions: [{ Resource: resource, Actions: [action, "*"] }],
});
const event = (time: string, role: string) => ({
  Events: [{ EventName: "GrantUserPermissions", EventTime: time, CloudAuditEvent: `{"RoleName":"${role}","Other":"svc:a,tke:b"}` }],
  ListOver: true,
});

const lookup = (attributes: readonly (readonly [key: string, value: string])[]) => ({
  LookupAttributes: attributes.map(([AttributeKey, AttributeValue]) => ({ AttributeKey, AttributeValue })),
});

test.each<Pair>([
  {
    ...request("vpc", "UnassignIpv6SubnetCidrBlock"),
    here: { VpcId: "vpc-1", Ipv6SubnetCidrBlocks: [{ SubnetId: "subnet-1", Ipv6SubnetCidrBlock: "fd00::/64" }] },
    there: { VpcId: "vpc-1", Ipv6SubnetCidrBlocks: [{ SubnetId: "subnet-1", Ipv6CidrBlock: "fd00::/64" }] },
  },
  {
    ...answer("vpc", "CreateSecurityGroup"),
    here: {
      SecurityGroup: { SecurityGroupId: "sg-1", SecurityGroupName: "a", SecurityGroupDesc: "b", GroupName: "a", GroupDescription: "b" },
    },
    there: { SecurityGroup: { SecurityGroupId: "sg-1", SecurityGroupName: "a", SecurityGroupDesc: "b" } },
  },
  { ...request("cluster", "GrantUserPermissions"), here: grants("svc:ns:dev"), there: grants("tke:ns:dev") },
  { ...answer("cluster", "DescribeUserPermissions"), here: withNamespaces("svc:ro"), there: withNamespaces("tke:ro") },
  {
    ...request("registry", "ModifyServiceAccount"),
    here: account("reg$ci", "team/", "reg:PullRepository"),
    there: account("tcr$ci", "team", "tcr:PullRepository"),
  },
  {
    ...request("cluster", "ModifyClusterAuthenticationOptions"),
    here: { ClusterId: "cls-1", ServiceAccounts: { UseServiceDefault: true, JWKSURI: "https://a" } },
    there: { ClusterId: "cls-1", ServiceAccounts: { UseTKEDefault: true, JWKSURI: "https://a" } },
  },
  {
    ...request("tag", "GetResources"),
    here: { ResourceList: ["cp::vpc:eu-frankfurt:uin/1:vpc/vpc-1"], MaxResults: 10 },
    there: { ResourceList: ["qcs::vpc:eu-frankfurt:uin/1:vpc/vpc-1"], MaxResults: 10 },
  },
  {
    ...request("vpc", "DescribeSecurityGroupPolicies"),
    here: { Filters: [{ Name: "direction", Values: ["egress", "ALL"] }].concat({ Name: "ip", Values: ["egress"] }) },
    there: { Filters: [{ Name: "direction", Values: ["OUTBOUND", "ALL"] }].concat({ Name: "ip", Values: ["egress"] }) },
  },
  {
    ...request("audit", "LookUpEvents"),
    here: lookup([
      ["ResourceType", "cluster"],
      ["ResourceName", "cluster"],
      ["ResourceName", "svc:ro"],
    ]),
    there: lookup([
      ["ResourceType", "tke"],
      ["ResourceName", "cluster"],
      ["ResourceName", "tke:ro"],
    ]),
  },
  {
    ...answer("audit", "LookUpEvents"),
    here: event("2026-01-31T16:30:00Z", "svc:ro"),
    there: event("2026-02-01 00:30:00", "tke:ro"),
  },
])("$of.action: the $part, here and there", async ({ of, part, here, there }) => {
  expect(await translator[part](of, here, "there")).toEqual(there);
  expect(await translator[part](of, there, "here")).toEqual(here);
});

test("what an answer may lack, or have as null, is read as the empty value that it stands for", async () => {
  const cluster = { ClusterId: "cls-1", ClusterStatus: "Running", DeletionProtection: true, ClusterNetworkSettings: { Subnets: null } };
  const answer = { TotalCount: 1, Clusters: [{ ...cluster, TagSpecification: [{ ResourceType: "cluster", Tags: null }] }] };
  expect(await translator.answer(callOf("cluster", "DescribeClusters"), answer, "here")).toEqual({
    TotalCount: 1,
    Clusters: [
      {
        ...cluster,
        ClusterNetworkSettings: { Subnets: [], SubnetId: "", DataPlaneV2: false },
        IsHighAvailability: false,
        TagSpecification: [{ ResourceType: "cluster", Tags: [] }],
        ...{ ClusterState: "Running", ClusterInstanceState: "", ClusterDeletionProtection: true },
        ...{ ClusterExternalEndpoint: "", ClusterIntranetEndpoint: "", Domain: "" },
      },
    ],
  });
  const pool = { NodePoolId: "np-1", Tags: null };
  const read = (isOwn: boolean) =>
    translator.answer(callOf("cluster", "DescribeClusterNodePoolDetail"), { NodePool: { ...pool } }, "here", isOwn);
  const runtime = { RuntimeType: "", RuntimeVersion: "" };
  const told = { NodePool: { ...pool, Type: "", RuntimeConfig: runtime, Tags: [], DataDisks: [] } };
  expect(await read(false)).toEqual(told);
  const [own, again] = [await read(true), await read(true)];
  expect([own, again]).toEqual([told, told]);
  const made = (answer: JsonObject) => isObject(answer["NodePool"]) && answer["NodePool"]["RuntimeConfig"];
  expect(made(own), "what was made up for one answer is not written into for another").not.toBe(made(again));
});

test("what the items of a list tell is gathered from them", async () => {
  const connection = (AccessIp: string) => ({ VpcId: "vpc-1", SubnetId: "subnet-1", Status: "Running", AccessIp });
  const answer = { AccessVpcSet: [connection("10.0.0.2"), connection(""), connection("10.0.1.2")], TotalCount: 2 };
  const of = callOf("registry", "DescribeInternalEndpoints");
  const read = await translator.answer(of, answer, "here");
  expect(read).toEqual({ ...answer, InternalEndpoint: ["10.0.0.2", "10.0.1.2"] });
  expect(await translator.answer(of, read, "there")).toEqual(answer);
  expect(await translator.answer(of, { TotalCount: 0 }, "here")).toEqual({ AccessVpcSet: [], InternalEndpoint: [], TotalCount: 0 });
});

test("a list that no rule names stays absent: what is not documented as such is no empty list", async () => {
  expect(await translator.answer(callOf("vpc", "DescribeVpcs"), { TotalCount: 0 }, "here")).toEqual({ TotalCount: 0 });
});

test("a call is completed with what is required there, and moved to where it is there", async () => {
  const attach = { ServiceType: "vpc", ResourcePrefix: "vpc", ResourceIds: ["vpc-1"], TagKey: "a", TagValue: "b" };
  const of = callOf("tag", "AttachResourcesTag");
  expect(await translator.request(of, attach, "there")).toEqual({ ...attach, ResourceRegion: region });
  const elsewhere = { ...attach, ResourceRegion: "na-ashburn" };
  expect(await translator.request(of, elsewhere, "there")).toEqual(elsewhere);
  const basic = { ClusterName: "one", VpcId: "vpc-1" };
  const created = { VpcId: "vpc-1", SubnetId: "subnet-1", ClusterBasicSettings: basic };
  const creation = callOf("cluster", "CreateCluster");
  expect(await translator.request(creation, created, "there")).toEqual({
    ClusterType: "MANAGED_CLUSTER",
    ClusterCIDRSettings: {},
    ClusterBasicSettings: { ...basic, SubnetId: "subnet-1" },
  });
  const twice = translator.request(creation, { VpcId: "vpc-2", ClusterBasicSettings: basic }, "there");
  await expect(twice).rejects.toThrow("VpcId is given twice, with different values");
  const namespace = { RegistryId: "tcr-1", NamespaceName: "team", TagSpecification: { Tags: [] } };
  expect(await translator.request(callOf("registry", "CreateNamespace"), namespace, "there")).toEqual({
    ...namespace,
    TagSpecification: { ResourceType: "instance", Tags: [] },
  });
});

test("a call without what is optional there means its default", async () => {
  const of = callOf("cluster", "CreateClusterEndpoint");
  expect(await translator.request(of, { ClusterId: "cls-1" }, "here")).toEqual({ ClusterId: "cls-1", IsExtranet: false });
  expect(await translator.request(of, { ClusterId: "cls-1", IsExtranet: false }, "there")).toEqual({ ClusterId: "cls-1" });
  const open = { ClusterId: "cls-1", IsExtranet: true };
  expect(await translator.request(of, open, "there")).toEqual(open);
});

const eleven = Array.from({ length: 11 }, (_, index) => `cp::vpc:eu-frankfurt:uin/1:vpc/vpc-${index}`);

test.each<[action: string, product: Product, towards: "here" | "there", body: JsonObject, reason: string]>([
  ["CreateCluster", "cluster", "there", { RunInstancePara: "{}" }, "the public API has no RunInstancePara; give RunInstancesForNode"],
  ["CreateCluster", "cluster", "here", { VpcId: "vpc-1" }, "the public API has no VpcId; give ClusterBasicSettings.VpcId"],
  [
    "AssignIpv6SubnetCidrBlock",
    "vpc",
    "here",
    { Ipv6SubnetCidrBlocks: [{ Ipv6SubnetCidrBlock: "fd00::/64" }] },
    "the public API has no Ipv6SubnetCidrBlocks[].Ipv6SubnetCidrBlock; give Ipv6SubnetCidrBlocks[].Ipv6CidrBlock",
  ],
  ["GetResources", "tag", "there", { ResourceList: eleven }, "ResourceList has 11 items; the public API takes 10 at most"],
  ["GetResources", "tag", "here", { ResourceList: eleven }, "ResourceList has 11 items; the public API takes 10 at most"],
  [
    "LookUpEvents",
    "audit",
    "here",
    lookup([["ResourceType", "cluster"]]),
    'the public API has no LookupAttributes[].AttributeValue "cluster"; give "tke"',
  ],
  ["RotateClusterToken", "cluster", "there", { ClusterId: "cls-1" }, "RotateClusterToken: its call does not have a field"],
])("%s of %s, towards %s, is refused", async (action, product, towards, body, reason) => {
  await expect(translator.request(callOf(product, action), body, towards)).rejects.toThrow(reason);
});

test("as many items as the public API takes go on", async () => {
  const body = { ResourceList: eleven.slice(1) };
  expect(await translator.request(callOf("tag", "GetResources"), body, "there")).toHaveProperty("ResourceList.length", 10);
});

test("what has no difference is not even copied, and the neutral wire format has none", async () => {
  const body = { VpcId: "vpc-1" };
  expect(await translator.request(callOf("vpc", "DeleteVpc"), body, "there")).toBe(body);
  expect(await translator.answer(callOf("compute", "DescribeZones"), body, "here")).toBe(body);
  expect([neutral.translator, publicApi.translator]).toEqual([undefined, expect.any(Translator)]);
});

test("codes go both ways, by operation where its list there has another one, and an unknown one stays", async () => {
  const subnet = callOf("vpc", "CreateSubnet");
  expect(translator.code("InvalidParameter.SubnetConflict", "there", subnet)).toBe("InvalidParameterValue.SubnetConflict");
  expect(translator.code("UnauthorizedOperation.CamNoAuth", "here", subnet)).toBe("UnauthorizedOperation.AccessMgmtNoAuth");
  expect(translator.code("ResourceInUse", "there", subnet)).toBe("ResourceInUse");
  const pool = callOf("cluster", "DescribeClusterNodePoolDetail");
  await translator.request(pool, {}, "there");
  expect(translator.code("ResourceNotFound", "there", pool)).toBe("InternalError.DbRecordNotFound");
  expect(translator.code("InternalError.DbRecordNotFound", "here", pool)).toBe("ResourceNotFound");
});

test("there is one difference of an operation at most", async () => {
  const products: readonly Product[] = [...new Set(catalogue.map(({ product }) => product))];
  const all = (await Promise.all(products.map((product) => publicDifferences.of(product)))).flat();
  const names = all.map(({ operation }: { operation: Operation }) => `${operation.product} ${operation.action} ${operation.version}`);
  expect(new Set(names).size).toBe(names.length);
});

test("rules of unknown fields do not compile", () => {
  const wrong = [
    // @ts-expect-error there is no such field
    differs(describeVpcs, { answer: { vpcs: {} } }),
    // @ts-expect-error there is none inside of it
    differs(describeVpcs, { answer: { vpcSet: { fields: { cidr: {} } } } }),
    // @ts-expect-error the other field has to be in the same object
    differs(describeVpcs, { answer: { vpcSet: { fields: { vpcName: { same: "totalCount" } } } } }),
    // @ts-expect-error the value has to be one of the field's
    differs(describeVpcs, { answer: { vpcSet: { absent: "" } } }),
    differs(describeVpcs, { answer: { vpcSet: { absent: [], fields: { vpcName: { absent: "" } } } } }),
  ];
  expect(wrong).toHaveLength(5);
});
