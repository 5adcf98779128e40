import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import { makeNamespace, makeNetwork, makeRegistry, makeVpc } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** What stands in the way of a resource, in its program or on the platform, is refused in preview: nothing is written. */

const stage = await sharedStage();
const {
  vpcId,
  subnetIds: [subnetId],
} = await makeNetwork(stage);
const registryId = await makeRegistry(stage, "acme-before");
await makeNamespace(stage, registryId, "team");
const zone = "eu-frankfurt-1";
const gr = { vpcId, subnetId, clusterCidr: "172.16.0.0/16" };

const urnOf = (type: string, name: string) => `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;
/** What a resource is told whose VPC is not made yet. */
const inNewVpc = { __of: { vpcId: urnOf("Vpc", "net") } };

/** The run of an engine that has ended as it should. */
const nextRun = () => stage.host.restart("SIGINT");

async function refused(
  type: string,
  args: Props,
  { name = "example", options = {} }: { name?: string; options?: Props } = {},
): Promise<string> {
  let message = "";
  const writes = await stage.writes(async () => {
    const error: unknown = await stage
      .deployment(type, name, options)
      .preview(args)
      .catch((caught: unknown) => caught);
    message = error instanceof Error ? error.message : "it was not refused";
  });
  expect(writes).toEqual([]);
  return message;
}

const strangers: readonly (readonly [of: string, type: string, args: Props, says: RegExp])[] = [
  [
    "a VPC that overlaps another",
    "Vpc",
    { cidrBlock: "10.0.128.0/17" },
    /cidrBlock: 10\.0\.128\.0\/17 overlaps cidrBlock 10\.0\.0\.0\/16 of vpc-\w+\. It is not of this stack/,
  ],
  [
    "a subnet that overlaps a sibling",
    "Subnet",
    { vpcId, zone, cidrBlock: "10.0.1.0/25" },
    /overlaps cidrBlock 10\.0\.1\.0\/24 of subnet-\w+\. It is not of this stack/,
  ],
  [
    "a subnet outside of its VPC",
    "Subnet",
    { vpcId, zone, cidrBlock: "10.1.0.0/24" },
    /cidrBlock: 10\.1\.0\.0\/24 is not inside 10\.0\.0\.0\/16, the range of vpc-/,
  ],
  [
    "pods inside of the VPC's range",
    "Cluster",
    { ...gr, clusterCidr: "10.0.64.0/18" },
    /clusterCidr: 10\.0\.64\.0\/18 overlaps 10\.0\.0\.0\/16, the range of vpc-/,
  ],
  [
    "services inside of the VPC's range",
    "Cluster",
    { ...gr, serviceCidr: "10.0.0.0/20" },
    /serviceCidr: 10\.0\.0\.0\/20 overlaps 10\.0\.0\.0\/16/,
  ],
  ["a second IPv6 block", "Ipv6Block", { vpcId }, /Ipv6Block vpc-\w+ is there already\. .+ add \{ import: "vpc-/],
  [
    "a registry's name",
    "RegistryInstance",
    { registryName: "acme-before" },
    /registryName: acme-before is taken by tcr-\w+\. It is not of this stack/,
  ],
  [
    "a namespace's name",
    "Namespace",
    { registryId, namespaceName: "team", isPublic: false },
    /Namespace tcr-\w+\/team is there already\. It is not of this stack/,
  ],
];

test.each(strangers)("on the platform: %s", async (_, type, args, says) => {
  expect(await refused(type, args)).toMatch(says);
});

test("on the platform: the pods of another cluster in the VPC, and a registry of another region", async () => {
  const { clusterId } = await stage.cloud.call(cluster.createCluster, {
    vpcId,
    subnetId,
    clusterCidrSettings: { clusterCidr: "172.16.0.0/16" },
  });
  await nextRun();
  expect(await refused("Cluster", gr)).toContain(`clusterCidr: 172.16.0.0/16 overlaps clusterCidr 172.16.0.0/16 of ${clusterId}`);
  expect(await refused("Cluster", { ...gr, clusterCidr: "172.17.0.0/16", serviceCidr: "172.16.0.0/20" })).toContain(
    `serviceCidr: 172.16.0.0/20 overlaps clusterCidr 172.16.0.0/16 of ${clusterId}`,
  );
  await stage.cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" });
  const { clusterId: withServices } = await stage.cloud.call(cluster.createCluster, {
    vpcId,
    subnetId,
    clusterCidrSettings: { clusterCidr: "172.17.0.0/16", serviceCidr: "172.16.0.0/20" },
  });
  await nextRun();
  // The platform holds new ranges against pods alone.
  expect(await refused("Cluster", gr)).toBe("it was not refused");
  await stage.cloud.call(cluster.deleteCluster, { clusterId: withServices, instanceDeleteMode: "terminate" });
  const elsewhere = stage.cloudIn("ap-singapore");
  const { registryId: far } = await elsewhere.call(registry.createInstance, { registryName: "acme-far-away", registryType: "basic" });
  expect(await refused("RegistryInstance", { registryName: "acme-far-away" })).toContain("is taken in another region or account");
  await elsewhere.call(registry.deleteInstance, { registryId: far, deleteBucket: true });
  await nextRun();
});

test("in one program, whatever is known yet: overlaps, ranges outside, and one id", async () => {
  const all: readonly (readonly [type: string, options: Props, args: readonly [Props, Props], says: string])[] = [
    [
      "Vpc",
      {},
      [{ cidrBlock: "10.8.0.0/16" }, { cidrBlock: "10.8.128.0/17" }],
      'cidrBlock 10.8.128.0/17 of "two" overlaps cidrBlock 10.8.0.0/16 of "one"',
    ],
    [
      "Subnet",
      inNewVpc,
      [
        { vpcId: unknown, zone, cidrBlock: "10.9.1.0/24" },
        { vpcId: unknown, zone, cidrBlock: "10.9.0.0/23" },
      ],
      '"one" and "two" of this program cannot both exist with the same vpcId: cidrBlock 10.9.0.0/23 of "two" overlaps cidrBlock 10.9.1.0/24 of "one"',
    ],
    [
      "Cluster",
      inNewVpc,
      [
        { vpcId: unknown, subnetId: unknown, clusterCidr: "172.16.0.0/16" },
        { vpcId: unknown, subnetId: unknown, clusterCidr: "172.17.0.0/16", serviceCidr: "172.16.0.0/20" },
      ],
      'serviceCidr 172.16.0.0/20 of "two" overlaps clusterCidr 172.16.0.0/16 of "one"',
    ],
    ["RegistryInstance", {}, [{ registryName: "acme-twice" }, { registryName: "acme-twice" }], "registryName of both is acme-twice"],
    [
      "Namespace",
      { __of: { registryId: urnOf("RegistryInstance", "images") } },
      [
        { registryId: unknown, namespaceName: "ops", isPublic: false },
        { registryId: unknown, namespaceName: "ops", isPublic: true },
      ],
      '"one" and "two" of this program would be one and the same Namespace: registryId and namespaceName are the same in both',
    ],
  ];
  expect(await stage.deployment("Vpc", "net").preview({ cidrBlock: "10.9.0.0/16" })).toBe("create");
  for (const [type, options, [one, two], says] of all) {
    expect(await stage.deployment(type, "one", options).preview(one), type).toBe("create");
    expect(await refused(type, two, { name: "two", options }), type).toContain(says);
  }
  const outside = { vpcId: unknown, zone, cidrBlock: "10.10.0.0/24" };
  expect(await refused("Subnet", outside, { name: "three", options: inNewVpc })).toContain('is not inside 10.9.0.0/16, the range of "net"');
  // Of a place that is not known at all, nothing is guessed.
  expect(await stage.deployment("Subnet", "four").preview({ vpcId: unknown, zone, cidrBlock: "10.9.1.0/24" })).toBe("create");
  await nextRun();
});

dynamicTest("of this stack: renamed without an alias, forced, moved to where another one still is, and exchanged", async () => {
  const range = (third: number, bits = 24) => ({ vpcId, zone, cidrBlock: `10.0.${third}.0/${bits}` });
  await using one = stage.deployment("Subnet", "one");
  await using two = stage.deployment("Subnet", "two");
  await one.up(range(20));
  await two.up(range(22));
  await nextRun();
  const renamed = await refused("Subnet", range(20), { name: "renamed" });
  expect(renamed).toContain(
    `cidrBlock: 10.0.20.0/24 overlaps cidrBlock 10.0.20.0/24 of ${one.id}. Another resource of this same stack has it`,
  );
  expect(renamed).toContain("If this is another name for it, or it has got another parent, write aliases: [");

  await nextRun();
  expect(await refused("Subnet", range(20), { name: "one" })).toContain("Add deleteBeforeReplace: true to its options");
  expect(await stage.deployment("Subnet", "one", { __first: true }).preview(range(20))).toBe("create");

  await nextRun();
  const give = "run `pulumi up` first without this change";
  await expect(one.preview(range(22))).rejects.toThrow(give);
  await nextRun();
  // The two change places, whichever comes first.
  expect(await two.preview(range(22))).toBe("nothing");
  await expect(one.preview(range(22))).rejects.toThrow('"one" and "two" of this program cannot both exist');
  await nextRun();
  await expect(two.preview(range(20))).rejects.toThrow("take three runs: this one to a value that nobody has");
  await nextRun();
  // Part of what the other one leaves is free only for what comes after it.
  const halved = { ...range(22), cidrBlock: "10.0.22.0/25" };
  const rest = { ...range(22), cidrBlock: "10.0.22.128/25" };
  expect(await two.preview(halved)).toBe("delete-replace");
  expect(await refused("Subnet", rest, { name: "rest" })).toContain("Or have this one come after it, by dependsOn");
  expect(await stage.deployment("Subnet", "rest", { __after: [urnOf("Subnet", "two")] }).preview(rest)).toBe("create");
  // What was renamed with an alias is what it was.
  await nextRun();
  const kept = stage.deployment("Subnet", "another");
  kept.state = one.state;
  expect(await kept.preview(range(20))).toBe("nothing");
  await nextRun();
  expect(await stage.deployment("Subnet", "another", { __first: true }).preview(range(20))).toBe("create");
  await nextRun();
});

test("a cluster that an alias has renamed, and that goes along with its subnet, is not in its own way", async () => {
  await using before = stage.deployment("Cluster", "before");
  await before.up(gr);
  const { id, state: { inputs = {}, outputs = {} } = {} } = before;
  // Nothing else changes: the platform goes on naming the owner of then.
  const renamed = { ...inputs, __urn: urnOf("Cluster", "renamed") };
  const made = { ...gr, subnetId: unknown };
  for (const name of ["renamed", "other"]) {
    await nextRun();
    // The engine asks what goes along with the subnet, before the program speaks of the cluster.
    const { replaces } = await stage.host.diff(id, outputs, { ...renamed, subnetId: unknown });
    expect(replaces).toContain("subnetId");
    if (name === "renamed") expect(await stage.deployment("Cluster", name).preview(made)).toBe("create");
    else expect(await refused("Cluster", made, { name })).toContain(`overlaps clusterCidr 172.16.0.0/16 of ${id}`);
  }
  await nextRun();
});

dynamicTest("an option replaceOnChanges, or deleteBeforeReplace: false, is told what cannot stand beside each other", async () => {
  const args = { cidrBlock: "10.20.0.0/16", vpcName: "one" };
  await using one = stage.deployment("Vpc", "one");
  await one.up(args);
  await nextRun();
  const { inputs = {}, outputs = {} } = one.state ?? {};
  const changed = { ...inputs, vpcName: "two" };
  await stage.host.check(inputs, changed);
  expect(await stage.host.diff(one.id, outputs, changed)).toMatchObject({ replaces: [], deleteBeforeReplace: true });
  await nextRun();
  const wide = { ...inputs, cidrBlock: "10.20.0.0/15", __first: false };
  const { inputs: checked } = await stage.host.check(inputs, wide);
  expect(checked).not.toHaveProperty("__first");
  await stage.host.diff(one.id, outputs, checked);
  expect((await stage.host.check({}, wide)).failures).toEqual([
    expect.objectContaining({
      reason: `it is replaced, and the new one cannot stand beside ${one.id}: take deleteBeforeReplace: false out of its options`,
    }),
  ]);
  await nextRun();
});

test("a VPC and a subnet are not replaced under a protected cluster, and only then the platform is asked", async () => {
  await using net = stage.deployment("Vpc", "net");
  await net.up({ cidrBlock: "10.30.0.0/16" });
  await using part = stage.deployment("Subnet", "part");
  await part.up({ vpcId: net.id, zone, cidrBlock: "10.30.1.0/24" });
  const gr30 = { vpcId: net.id, subnetId: part.id, clusterCidr: "172.30.0.0/16" };
  await using platform = stage.deployment("Cluster", "platform");
  await platform.up({ ...gr30, deletionProtection: true });
  await nextRun();
  // It is unprotected in any case: otherwise what the test has made could not be deleted.
  await using unprotected = new AsyncDisposableStack();
  unprotected.defer(async () => {
    await nextRun();
    await platform.up({ ...gr30, deletionProtection: false });
  });
  const calls = await stage.calls(async () => {
    expect(await net.preview({ cidrBlock: "10.30.0.0/16" })).toBe("nothing");
    expect(await part.preview({ vpcId: net.id, zone, cidrBlock: "10.30.1.0/24", subnetName: "new" })).toBe("update");
  });
  expect(calls.map(({ action }) => action)).toEqual([]);
  const says = `the protected cluster ${platform.id} `;
  await expect(net.preview({ cidrBlock: "10.31.0.0/16" })).rejects.toThrow(says);
  await nextRun();
  await expect(part.preview({ vpcId: net.id, zone, cidrBlock: "10.30.2.0/24" })).rejects.toThrow(says);
  await unprotected.disposeAsync();
  await nextRun();
  expect(await net.preview({ cidrBlock: "10.31.0.0/16" })).toBe("replace");
});

test("the text of an Output is refused with what to pass instead", async () => {
  const text = "Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value of an Output<T> as an Output<string> consider";
  expect(await refused("Subnet", { vpcId: text, zone, cidrBlock: "10.0.30.0/24" })).toBe(
    "vpcId: holds the text of an Output, which has no value yet while the program runs. Pass the Output itself, such as vpcId: vpc.vpcId, or make the text with pulumi.interpolate",
  );
  expect(await refused("Vpc", { cidrBlock: "10.40.0.0/16", tags: { [`a ${text}`]: "b" } })).toContain("tags: holds the text of an Output");
});

test("what cannot be looked at is not refused, and said once", async () => {
  await nextRun();
  stage.faults.add({
    operation: { action: "DescribeVpcs" },
    when: "before",
    code: "UnauthorizedOperation.AccessMgmtNoAuth",
    reason: "not you",
  });
  expect(await stage.deployment("Vpc", "one").preview({ cidrBlock: "10.50.0.0/16" })).toBe("create");
  await expect
    .poll(() => stage.host.lines.map(({ message }) => message))
    .toContainEqual(
      "whether something is in the way of a Vpc cannot be seen: not you (DescribeVpcs: UnauthorizedOperation.AccessMgmtNoAuth)",
    );
  await nextRun();
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
