import { expect, test } from "vitest";
import { catalogue } from "../catalogue/every-operation.ts";
import type { JsonObject } from "../operation/codec.ts";
import { fieldsIn } from "../operation/fields.ts";
import type { Product } from "../operation/operation.ts";
import { publicDifferences } from "./public/differences.ts";
import { Translator } from "./translator.ts";

const translator = new Translator(publicDifferences);

function read(product: Product, action: string, body: JsonObject): Promise<JsonObject> {
  const found = catalogue.find((one) => one.product === product && one.action === action);
  if (!found) throw new Error(`there is no ${product} ${action}`);
  return translator.request({ product, action, version: found.version, region: "eu-frankfurt" }, body, "here");
}

const rule = { Protocol: "TCP", CidrBlock: "10.0.0.0/8", Action: "ACCEPT" };
const rules = (more: JsonObject) => ({ SecurityGroupId: "sg-1", SecurityGroupPolicySet: { Ingress: [{ ...rule, ...more }] } });
const cluster = { ClusterType: "MANAGED_CLUSTER", ClusterCIDRSettings: {} };
const basic = (more: JsonObject) => ({ ...cluster, ClusterBasicSettings: { VpcId: "vpc-1", ...more } });
const pool = (more: JsonObject) => ({ ClusterId: "cls-1", NodePoolId: "np-1", ...more });
const disk = { DiskType: "CLOUD_SSD", DiskSize: 50, AutoFormatAndMount: false };
const mounted = (more: JsonObject) => [{ InstanceType: "S5.MEDIUM4", Zone: "eu-frankfurt-1", DataDisks: [{ ...disk, ...more }] }];

test.each<[what: string, product: Product, action: string, sent: JsonObject, meant: JsonObject]>([
  ["an empty object", "cluster", "CreateCluster", basic({ AutoUpgradeClusterLevel: {} }), basic({})],
  ["an empty text of an enumeration", "cluster", "ModifyNodePool", pool({ Native: { InstanceChargeType: "" } }), pool({})],
  ["an empty ID", "vpc", "CreateSecurityGroupPolicies", rules({ SecurityGroupId: "" }), rules({})],
  ["an empty range", "vpc", "CreateSecurityGroupPolicies", rules({ Ipv6CidrBlock: "" }), rules({})],
  ["an empty name", "vpc", "ModifyVpcAttribute", { VpcId: "vpc-1", VpcName: "" }, { VpcId: "vpc-1" }],
  ["an empty description, which clears", "cluster", "ModifyClusterAttribute", { ClusterDesc: "" }, { ClusterDesc: "" }],
  ["an empty script, which clears", "cluster", "ModifyClusterNodePool", pool({ UserScript: "" }), pool({ UserScript: "" })],
  ["an empty list, which clears", "cluster", "ModifyNodePool", pool({ Labels: [] }), pool({ Labels: [] })],
  ["an empty configuration, which clears", "cluster", "ModifyClusterAuthenticationOptions", { OIDCConfig: {} }, { OIDCConfig: {} }],
  ["0 of a number that may be 0", "cluster", "ModifyNodePool", pool({ Native: { Replicas: 0 } }), pool({ Native: { Replicas: 0 } })],
  ["false", "cluster", "ModifyNodePool", pool({ DeletionProtection: false }), pool({ DeletionProtection: false })],
  ["0 where its least value is 1", "disk", "DescribeDiskConfigQuota", { InquiryType: "", CPU: 0 }, { InquiryType: "" }],
  ["0 of a region's number", "registry", "ManageInternalEndpoint", { RegionId: 0, RegionName: "" }, {}],
  ["an empty text that is required", "vpc", "DeleteVpc", { VpcId: "" }, { VpcId: "" }],
  ["a value of the wrong type", "vpc", "DescribeVpcs", { Offset: 0 }, { Offset: 0 }],
  ["a field that there is not", "vpc", "DeleteVpc", { VpcId: "vpc-1", Nothing: "" }, { VpcId: "vpc-1", Nothing: "" }],
])("%s of %s %s", async (_what, product, action, sent, meant) => {
  const { ClusterCIDRSettings: _, ...expected } = meant;
  expect(await read(product, action, sent)).toEqual(expected);
});

test("texts of a disk that a client leaves out are empty", async () => {
  const sent = { ...basic({}), InstanceDataDiskMountSettings: mounted({}) };
  expect(await read("cluster", "CreateCluster", sent)).toMatchObject({
    InstanceDataDiskMountSettings: mounted({ FileSystem: "", MountTarget: "", DiskPartition: "" }),
  });
});

test("a call of the specification's form is not changed", async () => {
  const of = { product: "cluster", action: "ModifyNodePool", version: "2022-05-01", region: "eu-frankfurt" } as const;
  const body = pool({ Native: { InstanceChargeType: "" } });
  expect(await translator.request(of, body, "there")).toEqual(body);
});

test("the lists of empty values have names of optional fields only", () => {
  const named = (kinds: readonly string[]) =>
    new Set(
      catalogue.flatMap(({ input }) =>
        fieldsIn(input).flatMap(({ name, kind, required }) => (kinds.includes(kind) && !required ? [name] : [])),
      ),
    );
  const { meant, noZero } = publicDifferences.emptyValues;
  expect([...meant].filter((name) => !named(["string", "object"]).has(name))).toEqual([]);
  expect([...noZero].filter((name) => !named(["integer", "number"]).has(name))).toEqual([]);
});
