import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import type { KindName } from "../../../provider/src/resources/reviews.ts";
import { dynamicTest } from "../../support/shell.ts";
import { type Props, unknown } from "../../support/structs.ts";
import { makeNamespace, makeNetwork, makePool, makeRegistry, makeSubnet, makeVpc } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { wrongInputs } from "./wrong-inputs.ts";

/** What a resource names or needs has to be there, to stay, or to be made before it by the program: or the preview refuses it. */

const stage = await sharedStage();
const { actions, nextRun, said, warnings } = runsOf(stage);
const { vpcId, subnetId } = await makeNetwork(stage);
const other = await makeVpc(stage, "10.1.0.0/16");
const elsewhere = await makeSubnet(stage, other, "10.1.0.0/24");
const registryId = await makeRegistry(stage, "acme-here");
const far = await makeRegistry(stage, "acme-far", stage.cloudIn("ap-singapore"));
const near = await makeRegistry(stage, "acme-near");
await makeNamespace(stage, registryId, "team");
await makeNamespace(stage, near, "copies");
const zone = "eu-frankfurt-1";
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };

const advice =
  "Check the ID. If it was a resource of this stack, use its output instead and run `pulumi up --refresh`, which creates it again with a new ID";
const rule = { ruleName: "copy", destNamespace: "team", filters: [{ type: "name", value: "**" }] };
const web = { protocol: "TCP", port: "443", action: "ACCEPT" };
const [group, machine, part] = ["sg-3f8a0c1e", "ins-3f8a0c1e", "subnet-3f8a0c1e"];

const lacking = (says: string, ...types: readonly KindName[]) => types.map((type) => [type, {}, says] as const);

/** Of each kind, what the ids in right inputs lack; and other inputs, if they name further ids. */
const absent: readonly (readonly [type: KindName, change: Props, says: string])[] = [
  ...lacking("vpcId: VPC vpc-3f8a0c1e not found", "Subnet", "Ipv6Block", "Cluster"),
  ...lacking("clusterId: cluster cls-3f8a0c1e not found", "NodePool", "ClusterEndpoint", "UserPermission"),
  ...lacking("registryId: registry tcr-3f8a0c1e not found", "Namespace", "Repository", "Token", "ServiceAccount"),
  ["Subnet", { vpcId, cidrBlock: "10.0.9.0/24", routeTableId: "rtb-3f8a0c1e" }, "routeTableId: route table rtb-3f8a0c1e not found"],
  ["SecurityGroup", { ingress: [{ ...web, securityGroupId: group }] }, `ingress[0].securityGroupId: security group ${group} not found`],
  ["Cluster", { ...gr, clusterCidr: undefined, eniSubnetIds: [subnetId, part] }, `eniSubnetIds[1]: subnet ${part} not found`],
  [
    "Cluster",
    { ...gr, existingInstances: [{ instanceIds: [machine] }] },
    `existingInstances[0].instanceIds[0]: machine ${machine} not found`,
  ],
  ["RegistryInstance", { internalAccess: [{ vpcId, subnetId: part }] }, `internalAccess[0].subnetId: subnet ${part} not found`],
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

const repository = { registryId, repositoryName: "web" };
const account = { registryId, name: "ci" };
const allowed = (...names: readonly unknown[]) => ({
  permissions: names.map((resource) => ({ resource, actions: ["reg:PullRepository"] })),
});
const copying = { sourceRegistryId: registryId, ruleName: "copy", filters: [{ type: "name", value: "**" }] };
const remedy =
  "Use an existing one. If this program creates it, pass the output namespaceName of that Namespace, so that Pulumi creates it first";
const lacks = (path: string, of: string, name: string) => `${path}: namespace ${name} not found in registry ${of}. ${remedy}`;

test("a namespace that is none is refused, of a repository, an account and a copy", async () => {
  expect(await said("Repository", { ...repository, namespaceName: "none" })).toBe(lacks("namespaceName", registryId, "none"));
  expect(await said("ServiceAccount", { ...account, ...allowed("team", "none/") })).toBe(
    lacks("permissions[1].resource", registryId, "none"),
  );
  expect(await said("ReplicationRule", { ...copying, destinationRegistryId: near, destNamespace: "team" })).toBe(
    lacks("destNamespace", near, "team"),
  );
  for (const [type, args] of [
    ["Repository", { ...repository, namespaceName: "team" }],
    ["Repository", { ...repository, namespaceName: unknown }],
    ["ServiceAccount", { ...account, ...allowed("team/") }],
    ["ReplicationRule", { ...copying, destinationRegistryId: near, destNamespace: "copies" }],
    ["ReplicationRule", { ...copying, destinationRegistryId: far, destinationRegion: "ap-singapore", destNamespace: "none" }],
  ] as const)
    expect(await said(type, args), type).toBe("create");
});

dynamicTest("one that the program makes serves if it is made first, whatever is known yet, and whoever has waited for it", async () => {
  await nextRun();
  const team = urnOf("Namespace", "ops");
  expect(await said("Namespace", { registryId, namespaceName: "ops", isPublic: false }, {}, "ops")).toBe("create");
  const asked = { ...repository, namespaceName: "ops" };
  expect(await said("Repository", asked)).toBe(lacks("namespaceName", registryId, "ops"));
  expect(await said("Repository", asked, { __after: [team] })).toBe("create");
  expect(await said("Repository", { ...asked, registryId: near }, { __after: [team] })).toBe(lacks("namespaceName", near, "ops"));
  expect(await said("ServiceAccount", { ...account, ...allowed("ops") }, { __of: { "permissions.0.resource": team } })).toBe("create");
  const waits = { __after: [urnOf("ServiceAccount", "example")] };
  expect(await said("Repository", { ...asked, repositoryName: "late" }, waits, "late")).toBe("create");
  const elsewhere = { __of: { namespaceName: urnOf("Namespace", "with-another-provider") } };
  expect(await said("Repository", { ...asked, registryId: near, repositoryName: "there" }, elsewhere, "there")).toBe("create");
  // What is of no kind of these packages may wait for it.
  const grouped = { __after: ["urn:pulumi:test::laws::acme:index:Group::group"] };
  expect(await said("Repository", { ...asked, repositoryName: "grouped" }, grouped, "grouped")).toBe("create");

  const images = urnOf("RegistryInstance", "images");
  const inNew = { __of: { registryId: images } };
  expect(await said("RegistryInstance", { registryName: "acme-new" }, {}, "images")).toBe("create");
  const unborn = { registryId: unknown, repositoryName: "web", namespaceName: "team" };
  expect(await said("Repository", unborn, inNew)).toBe(lacks("namespaceName", '"images"', "team"));
  expect(await said("Namespace", { registryId: unknown, namespaceName: "team", isPublic: false }, inNew, "team")).toBe("create");
  expect(await said("Repository", unborn, { ...inNew, __after: [urnOf("Namespace", "team")] })).toBe("create");
});

test("only what is new or has changed is looked at; a change of permissions names all their namespaces anew", async () => {
  await nextRun();
  await using one = stage.deployment("ServiceAccount", "ci");
  await using made = stage.deployment("Namespace", "gone");
  await made.up({ registryId, namespaceName: "gone", isPublic: false });
  await one.up({ ...account, ...allowed("gone", "team") });
  await stage.cloud.call(registry.deleteNamespace, { registryId, namespaceName: "gone" });
  await nextRun();
  expect(await actions(() => one.preview({ ...account, ...allowed("gone", "team") }))).toEqual([]);
  expect(await one.preview({ ...account, ...allowed("team", "gone"), description: "other" })).toBe("update");
  await expect(one.preview({ ...account, ...allowed("gone", "none") })).rejects.toThrow(
    lacks("permissions[1].resource", registryId, "none"),
  );
  await nextRun();
  await expect(one.preview({ ...account, ...allowed("gone") })).rejects.toThrow(lacks("permissions[0].resource", registryId, "gone"));
});

const away = { destinationRegistryId: far, destinationRegion: "ap-singapore", destNamespace: "copies" };
const premium = (of: string) =>
  `copies to ap-singapore need a premium source, and registry ${of} is not premium. Set its registryType to "premium". If this program does, pass the output registryId of that RegistryInstance, so that Pulumi updates it first`;

dynamicTest("copies to another region take a premium registry, as the program has it, whichever comes first", async () => {
  await nextRun();
  await using plain = stage.deployment("RegistryInstance", "plain");
  const asked = { registryName: "acme-plain", deleteBucket: true };
  await plain.up(asked);
  const copy = { ...copying, ...away, sourceRegistryId: plain.id };
  const here = { ...copying, sourceRegistryId: plain.id, destinationRegistryId: near, destNamespace: "copies" };
  await nextRun();
  expect(await said("ReplicationRule", copy)).toBe(`destinationRegion: ${premium(plain.id)}`);
  for (const near of [here, { ...here, destinationRegion: "eu-frankfurt" }]) expect(await said("ReplicationRule", near)).toBe("create");

  // With the program's registry: made premium before, or at the same time.
  await nextRun();
  expect(await plain.preview({ ...asked, registryType: "premium" })).toBe("update");
  expect(await said("ReplicationRule", copy)).toBe(`destinationRegion: ${premium(plain.id)}`);
  expect(await said("ReplicationRule", copy, { __of: { sourceRegistryId: urnOf("RegistryInstance", "plain") } })).toBe("create");
  await plain.up({ ...asked, registryType: "premium" });
  await nextRun();
  expect(await plain.preview(asked)).toBe("update");
  expect(await said("ReplicationRule", copy)).toBe(`destinationRegion: ${premium(plain.id)}`);
  await nextRun();
  expect(await said("ReplicationRule", copy)).toBe("create");
  await expect(plain.preview(asked)).rejects.toThrow(`destinationRegion of "example": ${premium(plain.id)}`);
  await nextRun();
});

/** What a preview looks at may be hidden from the account: then a warning says so, once, and nothing is refused. */
const hidden: readonly (readonly [action: string, type: string, args: Props, says: string])[] = [
  ["DescribeVpcs", "Vpc", { cidrBlock: "10.50.0.0/16" }, "could not check whether a conflicting Vpc exists"],
  [
    "DescribeInstances",
    "Cluster",
    { vpcId, subnetId, clusterCidr: "172.16.0.0/16", existingInstances: [{ instanceIds: ["ins-00000000"] }] },
    "could not check whether machine ins-00000000 exists",
  ],
  [
    "DescribeNamespaces",
    "Repository",
    { registryId, repositoryName: "web", namespaceName: "none" },
    `namespaceName: could not check whether registry ${registryId} accepts this value`,
  ],
  [
    "DescribeZones",
    "Subnet",
    { vpcId, cidrBlock: "10.0.9.0/24", zone: "eu-frankfurt-9" },
    "zone: could not check whether the platform offers this value: DescribeZones",
  ],
];

test.each(hidden)("without permission for %s, the preview of a %s warns, and refuses nothing", async (action, type, args, says) => {
  await nextRun();
  const code = "UnauthorizedOperation.AccessMgmtNoAuth";
  stage.faults.add({ operation: { action }, when: "before", code, reason: "not you" });
  expect(await said(type, args)).toBe("create");
  await expect.poll(warnings).toEqual([expect.stringContaining(`${says}: not you (`)]);
  await nextRun();
});
