import { Ipv6Block } from "@container-platform/pulumi";
import { expect, test } from "vitest";
import { kinds as loaded } from "../../../provider/src/resources/kinds.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { codedOf } from "../../support/coded.ts";
import { Refused, stub } from "../../support/deployment.ts";
import { inClear, isProps, type Props, unknown } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import {
  alter,
  makeAddress,
  makeGrCluster,
  makeGroup,
  makeNamespace,
  makePool,
  makeRegistry,
  makeSubnet,
  makeVpc,
  oneNode,
} from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { password } from "../kinds/password.ts";
import { isFree, wrongInputs } from "./wrong-inputs.ts";

/** What the platform never takes, or does not offer, is refused in the preview; but not where it was deployed before. */

const stage = await sharedStage();
const { actions, nextRun, warnings } = runsOf(stage);
const vpcId = await makeVpc(stage, "10.0.0.0/16");
// The types of the machines GN7 are in the zones 1 and 2 only.
const inThird = await makeSubnet(stage, vpcId, "10.0.3.0/24", 3);

const subnetId = await makeSubnet(stage, vpcId, "10.0.2.0/24");
const clusterId = await makeGrCluster(stage, vpcId, subnetId, "172.31.0.0/16");
/** What the ids of right inputs stand for: they have to be there. */
const there = {
  "vpc-3f8a0c1e": vpcId,
  "subnet-3f8a0c1e": subnetId,
  "cls-3f8a0c1e": clusterId,
  "sg-3f8a0c1e": await makeGroup(stage),
  "tcr-3f8a0c1e": await makeRegistry(stage, "acme-first"),
  "tcr-5d20b7c4": await makeRegistry(stage, "acme-second"),
  "198.51.100.7": await makeAddress(stage),
};
const standIns: Readonly<Record<string, string>> = there;

// And what they need.
await makePool(stage, clusterId, subnetId);
await makeNamespace(stage, there["tcr-3f8a0c1e"], "team");
await makeNamespace(stage, there["tcr-5d20b7c4"], "copies");

function withThose(value: unknown): unknown {
  if (typeof value === "string") return standIns[value] ?? value;
  if (Array.isArray(value)) return value.map(withThose);
  return isProps(value) ? propsWithThose(value) : value;
}

function propsWithThose(props: Props): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, withThose(value)]));
}

const baseOf = (type: keyof typeof wrongInputs) => propsWithThose(wrongInputs[type].base);

/** Why a check refuses inputs of a kind. @param olds those of the state, none before a creation */
async function reasonsFor(type: string, news: Props, olds: Props = {}): Promise<readonly string[]> {
  return (await checked(type, news, olds)).failures.map(({ reason }) => codedOf(reason).message);
}

function checked(type: string, news: Props, olds: Props) {
  return stage.host.check(olds, { ...news, __provider: stub(type), __urn: urnOf(type, "wrong") });
}

async function failuresOf(type: string, args: Props): Promise<Refused["failures"]> {
  try {
    await stage.deployment(type).preview(args);
    return [];
  } catch (error) {
    if (error instanceof Refused) return error.failures;
    throw error;
  }
}

test.each(kinds)("%s: of every input, what is never taken is refused in the preview, and stays where it was", async (type) => {
  const { of, limits = {} } = wrongInputs[type];
  const base = baseOf(type);
  const { kind } = await loaded[type]();
  expect(Object.keys(of).toSorted()).toEqual(Object.keys(kind.inputs.shape).toSorted());
  for (const right of [base, { ...base, ...propsWithThose(limits) }]) expect(await reasonsFor(type, right)).toEqual([]);
  for (const [input, values] of Object.entries(of)) {
    for (const [value] of isFree(values) ? [] : values) {
      const args = { ...base, [input]: value };
      const { inputs, failures } = await checked(type, args, {});
      const reasons = failures.map(({ reason }) => reason);
      expect(reasons, `${input}: ${JSON.stringify(value)}`).not.toEqual([]);
      const ofTypes = /takes (a|an) (string|number|whole number|boolean|object|array)|is required|has no( such)? property/;
      if (reasons.some((reason) => ofTypes.test(reason))) continue;
      // An earlier version did not know the rule. But no resource has an id that cannot be read.
      const left = (await reasonsFor(type, args, inClear(inputs))).filter(
        (reason) => !reason.includes("cannot be a part of the resource's id"),
      );
      expect(left, `${input}: ${JSON.stringify(value)}, as it was`).toEqual([]);
    }
  }
});

test.each(kinds)("%s: the messages about wrong inputs, which take no call but to see what the platform offers", async (type) => {
  const { base, of, together = [] } = wrongInputs[type];
  const single = Object.entries(of).flatMap(([input, values]) =>
    (isFree(values) ? [] : values).map(([value, ...messages]) => ({
      change: { [input]: value },
      messages: messages.map((message) => (typeof message === "string" && !/^\w/.test(message) ? `${input}${message}` : message)),
    })),
  );
  for (const { change, messages } of [...single, ...together.map(([change, ...messages]) => ({ change, messages }))]) {
    await nextRun();
    let failures: Refused["failures"] = [];
    const calls = await stage.calls(async () => {
      failures = await failuresOf(type, { ...base, ...change });
    });
    const reasons = messages.map((one): unknown => (typeof one === "string" ? one : expect.stringMatching(one)));
    expect(failures.map(({ reason }) => reason)).toEqual(reasons);
    expect(JSON.stringify(failures)).not.toContain(password);
    for (const { property, reason, path, code } of failures) {
      // With the name of the property, the engine would print its value.
      expect([property, path]).toEqual(["", reason.split(": ", 1)[0]]);
      const offered = calls.length > 0 || /is the main account|a moment in the future/.test(reason);
      expect([reason, code]).toEqual([reason, offered ? "NotOffered" : "InvalidInput"]);
    }
  }
});

/** Besides: with what a value is quoted, what there is to choose from, and what may have been meant. */
const sentences: readonly (readonly [type: keyof typeof wrongInputs, change: Props, sentence: string])[] = [
  ["Vpc", { cidrBlock: "" }, 'cidrBlock: "" is not an IPv4 range such as 10.0.0.0/16'],
  ["Vpc", { dnsServers: "1.1.1.1" }, "dnsServers: takes an array, not a string"],
  ["Vpc", { cidr_block: "10.0.0.0/16" }, "cidr_block: Vpc has no such property; maybe you meant cidrBlock"],
  ["Cluster", { version: "1.34.1" }, "version: Cluster has no such property; maybe you meant clusterVersion or credentialsVersion"],
  ["Subnet", { availabilityZone: "eu-frankfurt-1" }, "availabilityZone: Subnet has no such property; maybe you meant zone"],
  [
    "NodePool",
    { native: { ...oneNode("subnet-1"), systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50, size: 50 } } },
    "native.systemDisk: has no property size; maybe you meant diskSize",
  ],
  [
    "NodePool",
    { native: { ...oneNode(unknown), systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50, size: 50 } } },
    "native.systemDisk: has no property size; maybe you meant diskSize",
  ],
  // What is of another shape is refused in the preview, although ids in it are not known yet.
  ["Cluster", { subnetId: [unknown] }, "subnetId: takes a string, not an array"],
  ["NodePool", { native: { ...oneNode("subnet-1"), subnetIds: { a: unknown } } }, "native.subnetIds: takes an array, not an object"],
  ["NodePool", { native: [unknown] }, "native: takes an object, not an array"],
  ["RegistryInstance", { internalAccess: { vpcId: unknown, subnetId: unknown } }, "internalAccess: takes an array, not an object"],
  ["Vpc", { tags: { net: { id: unknown } } }, "tags.net: takes a string, not an object"],
];

test.each(sentences)("%s %j: %s", async (type, change, sentence) => {
  expect(await reasonsFor(type, { ...baseOf(type), ...change })).toEqual([sentence]);
});

test("a version that is not offered is refused as an update, too, and what is unknown is looked at once it is known", async () => {
  const deployed = { ...baseOf("Cluster"), clusterVersion: "1.30.0" };
  for (const [clusterVersion, refusals] of [
    ["1.99", 1],
    ["latest", 1],
    ["1.32.2", 0],
    [unknown, 0],
  ] as const)
    expect(await reasonsFor("Cluster", { ...deployed, clusterVersion }, deployed)).toHaveLength(refusals);
});

dynamicTest("what is imported is compared with what is there, also where it is no longer offered", async () => {
  const imported = await makeGrCluster(stage, vpcId, inThird);
  await alter(stage, "clusters", imported, { version: "1.20.0" });
  const reasonsOf = async (clusterVersion: string) => {
    const reasons = await reasonsFor("Cluster", { ...baseOf("Cluster"), clusterVersion, __adopt: imported });
    return reasons.filter((reason) => reason.startsWith("clusterVersion"));
  };
  expect(await reasonsOf("1.20.0")).toEqual([]);
  expect(await reasonsOf("1.99")).toEqual([expect.stringContaining('"1.99" is no Kubernetes version')]);
  await stage.undoLast(1);
});

test("a role that is none of the presets is warned of, because nobody can look it up", async () => {
  await nextRun();
  expect(await reasonsFor("UserPermission", { ...baseOf("UserPermission"), roleName: "deployer" })).toEqual([]);
  await expect
    .poll(warnings)
    .toEqual(["roleName: deployer is no preset role: the grant fails unless a Role or ClusterRole of this name is in the cluster"]);
});

test("each list is read once a run, and only for what is new or changed", async () => {
  await nextRun();
  const subnet = (index: number) => ({ ...baseOf("Subnet"), cidrBlock: `10.0.${index}.0/24` });
  expect(await actions(() => reasonsFor("Subnet", subnet(1), subnet(1)))).toEqual([]);
  const asNew = () => Promise.all([11, 12, 13].map((index) => reasonsFor("Subnet", subnet(index))));
  // What killed runs have left is listed for what is new, as its creation would.
  expect(await actions(asNew)).toEqual(["GetResources", "DescribeZones", "DescribeVpcs", "DescribeSubnets"]);
  expect(await actions(() => reasonsFor("Subnet", { ...subnet(1), zone: "eu-frankfurt-2" }, subnet(1)))).toEqual([]);
});

test("of labels, taints and scripts, what is not known yet is not refused, and what is known is", async () => {
  const native = { ...oneNode(subnetId), lifecycle: { preInit: unknown }, management: { kernelArgs: [unknown] } };
  const taint = { key: "a", value: unknown, effect: "NoSchedule" };
  const open = { labels: { "not a label!": unknown }, annotations: unknown, taints: [taint, { ...taint, key: unknown }], native };
  expect(await reasonsFor("NodePool", { ...baseOf("NodePool"), ...open })).toEqual([]);
  expect(await reasonsFor("NodePool", { ...baseOf("NodePool"), taints: [{ ...taint, key: "-" }] })).toEqual([
    expect.stringMatching(/^taints\[0\]\.key: takes a key of 1 to 63 letters, .*, not "-"$/),
  ]);
});

test("of a list that is there already, only what is new in it is refused", async () => {
  const wrong = { cidrBlock: "10.0.0.0/16", dnsServers: ["nope"] };
  expect(await reasonsFor("Vpc", { ...wrong, tags: { a: "b" } }, wrong)).toEqual([]);
  expect(await reasonsFor("Vpc", { ...wrong, dnsServers: ["nope", "nada"] }, wrong)).toEqual([
    'dnsServers[1]: takes an IPv4 address, not "nada"',
  ]);
});

test("of inputs that the program gives as secrets, no value is quoted: short ones and numbers as words of their own", async () => {
  const native = { ...oneNode("subnet-1"), instanceTypes: ["S"], replicas: -1 };
  const given = stage.deployment("NodePool", "secretive", { __veiled: ["native", "labels"] });
  await expect(given.preview({ clusterId: "cls-1", native, labels: { tier: 7 } })).rejects.toThrow(
    "native.replicas: takes at least 0, not [secret]\nlabels.[secret]: takes a string, not a number",
  );
  // A short one is no secret of others.
  const plain = stage.deployment("NodePool", "open");
  await expect(plain.preview({ clusterId: "cls-1", native })).rejects.toThrow("native.replicas: takes at least 0, not -1");
});

dynamicTest("customTimeouts that are no times are refused; that of a read is taken", async () => {
  await nextRun();
  const reading = stage.deployment("Vpc", "reading", { __timeouts: { read: "5m" } });
  expect(await reading.preview({ cidrBlock: "10.5.0.0/16" })).toBe("create");
  const vpc = stage.deployment("Vpc", "example", { __timeouts: { create: "soon", delete: "0s" } });
  await expect(vpc.preview({ cidrBlock: "10.5.0.0/16" })).rejects.toThrow(
    'customTimeouts.create: "soon" is not a time such as 90s, 20m or 1h30m\ncustomTimeouts.delete: "0s" is not more than 0',
  );
});

test("a data disk under 50 GB is warned of", async () => {
  await nextRun();
  const disks = { dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: 20 }] };
  expect(await stage.deployment("NodePool").preview({ clusterId: unknown, native: { ...oneNode(unknown), ...disks } })).toBe("create");
  await expect.poll(warnings).toEqual(["native.dataDisks: 20 GB is small, at least 50 GB is recommended"]);
});

test("subnetCidrBlock takes an index from 0 to 255", () => {
  for (const index of [256, -1, 1.5, Number.NaN])
    expect(() => Ipv6Block.prototype.subnetCidrBlock(index)).toThrow(`subnetCidrBlock(${index}): a /56 has the /64s 0 to 255`);
});
