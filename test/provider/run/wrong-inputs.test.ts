import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import { kinds as loaded } from "../../../provider/src/resources/kinds.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { severities } from "../../support/host.ts";
import { inClear, isProps, type Props, unknown } from "../../support/structs.ts";
import { dynamicTest } from "../../support/shell.ts";
import { alter, makeGroup, makeNamespace, makePool, makeRegistry, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";
import { isFree, wrongInputs } from "./wrong-inputs.ts";

/** What the platform never takes, or does not offer, is refused in the preview; but not where it was deployed before. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
// The types of the machines GN7 are in the zones 1 and 2 only.
const inThird = await makeSubnet(stage, vpcId, "10.0.3.0/24", 3);

const subnetId = await makeSubnet(stage, vpcId, "10.0.2.0/24");
const place = { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.31.0.0/16" } };
const clusterId = await stage.before(
  async () => (await stage.cloud.call(cluster.createCluster, place)).clusterId,
  (made) => stage.cloud.call(cluster.deleteCluster, { clusterId: made, instanceDeleteMode: "terminate" }),
);
/** What the ids of right inputs stand for: they have to be there. */
const there = {
  "vpc-3f8a0c1e": vpcId,
  "subnet-3f8a0c1e": subnetId,
  "cls-3f8a0c1e": clusterId,
  "sg-3f8a0c1e": await makeGroup(stage),
  "tcr-3f8a0c1e": await makeRegistry(stage, "acme-first"),
  "tcr-5d20b7c4": await makeRegistry(stage, "acme-second"),
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

const urnOf = (type: string) => `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:${type}::wrong`;
const checked = (type: string, olds: Props, news: Props) => stage.host.check(olds, { ...news, ...stubOf(type) });
const stubOf = (type: string) => ({
  __provider: `exports.handler=()=>require("@container-platform/pulumi/host").get("${type}")`,
  __urn: urnOf(type),
});

const warnings = () => stage.host.lines.filter(({ severity }) => severity === severities.warning).map(({ message }) => message);

test.each(kinds)("%s: of every input, what is never taken is refused in the preview, and stays where it was", async (type) => {
  const { of } = wrongInputs[type];
  const base = baseOf(type);
  const { kind } = await loaded[type]();
  expect(Object.keys(of)).toEqual(Object.keys(kind.inputs.shape));
  expect((await checked(type, {}, base)).failures).toEqual([]);
  for (const [input, values] of Object.entries(of)) {
    for (const value of isFree(values) ? [] : values) {
      const args = { ...base, [input]: value };
      const { inputs, failures } = await checked(type, {}, args);
      const reasons = failures.map(({ reason }) => reason);
      expect(reasons, `${input}: ${JSON.stringify(value)}`).not.toEqual([]);
      for (const reason of reasons) expect(reason).toMatch(/^\w[\w.[\]]*: \S/);
      const ofTypes = /takes (a|an) (string|number|whole number|boolean|object|array)|is required|has no( such)? property/;
      if (reasons.some((reason) => ofTypes.test(reason))) continue;
      // An earlier version did not know the rule. But no resource has an id that cannot be read.
      const again = (await checked(type, inClear(inputs), args)).failures.map(({ reason }) => reason);
      const left = again.filter((reason) => !reason.includes("cannot be a part of the resource's id"));
      expect(left, `${input}: ${JSON.stringify(value)}, as it was`).toEqual([]);
    }
  }
});

/** The messages of a kind on the page of rules, as patterns. */
function messagesOf(type: string): RegExp[] {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/rules.md"), "utf8");
  const [, chapter = ""] =
    page
      .split(/^## /m)
      .filter((text) => text.startsWith(`${type}\n`))
      .map((text) => [type, text] as const)[0] ?? [];
  return [...chapter.matchAll(/^\| `(.+?)` \| `(.+?)` \| /gm)].map(([, path = "", says = ""]) => {
    const literal = (text: string) => text.replaceAll("\\|", "|").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const message = says
      .split(/<[\w ]+>/)
      .map(literal)
      .join(".+");
    return new RegExp(`^${literal(path).replaceAll("\\[\\]", "\\[\\d+\\]")}: ${message}$`, "s");
  });
}

/** What the page says of all kinds at once. */
const ofAllKinds =
  /: (takes an? (string|number|whole number|boolean|object|array), not |is required|has no (such )?property|.+ cannot be a part of the resource's id)/;

test.each(kinds)("%s: what the messages say stands on the page of rules", async (type) => {
  const { base, of } = wrongInputs[type];
  const messages = messagesOf(type);
  const inputs = Object.entries(of).flatMap(([input, values]) =>
    isFree(values) ? [] : values.map((value) => ({ ...base, [input]: value })),
  );
  const said = await Promise.all(inputs.map(async (args) => (await checked(type, {}, args)).failures.map(({ reason }) => reason)));
  const own = [...new Set(said.flat())].filter((reason) => !ofAllKinds.test(reason));
  expect(own.filter((reason) => !messages.some((message) => message.test(reason)))).toEqual([]);
});

const sentences: readonly (readonly [type: keyof typeof wrongInputs, change: Props, sentence: string])[] = [
  [
    "Vpc",
    { cidrBlock: "100.64.0.0/16" },
    "cidrBlock: takes a /12 to /28 inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, not 100.64.0.0/16",
  ],
  ["Vpc", { dnsServers: ["nope"] }, 'dnsServers[0]: takes an IPv4 address, not "nope"'],
  ["Vpc", { vpcName: "a\u0000b" }, 'vpcName: takes a name that is not blank and has no control characters, not "a\\u0000b"'],
  ["Vpc", { tags: { "": "x" } }, 'tags: takes keys of 1 to 127 characters, not ""'],
  [
    "Vpc",
    { tags: { "\u001b[2Jz": "x" } },
    'tags: takes keys that are a name that is not blank and has no control characters, not "\\u001b[2Jz"',
  ],
  [
    "Subnet",
    { zone: "eu-frankfurt-9" },
    'zone: "eu-frankfurt-9" is no zone that eu-frankfurt offers: it takes eu-frankfurt-1, eu-frankfurt-2, eu-frankfurt-3',
  ],
  ["Subnet", { vpcId: "subnet-1" }, 'vpcId: takes the id of a VPC, such as vpc-3f8a0c1e, not "subnet-1"'],
  [
    "SecurityGroup",
    { ingress: [{ protocol: "TCP", port: "99999", cidrBlock: "10.0.0.0/8", action: "ACCEPT" }] },
    'ingress[0].port: takes ports from 1 to 65535 in forms such as 443, 8000-9000 or 80,443, or ALL, not "99999"',
  ],
  [
    "Cluster",
    { clusterVersion: "1.99" },
    'clusterVersion: "1.99" is no Kubernetes version that eu-frankfurt offers: it takes 1.28.3, 1.30.0, 1.32.2, 1.34.1',
  ],
  [
    "Cluster",
    { clusterLevel: "L7" },
    'clusterLevel: "L7" is no level that eu-frankfurt offers: it takes L5, L20, L50, L100, L200, L500, L1000, L3000, L5000',
  ],
  ["Cluster", { maxNodePodNum: Number.NaN }, "maxNodePodNum: takes a number, not NaN"],
  [
    "NodePool",
    { native: { ...oneNode("subnet-1"), instanceTypes: ["t3.medium"] } },
    'native.instanceTypes: "t3.medium" is no type of instance that eu-frankfurt offers: it takes types such as S5.SMALL2, S5.MEDIUM2, S5.MEDIUM4, S5.MEDIUM8, S5.LARGE8, which getInstanceTypes({ zone }) lists',
  ],
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
  ["UserPermission", { targetUin: "100000000001" }, "targetUin: 100000000001 is the main account: it takes the id of a sub-account"],
  ["RegistryInstance", { registryName: "system" }, 'registryName: "system" is reserved by the platform: take another name'],
];

test.each(sentences)("%s %j: %s", async (type, change, sentence) => {
  const { failures } = await checked(type, {}, { ...baseOf(type), ...change });
  expect(failures.map(({ reason }) => reason)).toEqual([sentence]);
});

test("a version that is not offered is refused as an update, too, and what is unknown is looked at once it is known", async () => {
  const base = baseOf("Cluster");
  const deployed = { ...base, clusterVersion: "1.30.0" };
  for (const clusterVersion of ["1.99", "latest"])
    expect((await checked("Cluster", deployed, { ...base, clusterVersion })).failures).toHaveLength(1);
  expect((await checked("Cluster", deployed, { ...base, clusterVersion: "1.32.2" })).failures).toEqual([]);
  expect((await checked("Cluster", deployed, { ...base, clusterVersion: unknown })).failures).toEqual([]);
});

test("of a pool, the zones of the subnets count once they are known", async () => {
  const native = { ...oneNode(inThird), instanceTypes: ["GN7.2XLARGE32"] };
  const failuresIn = async (subnetIds: readonly unknown[]) =>
    (await checked("NodePool", {}, { ...baseOf("NodePool"), native: { ...native, subnetIds } })).failures.map(({ reason }) => reason);
  expect(await failuresIn([unknown])).toEqual([]);
  expect(await failuresIn([inThird])).toEqual([
    expect.stringContaining(
      '"GN7.2XLARGE32" cannot be had in eu-frankfurt-3, but in eu-frankfurt-1 and eu-frankfurt-2; eu-frankfurt-3 takes types such as',
    ),
  ]);
});

dynamicTest("what is imported is compared with what is there, also where it is no longer offered", async () => {
  const asked = { vpcId, subnetId: inThird, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } };
  const clusterId = await stage.before(
    async () => (await stage.cloud.call(cluster.createCluster, asked)).clusterId,
    (made) => stage.cloud.call(cluster.deleteCluster, { clusterId: made, instanceDeleteMode: "terminate" }),
  );
  await alter(stage, "clusters", clusterId, { version: "1.20.0" });
  const reasonsFor = async (clusterVersion: string) => {
    const { failures } = await checked("Cluster", {}, { ...baseOf("Cluster"), clusterVersion, __adopt: clusterId });
    return failures.map(({ reason }) => reason).filter((reason) => reason.startsWith("clusterVersion"));
  };
  expect(await reasonsFor("1.20.0")).toEqual([]);
  expect(await reasonsFor("1.99")).toEqual([expect.stringContaining('"1.99" is no Kubernetes version')]);
  await stage.undoLast(1);
});

test("a role that is none of the presets is warned of, because nobody can look it up", async () => {
  stage.host.lines.splice(0);
  expect((await checked("UserPermission", {}, { ...baseOf("UserPermission"), roleName: "deployer" })).failures).toEqual([]);
  await expect
    .poll(warnings)
    .toEqual(["roleName: deployer is no preset role: the grant fails unless a Role or ClusterRole of this name is in the cluster"]);
});

test("each list is read once a run, and only for what is new or changed", async () => {
  await stage.host.restart();
  const subnet = (index: number) => ({ ...baseOf("Subnet"), cidrBlock: `10.0.${index}.0/24` });
  const actionsOf = async (work: () => Promise<unknown>) => (await stage.calls(work)).map(({ action }) => action);
  expect(await actionsOf(() => checked("Subnet", subnet(1), subnet(1)))).toEqual([]);
  const asNew = () => Promise.all([11, 12, 13].map((index) => checked("Subnet", {}, subnet(index))));
  // What killed runs have left is listed for what is new, as its creation would.
  expect(await actionsOf(asNew)).toEqual(["GetResources", "DescribeZones", "DescribeVpcs", "DescribeSubnets"]);
  expect(await actionsOf(() => checked("Subnet", subnet(1), { ...subnet(1), zone: "eu-frankfurt-2" }))).toEqual([]);
});

test("what cannot be read is warned of, and refuses nothing", async () => {
  await stage.host.restart();
  stage.host.lines.splice(0);
  stage.faults.add({ operation: compute.describeZones, when: "before", code: "UnauthorizedOperation.AccessMgmtNoAuth", reason: "not you" });
  expect((await checked("Subnet", {}, { ...baseOf("Subnet"), zone: "eu-frankfurt-9" })).failures).toEqual([]);
  await expect
    .poll(warnings)
    .toEqual([
      expect.stringMatching(
        /^zone: cannot be checked before it is used, because the platform does not tell what it offers: DescribeZones: not you/,
      ),
    ]);
});

test("of a list that is there already, only what is new in it is refused", async () => {
  const wrong = { cidrBlock: "10.0.0.0/16", dnsServers: ["nope"] };
  expect((await checked("Vpc", wrong, { ...wrong, tags: { a: "b" } })).failures).toEqual([]);
  expect((await checked("Vpc", wrong, { ...wrong, dnsServers: ["nope", "nada"] })).failures.map(({ reason }) => reason)).toEqual([
    'dnsServers[1]: takes an IPv4 address, not "nada"',
  ]);
});
