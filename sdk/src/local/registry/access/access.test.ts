import { expect, test } from "vitest";
import * as registry from "../../../catalogue/registry.ts";
import { deleteSubnet } from "../../../catalogue/vpc.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

type Stage = ReturnType<typeof stage>;

const policiesOf = async ({ cloud }: Stage, registryId: string) =>
  (await cloud.call(registry.describeSecurityPolicies, { registryId })).securityPolicySet;

async function opened() {
  const at = stage();
  const registryId = await at.running();
  await at.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  at.world.advance(800);
  return { at, registryId };
}

test("a public endpoint that could not be opened has the reason", async () => {
  const at = stage();
  const registryId = await at.running();
  at.platform.faults.add({ resourceType: "registryEndpoint", endState: "Closed", reason: "no address left" });
  await at.cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  at.world.advance(800);
  expect(await at.cloud.call(registry.describeExternalEndpointStatus, { registryId })).toMatchObject({
    status: "Closed",
    reason: "no address left",
  });
});

test("an entry is changed by index and range, and the indexes of the entries after a deleted one move up", async () => {
  const { at, registryId } = await opened();
  const set = ["198.51.100.0/24", "203.0.113.7", "2001:db8::/56"].map((cidrBlock) => ({ cidrBlock, description: "a" }));
  await at.cloud.call(registry.createMultipleSecurityPolicy, { registryId, securityGroupPolicySet: set });
  await at.cloud.call(registry.modifySecurityPolicy, { registryId, policyIndex: 1, cidrBlock: "203.0.113.7", description: "b" });
  const [first, second, third] = await policiesOf(at, registryId);
  expect([first?.description, second?.description, third?.description]).toEqual(["a", "b", "a"]);
  await at.cloud.call(registry.deleteSecurityPolicy, {
    registryId,
    policyIndex: 0,
    policyVersion: first?.policyVersion,
    cidrBlock: first?.cidrBlock,
  });
  const outdated = { registryId, policyIndex: 2, policyVersion: third?.policyVersion, cidrBlock: third?.cidrBlock };
  await refused(at.cloud.call(registry.deleteSecurityPolicy, outdated), "UnsupportedOperation.VersionMismatch", { kind: "conflict" });
  expect((await policiesOf(at, registryId)).map(({ policyIndex, cidrBlock }) => [policyIndex, cidrBlock])).toEqual([
    [0, "203.0.113.7"],
    [1, "2001:db8::/56"],
  ]);
  const both = [{ policyIndex: 0 }, { cidrBlock: "2001:db8::/56" }];
  await at.cloud.call(registry.deleteMultipleSecurityPolicy, { registryId, securityGroupPolicySet: both });
  expect(await policiesOf(at, registryId)).toEqual([]);
});

test("a whitelist takes each range once, and no range of all addresses", async () => {
  const { at, registryId } = await opened();
  const add = (cidrBlock: string) => at.cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock, description: "" });
  for (const cidrBlock of ["0.0.0.0/0", "::/0", "203.0.113.7/24", "somewhere", ""]) await refused(add(cidrBlock), "InvalidParameter");
  await add("203.0.113.7/32");
  await refused(add("203.0.113.7"), "UnsupportedOperation.DuplicatePolicy", { kind: "conflict" });
  const one = { registryId, policyIndex: 0, cidrBlock: "203.0.113.8/32" };
  await refused(at.cloud.call(registry.modifySecurityPolicy, { ...one, description: "" }), "InvalidParameter");
  await refused(at.cloud.call(registry.deleteSecurityPolicy, one), "InvalidParameter");
  await refused(at.cloud.call(registry.deleteSecurityPolicy, { registryId, policyIndex: 1 }), "InvalidParameter");
  await refused(at.cloud.call(registry.deleteSecurityPolicy, { registryId }), "MissingParameter");
  const half = [{ cidrBlock: "198.51.100.0/24" }, { cidrBlock: "203.0.113.7/32" }];
  await refused(
    at.cloud.call(registry.createMultipleSecurityPolicy, { registryId, securityGroupPolicySet: half }),
    "UnsupportedOperation.DuplicatePolicy",
  );
  await refused(at.cloud.call(registry.createMultipleSecurityPolicy, { registryId, securityGroupPolicySet: [] }), "InvalidParameter");
  expect(await policiesOf(at, registryId)).toHaveLength(1);
});

test("a connection takes an address of its subnet, and releases it", async () => {
  const at = stage();
  const registryId = await at.running();
  const { vpcId, subnetId } = await at.network();
  const manage = (operation: "Create" | "Delete", given = {}) =>
    at.cloud.call(registry.manageInternalEndpoint, { registryId, operation, vpcId, subnetId, ...given });
  const endpoints = () => at.cloud.call(registry.describeInternalEndpoints, { registryId });
  await refused(manage("Delete"), "ResourceNotFound");
  await manage("Create", { regionId: 1, regionName: at.region });
  expect(await endpoints()).toMatchObject({
    totalCount: 0,
    internalEndpoint: [],
    accessVpcSet: [{ vpcId, subnetId, status: "Pending", accessIp: "" }],
  });
  at.world.advance(800);
  expect(await endpoints()).toMatchObject({ totalCount: 1, internalEndpoint: ["10.0.0.2"], accessVpcSet: [{ status: "Running" }] });
  expect((await at.recordOf(registryId))?.internalEndpoint).toBe("10.0.0.2");
  await refused(manage("Create"), "FailedOperation");
  await refused(manage("Create", { regionName: "na-ashburn" }), "InvalidParameter");
  await refused(manage("Create", { regionId: 3 }), "InvalidParameter");
  await refused(manage("Create", { vpcId: "vpc-00000000" }), "ResourceNotFound");
  await refused(manage("Create", { subnetId: "subnet-00000000" }), "ResourceNotFound");
  await refused(at.cloud.call(deleteSubnet, { subnetId }), "ResourceInUse", { message: expect.stringContaining(registryId) });
  await manage("Delete");
  await manage("Delete");
  expect(await endpoints()).toMatchObject({ totalCount: 0, accessVpcSet: [{ status: "Deleting" }] });
  at.world.advance(800);
  expect((await endpoints()).accessVpcSet).toEqual([]);
  await at.cloud.call(deleteSubnet, { subnetId });
});

test("a VPC resolves the names that were added to it, while it is connected", async () => {
  const at = stage();
  const registryId = await at.running();
  const { vpcId, subnetId } = await at.network();
  const target = { instanceId: registryId, vpcId, eniLbIp: "10.0.0.2" };
  const statuses = async () => {
    const vpcSet = [target, { ...target, usePublicDomain: true }];
    return (await at.cloud.call(registry.describeInternalEndpointDnsStatus, { vpcSet })).vpcSet.map(({ status }) => status);
  };
  const manage = (operation: "Create" | "Delete") =>
    at.cloud.call(registry.manageInternalEndpoint, { registryId, operation, vpcId, subnetId });
  await manage("Create");
  await refused(at.cloud.call(registry.createInternalEndpointDns, target), "InvalidParameter");
  at.world.advance(800);
  await at.cloud.call(registry.createInternalEndpointDns, target);
  await at.cloud.call(registry.createInternalEndpointDns, { ...target, regionName: at.region });
  expect(await statuses()).toEqual(["DISABLE", "DISABLE"]);
  at.world.advance(300);
  expect(await statuses()).toEqual(["ENABLE", "DISABLE"]);
  await at.cloud.call(registry.createInternalEndpointDns, { ...target, usePublicDomain: true });
  at.world.advance(300);
  expect(await statuses()).toEqual(["ENABLE", "ENABLE"]);
  await at.cloud.call(registry.deleteInternalEndpointDns, target);
  expect(await statuses()).toEqual(["DISABLE", "ENABLE"]);
  await refused(at.cloud.call(registry.deleteInternalEndpointDns, target), "ResourceNotFound");
  await manage("Delete");
  expect(await statuses()).toEqual(["DISABLE", "DISABLE"]);
});
