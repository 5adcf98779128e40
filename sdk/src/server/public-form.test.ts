import { expect, test } from "vitest";
import { publicFormCatalogue } from "../catalogue/every-operation.ts";
import { publicApi } from "../wire-format/wire-format.ts";
import { misfitsOf } from "../wire-format/public/imitation.fixture.ts";
import { modelsOf } from "../wire-format/public/models.fixture.ts";
import { calledByVendor } from "../wire-format/public/vendor-client.fixture.ts";
import type { JsonObject } from "../operation/codec.ts";
import { region, sent, served, signedCall, textAt } from "./stage.fixture.ts";

/** Operations that only the public API's form has, through the vendor's own client. */

async function start() {
  const { url, key } = await served();
  const call = (service: string, version: string) => (action: string, body: JsonObject) =>
    calledByVendor({ service, action, version }, body, { url, credentials: key, region });
  return {
    url,
    key,
    vpc: call("vpc", "2017-03-12"),
    tke: call("tke", "2018-05-25"),
    tcr: call("tcr", "2019-09-24"),
    tag: call("tag", "2018-08-13"),
  };
}

async function withResources() {
  const stage = await start();
  const { vpc, tke, tcr } = stage;
  const VpcId = textAt(await vpc("CreateVpc", { VpcName: "net", CidrBlock: "10.0.0.0/16" }), "Vpc", "VpcId");
  const subnet = { VpcId, SubnetName: "part", CidrBlock: "10.0.0.0/24", Zone: `${region}-1`, Tags: [{ Key: "a", Value: "b" }] };
  const SubnetId = textAt(await vpc("CreateSubnet", subnet), "Subnet", "SubnetId");
  const SecurityGroupId = textAt(
    await vpc("CreateSecurityGroup", { GroupName: "g", GroupDescription: "" }),
    "SecurityGroup",
    "SecurityGroupId",
  );
  const cluster = { ClusterBasicSettings: { VpcId, SubnetId }, ClusterCIDRSettings: { ClusterCIDR: "172.20.0.0/16" } };
  const ClusterId = textAt(await tke("CreateCluster", { ClusterType: "MANAGED_CLUSTER", ...cluster }), "ClusterId");
  const RegistryId = textAt(await tcr("CreateInstance", { RegistryName: "images", RegistryType: "basic" }), "RegistryId");
  return { ...stage, SubnetId, SecurityGroupId, ClusterId, RegistryId };
}

test("the reads of the vendor's Terraform provider are answered as its models have it", async () => {
  const { tag, tke, tcr, ...ids } = await withResources();
  const { ClusterId, SubnetId, RegistryId } = ids;
  const named = { ServiceType: "vpc", ResourcePrefix: "subnet", ResourceIds: [SubnetId, "subnet-gone"], ResourceRegion: region };
  const off = { Enable: false };
  const answers: readonly (readonly [string, string, JsonObject, JsonObject])[] = [
    [
      "tag",
      "DescribeResourceTagsByResourceIds",
      await tag("DescribeResourceTagsByResourceIds", { ...named, Category: "" }),
      { TotalCount: 1, Offset: 0, Limit: 15, Tags: [{ TagKey: "a", TagValue: "b", ResourceId: SubnetId, ServiceType: "vpc" }] },
    ],
    [
      "tke",
      "DescribeClusterAsGroupOption",
      await tke("DescribeClusterAsGroupOption", { ClusterId }),
      { ClusterAsGroupOption: { Expander: "random" } },
    ],
    ["tke", "DescribeClusterVirtualNode", await tke("DescribeClusterVirtualNode", { ClusterId }), { Nodes: [], TotalCount: 0 }],
    [
      "tke",
      "DescribeLogSwitches",
      await tke("DescribeLogSwitches", { ClusterIds: [ClusterId], ClusterType: "tke" }),
      { SwitchSet: [{ ClusterId, Audit: off, Event: off, Log: off, MasterLog: off }] },
    ],
    [
      "tcr",
      "DescribeReplicationInstances",
      await tcr("DescribeReplicationInstances", { RegistryId }),
      { TotalCount: 0, ReplicationRegistries: [] },
    ],
  ];
  for (const [service, action, answer, told] of answers) {
    expect(answer, action).toMatchObject(told);
    const version = publicFormCatalogue.find((one) => one.action === action)?.version ?? "";
    expect(misfitsOf(modelsOf(service, version), `${action}Response`, answer), action).toEqual({ unknown: [], missing: [] });
  }
  const routeTables = { ...named, ResourcePrefix: "rtb", ResourceIds: ["rtb-1"] };
  expect(await tag("DescribeResourceTagsByResourceIds", routeTables)).toMatchObject({ TotalCount: 0, Tags: [] });
  await expect(tke("DescribeClusterAsGroupOption", { ClusterId: "cls-none0000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("ModifySecurityGroupPolicies replaces the directions that it is given, and removes all rules at the version 0", async () => {
  const { vpc, SecurityGroupId } = await withResources();
  const rule = (port: string) => ({
    Protocol: "TCP",
    Port: port,
    CidrBlock: "10.0.0.0/8",
    Action: "ACCEPT",
    SecurityGroupId: "",
    ServiceTemplate: {},
  });
  const modify = (SecurityGroupPolicySet: JsonObject) =>
    vpc("ModifySecurityGroupPolicies", { SecurityGroupId, SecurityGroupPolicySet, SortPolicys: true });
  const ports = async () => {
    const { SecurityGroupPolicySet } = await vpc("DescribeSecurityGroupPolicies", { SecurityGroupId });
    return SecurityGroupPolicySet;
  };
  const told = (...all: readonly string[]) => all.map((Port, PolicyIndex) => ({ Port, PolicyIndex }));
  await modify({ Ingress: [rule("443"), rule("80")], Egress: [rule("22")] });
  expect(await ports()).toMatchObject({ Ingress: told("443", "80"), Egress: told("22") });
  await modify({ Ingress: [rule("8080")], Egress: [], Version: "7" });
  expect(await ports()).toMatchObject({ Ingress: told("8080"), Egress: told("22") });
  await expect(modify({ Ingress: [rule("1"), rule("1")] })).rejects.toMatchObject({ code: "UnsupportedOperation.DuplicatePolicy" });
  await expect(modify({ Ingress: [{ ...rule("1"), PolicyIndex: 0 }] })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(modify({})).rejects.toMatchObject({ code: "MissingParameter" });
  await modify({ Version: "0" });
  expect(await ports()).toMatchObject({ Ingress: [], Egress: [] });
});

test("the specification's form does not have them", async () => {
  const { url, key } = await served();
  for (const { product, action, version } of publicFormCatalogue) {
    const signed = signedCall(url, { ...key, product, action, headers: { "x-cp-version": version } });
    expect(await sent(url, signed), action).toMatchObject({ answer: { Response: { Error: { Code: "InvalidAction" } } } });
  }
  expect(publicFormCatalogue.map(({ product, action }) => `${publicApi.services[product]} ${action}`)).toHaveLength(6);
});
