import { expect, test } from "vitest";
import { catalogue as ownCatalogue, publicFormCatalogue } from "../../catalogue/every-operation.ts";
import { publicApi } from "../wire-format.ts";
import type { Difference } from "../rule.ts";
import { publicDifferences } from "./differences.ts";
import { modelsOf } from "./models.fixture.ts";
import { findingsOf, lacksOf } from "./shapes.fixture.ts";

const catalogue = [...ownCatalogue, ...publicFormCatalogue];
const differences = (await Promise.all(catalogue.map(({ product }) => publicDifferences.of(product)))).flat();

/** What the published models say otherwise than the catalogue with these rules. */
function found(rules: readonly Difference[]): string[] {
  return catalogue.flatMap((operation) => {
    const difference = rules.find((each) => each.operation === operation);
    const models = modelsOf(publicApi.services[operation.product], operation.version);
    return findingsOf(operation, difference, models).map(({ at, what }) => `${at}: ${what}`);
  });
}

test("the catalogue and its rules are the published models: every difference is explained", () => {
  console.log(`${catalogue.length} operations as published; ${found([]).length} differences, all of them explained`);
  expect(found(differences)).toEqual([]);
});

test("without the rules the differences are found", () => {
  expect(found([])).toEqual(
    expect.arrayContaining([
      "CreateCluster VpcId: it is not there",
      "CreateCluster ClusterType: it is required there, and optional here",
      "DescribeClusters -> Clusters[].ClusterNetworkSettings.Subnets: it may be null there, and is required here",
      "UnassignIpv6SubnetCidrBlock Ipv6SubnetCidrBlocks[].Ipv6SubnetCidrBlock: it is not there",
      "AddExistedInstances InstanceAdvancedSettings.Taints: it is required there, and optional here",
      "CreateSecurityGroup -> SecurityGroup.GroupName: it is not there",
    ]),
  );
});

test("a rule without a difference is found, too", () => {
  const [first] = differences.filter(({ operation }) => operation.action === "DescribeVpcs");
  const stale = first && ({ ...first, answer: { vpcSet: { fields: { vpcName: { there: false } } } } } satisfies Difference);
  expect(found(stale ? [stale] : [])).toContain("DescribeVpcs -> VpcSet[].VpcName: it is there, although a rule says that it is not");
});

test("what the catalogue lacks of the published models is found", () => {
  const lacks = (action: string) => {
    const [operation] = catalogue.filter((each) => each.action === action);
    if (!operation) throw new Error(`there is no ${action}`);
    const difference = differences.find((each) => each.operation === operation);
    return lacksOf(operation, difference, modelsOf(publicApi.services[operation.product], operation.version));
  };
  expect(lacks("CreateSubnet")).toMatchObject({ unknown: ["CdcId"], required: ["Tags[].Value"] });
  expect(lacks("DescribeRouteTables").unknown).toContain("NeedRouterInfo");
  expect(lacks("DescribeRouteTables").untold).toContain("RouteTableSet[].LocalCidrForCcn");
  expect(lacks("CreateMultipleSecurityPolicy").required).toEqual(["SecurityGroupPolicySet[].CidrBlock"]);
  expect(lacks("GetCallerIdentity").untold).toEqual(expect.arrayContaining(["Arn", "Type"]));
  expect(lacks("DeleteVpc")).toEqual({ unknown: [], required: [], untold: [] });
  expect(lacks("DeleteSecurityGroupPolicies").unknown.filter((path) => path.endsWith("ModifyTime"))).toEqual([]);
});
