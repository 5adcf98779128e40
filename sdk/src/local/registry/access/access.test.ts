import { expect, test } from "vitest";
import {
  createInternalEndpointDns,
  createMultipleSecurityPolicy,
  createSecurityPolicy,
  deleteInternalEndpointDns,
  deleteMultipleSecurityPolicy,
  deleteSecurityPolicy,
  describeExternalEndpointStatus,
  describeInternalEndpointDnsStatus,
  describeInternalEndpoints,
  describeSecurityPolicies,
  manageExternalEndpoint,
  manageInternalEndpoint,
  modifySecurityPolicy,
} from "../../../catalogue/registry.ts";
import { deleteSubnet } from "../../../catalogue/vpc.ts";
import { stage } from "../stage.fixture.ts";

type Stage = ReturnType<typeof stage>;

const stateOf = async ({ cloud }: Stage, registryId: string) => (await cloud.call(describeExternalEndpointStatus, { registryId })).status;
const policiesOf = async ({ cloud }: Stage, registryId: string) =>
  (await cloud.call(describeSecurityPolicies, { registryId })).securityPolicySet;

async function opened() {
  const at = stage();
  const registryId = await at.running();
  await at.cloud.call(manageExternalEndpoint, { registryId, operation: "Create" });
  at.world.advance(800);
  return { at, registryId };
}

test("the public endpoint is Closed, Opening, Opened, Deleting, Closed; it has a whitelist while it is Opened", async () => {
  const at = stage();
  const registryId = await at.create();
  const manage = (operation: "Create" | "Delete") => at.cloud.call(manageExternalEndpoint, { registryId, operation });
  await expect(manage("Create")).rejects.toMatchObject({ code: "ResourceInsufficient.ErrorInstanceNotRunning" });
  at.world.advance(2000);
  expect(await stateOf(at, registryId)).toBe("Closed");
  await expect(policiesOf(at, registryId)).rejects.toMatchObject({
    code: "ResourceNotFound",
    message: expect.stringContaining("failed to get security group id"),
  });
  await manage("Create");
  await manage("Create");
  expect(await stateOf(at, registryId)).toBe("Opening");
  await expect(manage("Delete")).rejects.toMatchObject({ code: "InternalError.ErrorConflict", kind: "transient" });
  at.world.advance(800);
  expect(await stateOf(at, registryId)).toBe("Opened");
  await at.cloud.call(createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "office" });
  expect(await policiesOf(at, registryId)).toMatchObject([{ policyIndex: 0, cidrBlock: "203.0.113.7/32", description: "office" }]);
  await manage("Delete");
  await manage("Delete");
  expect(await stateOf(at, registryId)).toBe("Deleting");
  await expect(manage("Create")).rejects.toMatchObject({ code: "InternalError.ErrorConflict" });
  at.world.advance(500);
  expect(await stateOf(at, registryId)).toBe("Closed");
  await manage("Create");
  at.world.advance(800);
  expect(await policiesOf(at, registryId)).toEqual([]);
});

test("a public endpoint that could not be opened has the reason", async () => {
  const at = stage();
  const registryId = await at.running();
  at.platform.faults.add({ thing: "registryEndpoint", end: "Closed", reason: "no address left" });
  await at.cloud.call(manageExternalEndpoint, { registryId, operation: "Create" });
  at.world.advance(800);
  expect(await at.cloud.call(describeExternalEndpointStatus, { registryId })).toMatchObject({
    status: "Closed",
    reason: "no address left",
  });
});

test("an entry is changed by index and range, and the indexes of the entries after a deleted one move up", async () => {
  const { at, registryId } = await opened();
  const set = ["198.51.100.0/24", "203.0.113.7", "2001:db8::/56"].map((cidrBlock) => ({ cidrBlock, description: "a" }));
  await at.cloud.call(createMultipleSecurityPolicy, { registryId, securityGroupPolicySet: set });
  await at.cloud.call(modifySecurityPolicy, { registryId, policyIndex: 1, cidrBlock: "203.0.113.7", description: "b" });
  const [first, second, third] = await policiesOf(at, registryId);
  expect([first?.description, second?.description, third?.description]).toEqual(["a", "b", "a"]);
  await at.cloud.call(deleteSecurityPolicy, {
    registryId,
    policyIndex: 0,
    policyVersion: first?.policyVersion,
    cidrBlock: first?.cidrBlock,
  });
  const outdated = { registryId, policyIndex: 2, policyVersion: third?.policyVersion, cidrBlock: third?.cidrBlock };
  await expect(at.cloud.call(deleteSecurityPolicy, outdated)).rejects.toMatchObject({
    code: "UnsupportedOperation.VersionMismatch",
    kind: "conflict",
  });
  expect((await policiesOf(at, registryId)).map(({ policyIndex, cidrBlock }) => [policyIndex, cidrBlock])).toEqual([
    [0, "203.0.113.7"],
    [1, "2001:db8::/56"],
  ]);
  const both = [{ policyIndex: 0 }, { cidrBlock: "2001:db8::/56" }];
  await at.cloud.call(deleteMultipleSecurityPolicy, { registryId, securityGroupPolicySet: both });
  expect(await policiesOf(at, registryId)).toEqual([]);
});

test("a whitelist takes each range once, and no range of all addresses", async () => {
  const { at, registryId } = await opened();
  const add = (cidrBlock: string) => at.cloud.call(createSecurityPolicy, { registryId, cidrBlock, description: "" });
  for (const cidrBlock of ["0.0.0.0/0", "::/0", "203.0.113.7/24", "somewhere", ""])
    await expect(add(cidrBlock)).rejects.toMatchObject({ code: "InvalidParameter" });
  await add("203.0.113.7/32");
  await expect(add("203.0.113.7")).rejects.toMatchObject({ code: "UnsupportedOperation.DuplicatePolicy", kind: "conflict" });
  const one = { registryId, policyIndex: 0, cidrBlock: "203.0.113.8/32" };
  await expect(at.cloud.call(modifySecurityPolicy, { ...one, description: "" })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(at.cloud.call(deleteSecurityPolicy, one)).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(at.cloud.call(deleteSecurityPolicy, { registryId, policyIndex: 1 })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(at.cloud.call(deleteSecurityPolicy, { registryId })).rejects.toMatchObject({ code: "MissingParameter" });
  const half = [{ cidrBlock: "198.51.100.0/24" }, { cidrBlock: "203.0.113.7/32" }];
  const twice = at.cloud.call(createMultipleSecurityPolicy, { registryId, securityGroupPolicySet: half });
  await expect(twice).rejects.toMatchObject({ code: "UnsupportedOperation.DuplicatePolicy" });
  const none = at.cloud.call(createMultipleSecurityPolicy, { registryId, securityGroupPolicySet: [] });
  await expect(none).rejects.toMatchObject({ code: "InvalidParameter" });
  expect(await policiesOf(at, registryId)).toHaveLength(1);
});

test("a connection takes an address of its subnet, and releases it", async () => {
  const at = stage();
  const registryId = await at.running();
  const { vpcId, subnetId } = await at.network();
  const manage = (operation: "Create" | "Delete", given = {}) =>
    at.cloud.call(manageInternalEndpoint, { registryId, operation, vpcId, subnetId, ...given });
  const endpoints = () => at.cloud.call(describeInternalEndpoints, { registryId });
  await expect(manage("Delete")).rejects.toMatchObject({ code: "ResourceNotFound" });
  await manage("Create", { regionId: 1, regionName: at.region });
  expect(await endpoints()).toMatchObject({
    totalCount: 0,
    internalEndpoint: [],
    accessVpcSet: [{ vpcId, subnetId, status: "Pending", accessIp: "" }],
  });
  at.world.advance(800);
  expect(await endpoints()).toMatchObject({ totalCount: 1, internalEndpoint: ["10.0.0.2"], accessVpcSet: [{ status: "Running" }] });
  expect((await at.recordOf(registryId))?.internalEndpoint).toBe("10.0.0.2");
  await expect(manage("Create")).rejects.toMatchObject({ code: "FailedOperation" });
  await expect(manage("Create", { regionName: "na-ashburn" })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(manage("Create", { regionId: 3 })).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(manage("Create", { vpcId: "vpc-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(manage("Create", { subnetId: "subnet-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(at.cloud.call(deleteSubnet, { subnetId })).rejects.toMatchObject({
    code: "ResourceInUse",
    message: expect.stringContaining(registryId),
  });
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
    return (await at.cloud.call(describeInternalEndpointDnsStatus, { vpcSet })).vpcSet.map(({ status }) => status);
  };
  const manage = (operation: "Create" | "Delete") => at.cloud.call(manageInternalEndpoint, { registryId, operation, vpcId, subnetId });
  await manage("Create");
  await expect(at.cloud.call(createInternalEndpointDns, target)).rejects.toMatchObject({ code: "InvalidParameter" });
  at.world.advance(800);
  await at.cloud.call(createInternalEndpointDns, target);
  await at.cloud.call(createInternalEndpointDns, { ...target, regionName: at.region });
  expect(await statuses()).toEqual(["DISABLE", "DISABLE"]);
  at.world.advance(300);
  expect(await statuses()).toEqual(["ENABLE", "DISABLE"]);
  await at.cloud.call(createInternalEndpointDns, { ...target, usePublicDomain: true });
  at.world.advance(300);
  expect(await statuses()).toEqual(["ENABLE", "ENABLE"]);
  await at.cloud.call(deleteInternalEndpointDns, target);
  expect(await statuses()).toEqual(["DISABLE", "ENABLE"]);
  await expect(at.cloud.call(deleteInternalEndpointDns, target)).rejects.toMatchObject({ code: "ResourceNotFound" });
  await manage("Delete");
  expect(await statuses()).toEqual(["DISABLE", "DISABLE"]);
});
