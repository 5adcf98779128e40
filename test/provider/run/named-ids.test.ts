import * as compute from "@container-platform/sdk/compute";
import { expect, test } from "vitest";
import { severities } from "../../support/host.ts";
import type { Props } from "../../support/structs.ts";
import { makeNetwork, makePool, makeRegistry, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What a resource names by its id has to be there, and to stay: or the preview refuses it. */

const stage = await sharedStage();
const {
  vpcId,
  subnetIds: [subnetId],
} = await makeNetwork(stage);
const other = await makeVpc(stage, "10.1.0.0/16");
const elsewhere = await makeSubnet(stage, other, "10.1.0.0/24");
const registryId = await makeRegistry(stage, "acme-here");
const far = await makeRegistry(stage, "acme-far", stage.cloudIn("ap-singapore"));
const zone = "eu-frankfurt-1";
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };

/** The run of an engine that has ended as it should. */
const nextRun = () => stage.host.restart("SIGINT");
const warnings = () => stage.host.lines.filter(({ severity }) => severity === severities.warning).map(({ message }) => message);

async function refused(type: string, args: Props, name = "example"): Promise<string> {
  const error: unknown = await stage
    .deployment(type, name)
    .preview(args)
    .catch((caught: unknown) => caught);
  return error instanceof Error ? error.message : "it was not refused";
}

const advice = "If the program gives this id as text, check it. If Pulumi had made the resource, `pulumi up --refresh` makes it again";
const account = { permissions: [{ resource: "team", actions: ["reg:PullRepository"] }], name: "ci" };
const rule = { ruleName: "copy", destNamespace: "team", filters: [{ type: "name", value: "**" }] };
const group = { protocol: "TCP", port: "443", action: "ACCEPT" };

const absent: readonly (readonly [type: string, args: Props, says: string])[] = [
  ["Subnet", { vpcId: "vpc-00000000", zone, cidrBlock: "10.0.9.0/24" }, "vpcId: there is no VPC vpc-00000000"],
  ["Subnet", { vpcId, zone, cidrBlock: "10.0.9.0/24", routeTableId: "rtb-00000000" }, "routeTableId: there is no route table rtb-00000000"],
  ["Ipv6Block", { vpcId: "vpc-00000000" }, "vpcId: there is no VPC vpc-00000000"],
  [
    "SecurityGroup",
    { ingress: [{ ...group, securityGroupId: "sg-00000000" }] },
    "ingress[0].securityGroupId: there is no security group sg-00000000",
  ],
  ["Cluster", { ...gr, vpcId: "vpc-00000000", subnetId: "subnet-00000000" }, "vpcId: there is no VPC vpc-00000000"],
  ["Cluster", { vpcId, subnetId, eniSubnetIds: [subnetId, "subnet-00000000"] }, "eniSubnetIds[1]: there is no subnet subnet-00000000"],
  [
    "Cluster",
    { ...gr, existingInstances: [{ instanceIds: ["ins-00000000"] }] },
    "existingInstances[0].instanceIds[0]: there is no machine ins-00000000",
  ],
  ["NodePool", { clusterId: "cls-00000000", native: oneNode(subnetId) }, "clusterId: there is no cluster cls-00000000"],
  ["ClusterEndpoint", { clusterId: "cls-00000000", isExtranet: false, subnetId }, "clusterId: there is no cluster cls-00000000"],
  [
    "UserPermission",
    { targetUin: "100000000002", clusterId: "cls-00000000", roleName: "svc:ro", roleType: "cluster" },
    "clusterId: there is no cluster cls-00000000",
  ],
  [
    "RegistryInstance",
    { registryName: "acme-new", internalAccess: [{ vpcId, subnetId: "subnet-00000000" }] },
    "internalAccess[0].subnetId: there is no subnet subnet-00000000",
  ],
  ["Namespace", { registryId: "tcr-00000000", namespaceName: "team", isPublic: false }, "registryId: there is no registry tcr-00000000"],
  [
    "Repository",
    { registryId: "tcr-00000000", namespaceName: "team", repositoryName: "web" },
    "registryId: there is no registry tcr-00000000",
  ],
  ["Token", { registryId: "tcr-00000000" }, "registryId: there is no registry tcr-00000000"],
  ["ServiceAccount", { registryId: "tcr-00000000", ...account }, "registryId: there is no registry tcr-00000000"],
  [
    "ReplicationRule",
    { sourceRegistryId: "tcr-00000000", destinationRegistryId: registryId, ...rule },
    "sourceRegistryId: there is no registry tcr-00000000",
  ],
];

test.each(absent)("%s %j: %s", async (type, args, says) => {
  expect(await refused(type, args)).toContain(`${says} in eu-frankfurt. ${advice}`);
});

const misplaced: readonly (readonly [type: string, args: Props, says: string])[] = [
  [
    "RegistryInstance",
    { registryName: "acme-new", internalAccess: [{ vpcId, subnetId: elsewhere }] },
    `internalAccess: ${elsewhere} is in ${other}: it takes a subnet of ${vpcId}`,
  ],
  [
    "ReplicationRule",
    { sourceRegistryId: registryId, destinationRegistryId: far, ...rule },
    `destinationRegistryId: registry ${far} is in ap-singapore, not in eu-frankfurt: name that in destinationRegion`,
  ],
  [
    "ReplicationRule",
    { sourceRegistryId: registryId, destinationRegistryId: "tcr-00000000", destinationRegion: "ap-singapore", ...rule },
    "destinationRegistryId: there is no registry tcr-00000000 in ap-singapore",
  ],
];

test.each(misplaced)("%s %j: %s", async (type, args, says) => {
  expect(await refused(type, args)).toBe(says);
});

test("the access from the VPC is in a subnet of the cluster's VPC", async () => {
  await nextRun();
  await using one = stage.deployment("Cluster", "platform");
  await one.up(gr);
  await makePool(stage, one.id, subnetId);
  await nextRun();
  const access = { clusterId: one.id, isExtranet: false };
  expect(await refused("ClusterEndpoint", { ...access, subnetId: elsewhere })).toBe(
    `subnetId: ${elsewhere} is in ${other}: it takes a subnet of ${vpcId}`,
  );
  expect(await stage.deployment("ClusterEndpoint").preview({ ...access, subnetId })).toBe("create");
});

test("what is there already, and what this run makes, is not looked for; and each id once", async () => {
  await nextRun();
  const subnet = (index: number, of: string) => ({ vpcId: of, zone, cidrBlock: `10.2.${index}.0/24` });
  const looks = async (work: () => Promise<unknown>) =>
    (await stage.calls(work)).map(({ action }) => action).filter((action) => action === "DescribeVpcs").length;
  await using net = stage.deployment("Vpc", "net");
  await net.up({ cidrBlock: "10.2.0.0/16" });
  await using part = stage.deployment("Subnet", "part");
  expect(await looks(() => part.up(subnet(1, net.id)))).toBe(0);
  await nextRun();
  expect(await looks(() => part.preview({ ...subnet(1, net.id), subnetName: "new" }))).toBe(0);
  await net.preview({ cidrBlock: "10.2.0.0/16" });
  expect(await looks(() => stage.deployment("Subnet", "more").preview(subnet(2, net.id)))).toBe(0);
  await nextRun();
  const token = (name: string) => stage.deployment("Token", name).preview({ registryId });
  const calls = await stage.calls(() => Promise.all([token("one"), token("two"), token("three")]));
  expect(calls.map(({ action }) => action)).toEqual(["DescribeInstances"]);
});

test("what a new one is made in place of cannot be named by its id, whichever comes first", async () => {
  await using net = stage.deployment("Vpc", "net");
  await net.up({ cidrBlock: "10.2.0.0/16" });
  await nextRun();
  const says = `${net.id} is "net" of this program, in whose place a new one with another id is made: in "part", write the output of "net" instead of the id, so that it follows`;
  const part = { vpcId: net.id, zone, cidrBlock: "10.2.1.0/24" };
  await net.preview({ cidrBlock: "10.2.0.0/15" });
  expect(await refused("Subnet", part, "part")).toBe(`vpcId: ${says}`);
  await nextRun();
  expect(await stage.deployment("Subnet", "part").preview(part)).toBe("create");
  await expect(net.preview({ cidrBlock: "10.2.0.0/15" })).rejects.toThrow(says);
  await nextRun();
});

test("what cannot be looked at is not refused", async () => {
  await nextRun();
  stage.host.lines.splice(0);
  stage.faults.add({
    operation: compute.describeInstances,
    when: "before",
    code: "UnauthorizedOperation.AccessMgmtNoAuth",
    reason: "not you",
  });
  expect(await stage.deployment("Cluster").preview({ ...gr, existingInstances: [{ instanceIds: ["ins-00000000"] }] })).toBe("create");
  await expect
    .poll(warnings)
    .toEqual([
      "whether there is a machine ins-00000000 cannot be seen: not you (DescribeInstances: UnauthorizedOperation.AccessMgmtNoAuth)",
    ]);
  await nextRun();
});
