import { expect, test } from "vitest";
import type { KindName } from "../../../provider/src/resources/reviews.ts";
import type { Props } from "../../support/structs.ts";
import { makeNetwork, makePool, makeRegistry, makeSubnet, makeVpc } from "../stage/outside.ts";
import { runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { wrongInputs } from "./wrong-inputs.ts";

/** What a resource names by its id has to be there, and to stay: or the preview refuses it. */

const stage = await sharedStage();
const { actions, nextRun, said } = runsOf(stage);
const { vpcId, subnetId } = await makeNetwork(stage);
const other = await makeVpc(stage, "10.1.0.0/16");
const elsewhere = await makeSubnet(stage, other, "10.1.0.0/24");
const registryId = await makeRegistry(stage, "acme-here");
const far = await makeRegistry(stage, "acme-far", stage.cloudIn("ap-singapore"));
const zone = "eu-frankfurt-1";
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };

const advice =
  "Check the ID. If it was a resource of this stack, use its output instead and run `pulumi up --refresh`, which creates it again with a new ID";
const rule = { ruleName: "copy", destNamespace: "team", filters: [{ type: "name", value: "**" }] };
const lacksVpc = "vpcId: VPC vpc-3f8a0c1e not found";
const lacksCluster = "clusterId: cluster cls-3f8a0c1e not found";
const lacksRegistry = "registryId: registry tcr-3f8a0c1e not found";
const web = { protocol: "TCP", port: "443", action: "ACCEPT" };
const [group, machine, part] = ["sg-3f8a0c1e", "ins-3f8a0c1e", "subnet-3f8a0c1e"];

/** Of each kind, what the ids in right inputs lack; and other inputs, if they name further ids. */
const absent: readonly (readonly [type: KindName, change: Props, says: string])[] = [
  ["Subnet", {}, lacksVpc],
  ["Subnet", { vpcId, cidrBlock: "10.0.9.0/24", routeTableId: "rtb-3f8a0c1e" }, "routeTableId: route table rtb-3f8a0c1e not found"],
  ["Ipv6Block", {}, lacksVpc],
  ["SecurityGroup", { ingress: [{ ...web, securityGroupId: group }] }, `ingress[0].securityGroupId: security group ${group} not found`],
  ["Cluster", {}, lacksVpc],
  ["Cluster", { ...gr, clusterCidr: undefined, eniSubnetIds: [subnetId, part] }, `eniSubnetIds[1]: subnet ${part} not found`],
  [
    "Cluster",
    { ...gr, existingInstances: [{ instanceIds: [machine] }] },
    `existingInstances[0].instanceIds[0]: machine ${machine} not found`,
  ],
  ["NodePool", {}, lacksCluster],
  ["ClusterEndpoint", {}, lacksCluster],
  ["UserPermission", {}, lacksCluster],
  ["RegistryInstance", { internalAccess: [{ vpcId, subnetId: part }] }, `internalAccess[0].subnetId: subnet ${part} not found`],
  ["Namespace", {}, lacksRegistry],
  ["Repository", {}, lacksRegistry],
  ["Token", {}, lacksRegistry],
  ["ServiceAccount", {}, lacksRegistry],
  ["ReplicationRule", { destinationRegistryId: registryId }, "sourceRegistryId: registry tcr-3f8a0c1e not found"],
];

test.each(absent)("%s %j: %s", async (type, change, says) => {
  expect(await said(type, { ...wrongInputs[type].base, ...change })).toContain(`${says} in eu-frankfurt. ${advice}`);
});

const isElsewhere = `${elsewhere} is in ${other}. Use a subnet of ${vpcId}`;
const misplaced: readonly (readonly [type: string, args: Props, says: string])[] = [
  [
    "RegistryInstance",
    { registryName: "acme-new", internalAccess: [{ vpcId, subnetId: elsewhere }] },
    `internalAccess[0].subnetId: ${isElsewhere}`,
  ],
  [
    "ReplicationRule",
    { ...rule, sourceRegistryId: registryId, destinationRegistryId: far },
    `destinationRegistryId: registry ${far} is in ap-singapore, not in eu-frankfurt: name that in destinationRegion`,
  ],
  [
    "ReplicationRule",
    { ...rule, sourceRegistryId: registryId, destinationRegistryId: "tcr-00000000", destinationRegion: "ap-singapore" },
    "destinationRegistryId: there is no registry tcr-00000000 in ap-singapore",
  ],
];

test.each(misplaced)("%s %j: %s", async (type, args, says) => {
  expect(await said(type, args)).toBe(says);
});

test("the access from the VPC is in a subnet of the cluster's VPC", async () => {
  await nextRun();
  await using one = await stage.deployed("Cluster", gr, "platform");
  await makePool(stage, one.id, subnetId);
  await nextRun();
  const access = { clusterId: one.id, isExtranet: false };
  expect(await said("ClusterEndpoint", { ...access, subnetId: elsewhere })).toBe(`subnetId: ${isElsewhere}`);
  expect(await said("ClusterEndpoint", { ...access, subnetId })).toBe("create");
});

test("what is there already, and what this run makes, is not looked for; and each id once", async () => {
  await nextRun();
  const subnet = (index: number, of: string) => ({ vpcId: of, zone, cidrBlock: `10.2.${index}.0/24` });
  const looks = async (work: () => Promise<unknown>) => (await actions(work)).filter((action) => action === "DescribeVpcs").length;
  await using net = await stage.deployed("Vpc", { cidrBlock: "10.2.0.0/16" }, "net");
  await using made = stage.deployment("Subnet", "part");
  expect(await looks(() => made.up(subnet(1, net.id)))).toBe(0);
  await nextRun();
  expect(await looks(() => made.preview({ ...subnet(1, net.id), subnetName: "new" }))).toBe(0);
  await net.preview({ cidrBlock: "10.2.0.0/16" });
  expect(await looks(() => said("Subnet", subnet(2, net.id), {}, "more"))).toBe(0);
  await nextRun();
  const tokens = ["one", "two", "three"];
  const asked = await actions(() => Promise.all(tokens.map((name) => stage.deployment("Token", name).preview({ registryId }))));
  expect(asked).toEqual(["DescribeInstances"]);
});

test("what a new one is made in place of cannot be named by its id, whichever comes first", async () => {
  await using net = await stage.deployed("Vpc", { cidrBlock: "10.2.0.0/16" }, "net");
  await nextRun();
  const says = `${net.id} is "net", which is being replaced and gets a new ID. In "part", use "net"'s output instead of the literal ID`;
  const inside = { vpcId: net.id, zone, cidrBlock: "10.2.1.0/24" };
  await net.preview({ cidrBlock: "10.2.0.0/15" });
  expect(await said("Subnet", inside, {}, "part")).toBe(`vpcId: ${says}`);
  await nextRun();
  expect(await said("Subnet", inside, {}, "part")).toBe("create");
  await expect(net.preview({ cidrBlock: "10.2.0.0/15" })).rejects.toThrow(says);
  await nextRun();
});
