import * as cluster from "@container-platform/sdk/cluster";
import * as vpc from "@container-platform/sdk/vpc";
import { output } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { cidrSubnet } from "@container-platform/sdk";
import { type Props, unknown } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import { makeBlock, makeInstance, makeNamespace, makeNetwork, makeRegistry, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What conflicts with a resource, in its program or on the platform, is refused in preview: nothing is written. */

const stage = await sharedStage();
const { actions, nextRun, said } = runsOf(stage);
const { vpcId, subnetId } = await makeNetwork(stage);
const registryId = await makeRegistry(stage, "acme-before");
await makeNamespace(stage, registryId, "team");
const zone = "eu-frankfurt-1";
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };

/** What a resource is told whose VPC is not made yet. */
const inNewVpc = { __of: { vpcId: urnOf("Vpc", "net") } };

const team = { registryId, namespaceName: "team", isPublic: false };
const notOurs = "which this stack does not manage";
const ofVpc = `10.0.0.0/16, the CIDR block of ${vpcId}`;
const strangers: readonly (readonly [type: string, args: Props, says: RegExp])[] = [
  ["Vpc", { cidrBlock: "10.0.128.0/17" }, RegExp(`cidrBlock: 10.0.128.0/17 overlaps cidrBlock 10.0.0.0/16 of ${vpcId}, ${notOurs}`)],
  ["Subnet", { vpcId, zone, cidrBlock: "10.0.1.0/25" }, RegExp(`overlaps cidrBlock 10.0.1.0/24 of ${subnetId}, ${notOurs}`)],
  ["Subnet", { vpcId, zone, cidrBlock: "10.1.0.0/24" }, RegExp(`cidrBlock: 10.1.0.0/24 must be inside ${ofVpc}`)],
  ["Cluster", { ...gr, clusterCidr: "10.0.64.0/18" }, RegExp(`clusterCidr: 10.0.64.0/18 overlaps ${ofVpc}`)],
  ["Cluster", { ...gr, serviceCidr: "10.0.0.0/20" }, /serviceCidr: 10\.0\.0\.0\/20 overlaps 10\.0\.0\.0\/16/],
  ["Ipv6Block", { vpcId }, RegExp(`Ipv6Block ${vpcId} already exists, .+ add { import: "${vpcId}`)],
  ["RegistryInstance", { registryName: "acme-before" }, RegExp(`registryName: acme-before is already used by ${registryId}, ${notOurs}`)],
  ["Namespace", team, RegExp(`Namespace ${registryId}/team already exists, and this stack does not manage it`)],
];

test.each(strangers)("a %s is refused that conflicts with a resource on the platform: %j", async (type, args, says) => {
  expect(await said(type, args)).toMatch(says);
});

test("an existing Subnet is refused a range that another one of its VPC has", async () => {
  await using one = await stage.deployed("Subnet", { vpcId, zone, cidrBlock: "10.0.4.0/24" });
  await nextRun();
  await expect(one.preview({ vpcId, zone, cidrBlock: "10.0.1.0/25" })).rejects.toThrow(`overlaps cidrBlock 10.0.1.0/24 of ${subnetId}`);
});

test("on the platform: the pods of another cluster in the VPC, and a registry of another region", async () => {
  const besides = async (clusterCidrSettings: Props & { readonly clusterCidr: string }, look: (clusterId: string) => Promise<void>) => {
    const { clusterId } = await stage.cloud.call(cluster.createCluster, { vpcId, subnetId, clusterCidrSettings });
    await nextRun();
    await look(clusterId);
    await stage.cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  };
  await besides({ clusterCidr: "172.16.0.0/16" }, async (clusterId) => {
    const has = `overlaps clusterCidr 172.16.0.0/16 of ${clusterId}`;
    expect(await said("Cluster", gr)).toContain(`clusterCidr: 172.16.0.0/16 ${has}`);
    const services = { ...gr, clusterCidr: "172.17.0.0/16", serviceCidr: "172.16.0.0/20" };
    expect(await said("Cluster", services)).toContain(`serviceCidr: 172.16.0.0/20 ${has}`);
  });
  // The platform holds new ranges against pods alone.
  await besides({ clusterCidr: "172.17.0.0/16", serviceCidr: "172.16.0.0/20" }, async () => {
    expect(await said("Cluster", gr)).toBe("create");
  });
  const elsewhere = stage.cloudIn("ap-singapore");
  await makeRegistry(stage, "acme-far-away", elsewhere);
  expect(await said("RegistryInstance", { registryName: "acme-far-away" })).toContain("is already used in another region or account");
  await stage.undoLast(1);
  await nextRun();
});

const twice = { registryName: "acme-twice" };
const inOneProgram: readonly (readonly [type: string, options: Props, one: Props, two: Props, says: string])[] = [
  [
    "Vpc",
    {},
    { cidrBlock: "172.16.0.0/12" },
    { cidrBlock: "172.24.0.0/16" },
    'cidrBlock: 172.24.0.0/16 of "two" overlaps cidrBlock 172.16.0.0/12 of "one"',
  ],
  [
    "Subnet",
    inNewVpc,
    { vpcId: unknown, zone, cidrBlock: "10.9.1.0/24" },
    { vpcId: unknown, zone, cidrBlock: "10.9.0.0/23" },
    'cidrBlock: 10.9.0.0/23 of "two" overlaps cidrBlock 10.9.1.0/24 of "one" with the same vpcId. Change one of them',
  ],
  [
    "Cluster",
    inNewVpc,
    { vpcId: unknown, subnetId: unknown, clusterCidr: "172.16.0.0/16" },
    { vpcId: unknown, subnetId: unknown, clusterCidr: "172.17.0.0/16", serviceCidr: "172.16.0.0/20" },
    'serviceCidr: 172.16.0.0/20 of "two" overlaps clusterCidr 172.16.0.0/16 of "one"',
  ],
  ["RegistryInstance", {}, twice, twice, 'registryName: "one" and "two" cannot both have acme-twice'],
  [
    "Namespace",
    { __of: { registryId: urnOf("RegistryInstance", "images") } },
    { registryId: unknown, namespaceName: "ops", isPublic: false },
    { registryId: unknown, namespaceName: "ops", isPublic: true },
    '"one" and "two" would be the same Namespace: both have the same registryId and namespaceName. Change one of them',
  ],
];

test("in one program, whatever is known yet: overlaps, ranges outside, and one id", async () => {
  expect(await said("Vpc", { cidrBlock: "10.9.0.0/16" }, {}, "net")).toBe("create");
  for (const [type, options, one, two, says] of inOneProgram) {
    expect(await said(type, one, options, "one"), type).toBe("create");
    expect(await said(type, two, options, "two"), type).toContain(says);
  }
  const outside = { vpcId: unknown, zone, cidrBlock: "10.10.0.0/24" };
  expect(await said("Subnet", outside, inNewVpc, "three")).toContain('must be inside 10.9.0.0/16, the CIDR block of "net"');
  // Of a place that is not known at all, nothing is guessed.
  expect(await said("Subnet", { vpcId: unknown, zone, cidrBlock: "10.9.1.0/24" }, {}, "four")).toBe("create");
  await nextRun();
});

dynamicTest("of this stack: renamed without an alias, forced, moved to where another one still is, and exchanged", async () => {
  const range = (third: number, bits = 24) => ({ vpcId, zone, cidrBlock: `10.0.${third}.0/${bits}` });
  await using one = await stage.deployed("Subnet", range(20), "one");
  await using two = await stage.deployed("Subnet", range(22), "two");
  for (const [isReadable, called, that] of [
    [true, '"one"', '"one"'],
    [false, "another resource", "that resource"],
  ] as const) {
    stage.host.saved.setReadable(isReadable);
    await nextRun();
    const renamed = await said("Subnet", range(20), {}, "renamed");
    expect(renamed).toContain(
      `cidrBlock: 10.0.20.0/24 overlaps cidrBlock 10.0.20.0/24 of ${one.id}, which ${called} in this stack manages`,
    );
    expect(renamed).toContain(`If this is a new name or parent for ${that}, add aliases: [`);
  }
  stage.host.saved.setReadable(true);

  await nextRun();
  expect(await said("Subnet", range(20), {}, "one")).toContain("Add deleteBeforeReplace: true to its options");
  expect(await said("Subnet", range(20), { __first: true }, "one")).toBe("create");

  await nextRun();
  await expect(one.preview(range(22))).rejects.toThrow("Run `pulumi up` without this change first");
  await nextRun();
  expect(await two.preview(range(22))).toBe("nothing");
  await expect(one.preview(range(22))).rejects.toThrow('10.0.22.0/24 of "one" overlaps cidrBlock 10.0.22.0/24 of "two"');
  await nextRun();
  // Part of what the other one leaves is free only for what comes after it.
  const halved = { ...range(22), cidrBlock: "10.0.22.0/25" };
  const rest = { ...range(22), cidrBlock: "10.0.22.128/25" };
  expect(await two.preview(halved)).toBe("delete-replace");
  expect(await said("Subnet", rest, {}, "rest")).toContain('Or make this resource depend on "two" (dependsOn)');
  expect(await said("Subnet", rest, { __after: [urnOf("Subnet", "two")] }, "rest")).toBe("create");
  expect(await said("Subnet", range(40), { __after: [urnOf("Subnet", "two")] }, "between")).toBe("create");
  expect(await said("Subnet", rest, { __after: [urnOf("Subnet", "between")] }, "rest")).toBe("create");
  // A retained one keeps its range.
  await nextRun();
  const retained = stage.deployment("Subnet", "two", { __kept: true, __first: true });
  retained.state = two.state;
  expect(await retained.preview(range(44))).toBe("replace");
  expect(await said("Subnet", rest, { __after: [urnOf("Subnet", "two")] }, "rest")).toContain('which "two" in this stack manages');
  // What was renamed with an alias is what it was.
  await nextRun();
  const kept = stage.deployment("Subnet", "another");
  kept.state = one.state;
  expect(await kept.up(range(20))).toBe("nothing");
  await nextRun();
  expect(await said("Subnet", range(20), { __first: true }, "another")).toBe("create");
  await nextRun();
});

test("a cluster that an alias has renamed, and that goes along with its subnet, is not in its own way", async () => {
  await using before = await stage.deployed("Cluster", gr, "before");
  const { id, state: { inputs = {}, outputs = {} } = {} } = before;
  // Nothing else changes: the platform goes on naming the owner of then.
  const renamed = { ...inputs, __urn: urnOf("Cluster", "renamed") };
  const made = { ...gr, subnetId: unknown };
  for (const name of ["renamed", "other"]) {
    await nextRun();
    // The engine asks what goes along with the subnet, before the program speaks of the cluster.
    const { replaces } = await stage.host.diff(id, outputs, { ...renamed, subnetId: unknown });
    expect(replaces).toContain("subnetId");
    expect(await said("Cluster", made, {}, name)).toContain(name === "renamed" ? "create" : `overlaps clusterCidr 172.16.0.0/16 of ${id}`);
  }
  await nextRun();
});

test("a VPC and a subnet are not replaced under a protected cluster, and only then the platform is asked", async () => {
  await using net = await stage.deployed("Vpc", { cidrBlock: "10.30.0.0/16" }, "net");
  await using part = await stage.deployed("Subnet", { vpcId: net.id, zone, cidrBlock: "10.30.1.0/24" }, "part");
  const gr30 = { vpcId: net.id, subnetId: part.id, clusterCidr: "172.30.0.0/16" };
  await using platform = await stage.deployed("Cluster", { ...gr30, deletionProtection: true }, "platform");
  await nextRun();
  const asked = await actions(async () => {
    expect(await net.preview({ cidrBlock: "10.30.0.0/16" })).toBe("nothing");
    expect(await part.preview({ vpcId: net.id, zone, cidrBlock: "10.30.1.0/24", subnetName: "new" })).toBe("update");
  });
  expect(asked).toEqual([]);
  const says = `the protected cluster ${platform.id} `;
  await expect(net.preview({ cidrBlock: "10.31.0.0/16" })).rejects.toThrow(says);
  await nextRun();
  await expect(part.preview({ vpcId: net.id, zone, cidrBlock: "10.30.2.0/24" })).rejects.toThrow(says);
  await nextRun();
  await platform.up({ ...gr30, deletionProtection: false });
  await nextRun();
  expect(await net.preview({ cidrBlock: "10.31.0.0/16" })).toBe("replace");
});

test("the text that Pulumi makes of an Output is refused with what to pass instead", async () => {
  // As a JavaScript program has it: TypeScript refuses an Output in a text.
  const texts = [Reflect.apply(String, undefined, [output("vpc-1")]), JSON.stringify(output("vpc-1"))];
  for (const vpcId of texts)
    expect(await said("Subnet", { vpcId, zone, cidrBlock: "10.0.30.0/24" })).toBe(
      "vpcId: holds the text of an Output, which has no value yet while the program runs. Pass the Output itself, such as vpcId: vpc.vpcId, or make the text with pulumi.interpolate",
    );
  expect(await said("Vpc", { cidrBlock: "10.40.0.0/16", tags: { [`a ${texts[0]}`]: "b" } })).toContain("tags: holds the text of an Output");
});

test("what somebody else makes between the look and the creation is theirs", async () => {
  const args = { vpcId: await makeVpc(stage, "10.60.0.0/16") };
  await nextRun();
  const one = stage.deployment("Ipv6Block", "late");
  stage.faults.add({ operation: { action: "AssignIpv6CidrBlock" }, when: "after", code: "LimitExceeded.CidrBlock", reason: "it has one" });
  await expect(one.up(args)).rejects.toThrow(`add { import: "${args.vpcId}" } to this resource's options`);
  expect(one.state).toBeUndefined();
  await nextRun();
  await stage.undoLast(1);
});

// The IPv6 ranges of subnets lie in the block of their VPC, and do not overlap.
const bare = await makeVpc(stage, "10.1.0.0/16");
const own = await makeVpc(stage, "10.2.0.0/16");
const block = await makeBlock(stage, own);

const subnet = (name: string, options: Props = {}) => stage.deployment("Subnet", name, options);
/** A subnet with a part of the block. */
const part = (index: number, range: number) => ({
  vpcId: own,
  zone,
  cidrBlock: `10.2.${index}.0/24`,
  ipv6SubnetCidrBlock: cidrSubnet(block, 64, range),
});

test("on the platform: a range of another subnet, outside of the block, and of a VPC without one", async () => {
  const { ipv6SubnetCidrBlock: taken } = (await stage.cloud.call(vpc.describeSubnets, { subnetIds: [subnetId] })).subnetSet[0] ?? {};
  const args = { vpcId, zone, cidrBlock: "10.0.9.0/24" };
  expect(await said("Subnet", { ...args, ipv6SubnetCidrBlock: taken })).toContain(
    `ipv6SubnetCidrBlock: ${taken} overlaps ipv6SubnetCidrBlock ${taken} of ${subnetId}, which this stack does not manage. Use a different ipv6SubnetCidrBlock`,
  );
  const ipv6SubnetCidrBlock = cidrSubnet(block, 64, 0);
  expect(await said("Subnet", { ...args, ipv6SubnetCidrBlock })).toMatch(
    /^ipv6SubnetCidrBlock: \S+ is not inside \S+\/56, the IPv6 block of vpc-\w+$/,
  );
  expect(await said("Subnet", { vpcId: bare, zone, cidrBlock: "10.1.0.0/24", ipv6SubnetCidrBlock })).toContain(
    `${bare} has no IPv6 block: make an Ipv6Block, and take its subnetCidrBlock(0)`,
  );
  await nextRun();
});

dynamicTest("in one program; and a range that is given up in place is for what comes after it", async () => {
  expect(await subnet("one").preview(part(1, 1))).toBe("create");
  await expect(subnet("two").preview(part(2, 1))).rejects.toThrow(/"two" overlaps ipv6SubnetCidrBlock \S+ of "one" with the same vpcId/);
  await nextRun();

  await using one = subnet("one");
  await using two = subnet("two");
  await one.up(part(1, 1));
  await two.up(part(2, 2));
  await nextRun();
  // As long as the other one keeps it, and where it is changed at the same time.
  await expect(one.preview(part(1, 2))).rejects.toThrow('which "two" in this stack manages');
  await nextRun();
  await two.preview(part(2, 3));
  await expect(one.preview(part(1, 2))).rejects.toThrow('Or make this resource depend on "two" (dependsOn)');
  await nextRun();
  const later = subnet("one", { __after: [urnOf("Subnet", "two")] });
  later.state = one.state;
  expect(await two.up(part(2, 3))).toBe("update");
  expect(await later.up(part(1, 2))).toBe("update");
  one.state = later.state;
  // A new one cannot stand beside the old one with the same range.
  expect(await one.preview({ ...part(1, 2), zone: "eu-frankfurt-2", cidrBlock: "10.2.7.0/24" })).toBe("delete-replace");
  await nextRun();
});

test("a range that a dual-stack cluster has addresses of is not given up, whether the program has that cluster or not", async () => {
  await nextRun();
  await using nodes = subnet("nodes");
  await nodes.up(part(4, 4));
  await using cluster = stage.deployment("Cluster", "pods");
  await cluster.up({ vpcId: own, subnetId: nodes.id, eniSubnetIds: [nodes.id], isDualStack: true });
  const { ipv6SubnetCidrBlock: range, ...bare } = part(4, 4);
  const says = (called: string) =>
    `ipv6SubnetCidrBlock: cannot remove ${range} from ${nodes.id}: it is still used by ${called}. Put the CIDR block back. To remove it, delete those resources in one update and change this input in the next, because an update applies changes before deletions`;
  for (const other of [part(4, 5), bare]) {
    // The program does not declare it, or not yet.
    for (const [isReadable, called] of [
      [false, cluster.id],
      [true, `"pods" (${cluster.id})`],
    ] as const) {
      stage.host.saved.setReadable(isReadable);
      await nextRun();
      await expect(nodes.preview(other)).rejects.toThrow(says(`dual-stack Cluster ${called}`));
    }
    await nextRun();
    expect(await cluster.preview({ vpcId: own, subnetId: nodes.id, eniSubnetIds: [nodes.id], isDualStack: true })).toBe("nothing");
    await expect(nodes.preview(other)).rejects.toThrow(says(`dual-stack Cluster "pods" (${cluster.id})`));
  }
  // A new subnet takes nothing away; and what else is changed is no matter.
  await nextRun();
  expect(await stage.calls(() => nodes.preview({ ...part(4, 4), subnetName: "other" }))).toEqual([]);
  await cluster.destroy();
  await nextRun();
  expect(await nodes.up(part(4, 5))).toBe("update");
});

test("addresses of nodes, and of the access from the VPC, keep a range, too", async () => {
  await nextRun();
  await using nodes = subnet("nodes");
  await nodes.up(part(4, 4));
  await using access = subnet("access");
  await access.up(part(5, 5));
  await using pods = subnet("pods");
  await pods.up(part(6, 6));
  await using cluster = stage.deployment("Cluster", "pods");
  await cluster.up({ vpcId: own, subnetId: pods.id, eniSubnetIds: [pods.id], isDualStack: true });
  await using pool = stage.deployment("NodePool", "workers");
  await pool.up({ clusterId: cluster.id, native: oneNode(nodes.id) });
  await using endpoint = stage.deployment("ClusterEndpoint", "internal");
  await endpoint.up({ clusterId: cluster.id, isExtranet: false, subnetId: access.id });
  await nextRun();
  await expect(nodes.preview(part(4, 7))).rejects.toThrow(/from subnet-\w+: it is still used by 1 node of dual-stack Cluster "pods" /);
  await expect(access.preview(part(5, 8))).rejects.toThrow(
    /from subnet-\w+: it is still used by the private endpoint of dual-stack Cluster "pods" /,
  );
});

test("what only the platform knows of keeps it in `up`, and the message says what to do", async () => {
  await nextRun();
  await using nodes = subnet("nodes");
  await nodes.up(part(4, 4));
  await makeInstance(stage, own, nodes.id);
  await expect(nodes.up(part(4, 5))).rejects.toThrow(
    /cannot be unassigned while ins-\w+ has addresses of it \(UnassignIpv6SubnetCidrBlock: ResourceInUse, request \S+\)\. Put the CIDR block back\. To remove it, delete those resources in one update/,
  );
  await stage.undoLast(1);
  expect(await nodes.up(part(4, 5))).toBe("update");
});
