import fc from "fast-check";
import { expect, test } from "vitest";
import { portsOf } from "../../provider/src/review/policy/language/openings.ts";
import { Part } from "../../provider/src/review/policy/language/rule.ts";
import { rules as policyRules } from "../../provider/src/review/policy/rules.ts";
import * as cluster from "../../sdk/src/catalogue/cluster.ts";
import * as registry from "../../sdk/src/catalogue/registry.ts";
import * as vpc from "../../sdk/src/catalogue/vpc.ts";
import { Cloud } from "../../sdk/src/client/client.ts";
import { addressAt, addressCount, contains, parseCidr } from "../../sdk/src/formats/addresses.ts";
import { endpointFor } from "../../sdk/src/local/cluster/access/kubeconfig.ts";
import { openStage } from "../../sdk/src/local/cluster/stage.fixture.ts";
import { LocalPlatform } from "../../sdk/src/local/platform.ts";
import { placeOf } from "../../sdk/src/local/registry/access/container-client.ts";
import { allowsTcp } from "../../sdk/src/local/vpc/security-groups.ts";
import { securityGroups } from "../../sdk/src/local/vpc/tables.ts";
import { inRounds, seededNumbers } from "../../sdk/src/rounds.fixture.ts";
import { ruleRange } from "../../sdk/src/rules/network.ts";
import { changeInPlace, creation, type Step } from "./previews.ts";
import { reviewOfSteps } from "./reviewed.ts";

/** What the review calls closed is closed on a platform in the public form, which takes `0.0.0.0/n` in a rule of a group as everyone. */

interface Rule {
  readonly protocol: string;
  readonly port: string;
  readonly action: "ACCEPT" | "DROP";
  readonly range: string;
}
type Change = readonly [before: readonly Rule[], after: readonly Rule[]];
/** Changes of a group's rules, and of the entries of an endpoint's list and a registry's whitelist. */
interface Program {
  readonly group: Change;
  readonly list: Change;
}

const part = (whole: string, bits: bigint, prefix: fc.Arbitrary<number>) =>
  fc.tuple(fc.bigInt(0n, 2n ** bits - 1n), prefix).map(([at, fixed]) => parseCidr(`${addressAt(whole, at)}/${fixed}`)?.canonical ?? "");
const range = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map((prefix) => `0.0.0.0/${prefix}`),
  fc.constantFrom("64.0.0.0/2", "128.0.0.0/1", "::/1", "8000::/1", "2000::/4", "3000::/4", "3000::/5", "198.51.100.7/32"),
  part("0.0.0.0/0", 32n, fc.integer({ min: 1, max: 32 })),
  part("2000::/3", 125n, fc.integer({ min: 3, max: 128 })),
);
const accepts = (allowed: string): Rule => ({ protocol: "TCP", port: "443", action: "ACCEPT", range: allowed });
const rule = fc.record<Rule>({
  protocol: fc.constantFrom("TCP", "TCP", "UDP", "ALL"),
  port: fc.constantFrom("22", "20-30", "22,443", "ALL"),
  action: fc.constantFrom("ACCEPT", "ACCEPT", "DROP"),
  range: fc.oneof(range, fc.constantFrom("0.0.0.0/0", "::/0")),
});
const keyOf = ({ protocol, port, action, range: text }: Rule) => [protocol, protocol === "ALL" || port, action, ruleRange(text)].join();
const unique = (rules: readonly Rule[]) => [...new Map(rules.map((one) => [keyOf(one), one])).values()];
/** Some entries, and some of them in the same or another order with some others. */
const changed = (item: fc.Arbitrary<Rule>): fc.Arbitrary<Change> =>
  fc
    .array(item, { minLength: 1, maxLength: 5 })
    .chain((before) =>
      fc
        .tuple(
          fc.oneof(fc.shuffledSubarray(before, { minLength: 1 }), fc.subarray(before, { minLength: 1 })),
          fc.array(item, { maxLength: 2 }),
        )
        .map(([kept, more]) => [unique(before), unique([...kept, ...more])]),
    );
const programs = fc.record<Program>({ group: changed(rule), list: changed(range.map(accepts)) });

type Admitted = (rules: readonly Rule[], asked: readonly (readonly [address: string, port: number])[]) => Promise<readonly boolean[]>;
const kinds = ["SecurityGroup", "ClusterEndpoint", "RegistryInstance"] as const;
type Kind = (typeof kinds)[number];

/** Which addresses and ports the platform admits, for the rules of each kind. */
async function platform(): Promise<Readonly<Record<Kind, Admitted>>> {
  const { world, clusterId, region, securityGroup } = await openStage();
  const cloud = new Cloud({ transport: new LocalPlatform(world, {}, "public"), region });
  const { registryId } = await cloud.call(registry.createInstance, { registryName: "acme-images", registryType: "basic" });
  world.advance(2000);
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  world.advance(2000);
  const server = (await cloud.call(registry.describeInstances, { registryIds: [registryId] })).registries[0]?.publicDomain ?? "";
  return {
    SecurityGroup: async (rules, asked) => {
      const { securityGroupId } = (await cloud.call(vpc.createSecurityGroup, { groupName: "g", groupDescription: "" })).securityGroup;
      const securityGroupPolicySet = { ingress: rules.map(inputOf) };
      if (rules.length > 0) await cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId, securityGroupPolicySet });
      const row = world.rows(securityGroups, region, world.account).get(securityGroupId);
      await cloud.call(vpc.deleteSecurityGroup, { securityGroupId });
      return asked.map(([address, port]) => row !== undefined && allowsTcp(row, port, address));
    },
    ClusterEndpoint: async (rules, asked) => {
      await cloud.call(cluster.modifyClusterEndpointSp, { clusterId, securityPolicies: rangesOf(rules), securityGroup });
      return asked.map(([clientIp]) => typeof endpointFor(world, { region, clusterId }, { clientIp }) !== "string");
    },
    RegistryInstance: async (rules, asked) => {
      const old = (await cloud.call(registry.describeSecurityPolicies, { registryId })).securityPolicySet.toReversed();
      for (const { cidrBlock, policyIndex } of old) await cloud.call(registry.deleteSecurityPolicy, { registryId, cidrBlock, policyIndex });
      for (const cidrBlock of rangesOf(rules)) await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock, description: "" });
      return asked.map(([clientIp]) => typeof placeOf(world, server, { clientIp }) !== "string");
    },
  };
}

const rangesOf = (rules: readonly Rule[]) => rules.map(({ range: text }) => text);
const inputOf = ({ range: text, protocol, port, action }: Rule) => ({
  ...{ protocol, action, [text.includes(":") ? "ipv6CidrBlock" : "cidrBlock"]: text },
  ...(protocol !== "ALL" && { port }),
});
const inputs = {
  SecurityGroup: (rules: readonly Rule[]) => ({ ingress: rules.map(inputOf) }),
  ClusterEndpoint: (rules: readonly Rule[]) => ({ isExtranet: true, allowedCidrBlocks: rangesOf(rules) }),
  RegistryInstance: (rules: readonly Rule[]) => ({ publicAccess: { whitelist: rules.map(({ range: cidrBlock }) => ({ cidrBlock })) } }),
};
/** The policy on port 22, or on lists, of which no width is too wide: only everyone is. */
const policies = { SecurityGroup: "CP-NET-002", ClusterEndpoint: "CP-END-003", RegistryInstance: "CP-REG-002" };
const isAllowed = (kind: Kind, rules: readonly Rule[]): boolean =>
  policyRules.find(({ id }) => id === policies[kind])?.fails(new Part(inputs[kind](rules)), { ipv4: 0, ipv6: 0 }).holds === false;

const ports = { SecurityGroup: [20, 22, 443, 444], ClusterEndpoint: [443], RegistryInstance: [443] };
const policyPort = { SecurityGroup: 22, ClusterEndpoint: 443, RegistryInstance: 443 };
/** The port and the range in what a review says is closed. Of a group, TCP alone: the platform tells nothing of UDP. */
const list = /(?<!a part of |[\da-f.:])()([\da-f.:]+\/\d+)/g;
const closedRanges = {
  SecurityGroup: /(?<!a part of )TCP (\S+) (?:anywhere \()?([\da-f.:]+\/\d+)/g,
  ClusterEndpoint: list,
  RegistryInstance: list,
};
const sentencesOf = (step: Step) =>
  reviewOfSteps(step)
    .reasons.map(({ sentence }) => sentence)
    .join("\n");
const internet = ["0.0.0.0/0", "2000::/3"] as const;
const randomIn = (whole: string, draw: () => number) =>
  Array.from({ length: 50 }, () => addressAt(whole, (BigInt(Math.floor(draw() * 2 ** 48)) * addressCount(whole)) >> 48n));
const endsOf = (text: string) => [addressAt(text, 0), addressAt(text, addressCount(text) - 1n)];

/** What gets through although the review calls it closed. `read`: how the review reads a range. */
async function leaks(
  at: Awaited<ReturnType<typeof platform>>,
  kind: Kind,
  change: Change,
  draw: () => number,
  read = (text: string) => text,
) {
  const [before, after] = [change[0], change[1]].map((rules) => rules.map((one) => ({ ...one, range: read(one.range) })));
  if (!before || !after) return [];
  const random = internet.map((whole) => randomIn(whole, draw));
  const addresses = [...random.flat(), ...change.flatMap(rangesOf).flatMap(endsOf)];
  const asked = addresses.flatMap((address) => ports[kind].map((port) => [address, port] as const));
  const admitted = async (rules: readonly Rule[]) => {
    const answers = await at[kind](rules, asked);
    return new Set(asked.filter((_, index) => answers[index]).map(String));
  };
  const [was, is] = [await admitted(change[0]), await admitted(change[1])];
  const admits = (address: string, port: number) => is.has(String([address, port]));

  const made = sentencesOf(creation(kind, "x", inputs[kind](after)));
  const openPorts = ports[kind].filter((port) => random.some((some) => some.filter((address) => admits(address, port)).length >= 45));
  const changes = reviewOfSteps(changeInPlace(kind, inputs[kind](before), inputs[kind](after))).reasons;
  const opens = changes.some(({ code }) => code === "access-opened" || code === "access-changed");
  const closed = changes.flatMap(({ code, sentence }) => (code === "access-narrowed" ? [...sentence.matchAll(closedRanges[kind])] : []));
  return [
    ...(openPorts.length > 0 && !/whole internet|to everyone/.test(made) ? ["a creation lets everyone in"] : []),
    ...(openPorts.some((port) => port === policyPort[kind]) && isAllowed(kind, after) ? ["a policy allows everyone"] : []),
    ...(opens ? [] : [...is].filter((one) => !was.has(one)).map((one) => `opened: ${one}`)),
    ...closed.flatMap(([, port, text = ""]) => {
      const about = ports[kind].filter((one) => portsOf(port || "ALL").some(([from, to]) => from <= one && one <= to));
      const within = addresses.filter((address) => contains(text, `${address}/${address.includes(":") ? 128 : 32}`));
      return within.filter((address) => about.every((one) => admits(address, one))).map((address) => `not closed: ${port} ${address}`);
    }),
  ];
}

const kindsOf = ({ group, list }: Program) => kinds.map((kind) => [kind, kind === "SecurityGroup" ? group : list] as const);

test("what the review calls closed is closed: random rules, whitelists and allow lists", { timeout: 3_600_000 }, async () => {
  const at = await platform();
  await inRounds("open to everyone", { whole: 1000, seconds: 10 }, async (seed) => {
    const [program] = fc.sample(programs, { numRuns: 1, seed });
    if (!program) throw new Error("there is no program");
    for (const [kind, change] of kindsOf(program))
      expect(await leaks(at, kind, change, seededNumbers(seed)), JSON.stringify(change)).toEqual([]);
  });
});

test("a review that takes 0.0.0.0/8 for what it says is found out", async () => {
  const [at, change] = [await platform(), [[], [{ ...accepts("0.0.0.0/8"), port: "22" }]] as const];
  expect(await leaks(at, "SecurityGroup", change, seededNumbers(1))).toEqual([]);
  expect(await leaks(at, "SecurityGroup", change, seededNumbers(1), (text) => text.replace("0.0.0.0/8", "8.0.0.0/8"))).toEqual([
    "a creation lets everyone in",
    "a policy allows everyone",
  ]);
});
