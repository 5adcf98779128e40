import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { assignIpv6CidrBlock, describeVpcs, modifySecurityGroupAttribute } from "@container-platform/sdk/vpc";
import { createInstance } from "@container-platform/sdk/registry";
import { LocalPlatform } from "@container-platform/sdk/local";
import type { Transport } from "@container-platform/sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { stateOf } from "../../provider/src/runtime/stack-export.ts";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { type Declaration, type Program, Reference, urnOf } from "./program.ts";
import { deleteOrphans, destroyFollowing, orphanIdsOf, upFollowing } from "./remedies.ts";
import type { RunOutcome, UpOptions } from "./resettable-stack.ts";
import type { Kill } from "./simulated-engine.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** Kills, second backends and lagging lists. Nothing is lost silently, nothing is created twice, and nothing of another owner is deleted. */

async function opened(): Promise<SimulatedStack> {
  const stack = await SimulatedStack.open("in process", "3s");
  onTestFinished(() => stack[Symbol.asyncDispose]());
  return stack;
}

/** An update with a provider of its own, which Pulumi ends when all is saved. */
async function up(stack: SimulatedStack, program: Program, options: UpOptions = {}) {
  const outcomes: RunOutcome[] = [];
  const warnings = await stack.lines("warning", async () => outcomes.push(await stack.up(program, options)));
  return { calls: outcomes.flatMap(({ calls }) => calls), ...outcomes[0], warnings: warnings.join("\n") };
}

const killed = (stack: SimulatedStack, program: Program, action: string, victim: Kill["victim"] = "engine", options: UpOptions = {}) =>
  stack.up(program, { ...options, kill: { victim, action, nth: 1 } });

const succeeds = { failure: undefined };
const changesNothing = { failure: undefined, operations: [] };

const vpcId = new Reference("Vpc net", "vpcId");
const registryId = new Reference("RegistryInstance images", "registryId");
const net: Declaration = { type: "Vpc", name: "net", args: { cidrBlock: "10.0.0.0/16" } };
const block: Declaration = { type: "Ipv6Block", name: "block", args: { vpcId } };
const images: Declaration = { type: "RegistryInstance", name: "images", args: { registryName: "team-images", deleteBucket: true } };
const pull: Declaration = { type: "Token", name: "pull", args: { registryId, desc: "pulls" } };
const group = (name: string, more: Partial<Declaration> = {}): Declaration => ({
  type: "SecurityGroup",
  name,
  args: { groupDescription: name },
  ...more,
});
const first = group("first");
const web = group("web");

const whole: Program = [
  net,
  block,
  { type: "Subnet", name: "zone", args: { vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" } },
  images,
  pull,
];
const creations = ["CreateVpc", "AssignIpv6CidrBlock", "CreateSubnet", "CreateInstance", "CreateInstanceToken"];
const attacks = creations.flatMap((action, index) =>
  (["engine", "provider", "all"] as const).map((victim) => ({ action, victim, until: whole.slice(0, index + 1) })),
);

/** `all`: nothing of the first update is saved, as with `PULUMI_SKIP_CHECKPOINTS`. */
async function attacked({ action, victim }: (typeof attacks)[number]): Promise<SimulatedStack> {
  const stack = await opened();
  await killed(stack, whole, action, victim === "provider" ? "provider" : "engine");
  if (victim === "all") await stack.goBackTo({ world: await stack.world(), state: emptyState });
  return stack;
}
const emptyState = JSON.stringify({ entries: [], pending: [], providerId: "00000000-0000-4000-8000-000000000001" });

test.each(attacks)("$victim killed at $action, then up: each is created once", async (attack) => {
  const { action, victim, until } = attack;
  const stack = await attacked(attack);
  const { failure, remedies } = await upFollowing(
    stack,
    whole,
    {},
    whole.map(({ type }) => type),
  );
  const imported = { engine: [], provider: until.slice(-1).filter(({ type }) => type === "Ipv6Block"), all: until.slice(0, 4) }[victim];
  const drafts =
    action === "CreateInstanceToken" && victim !== "engine" ? [expect.stringMatching(/^delete draft tcr-\w+\/token-\w+$/)] : [];
  expect([failure, remedies]).toEqual([undefined, [...imported.map(({ type, name }) => `import ${type} ${name}`), ...drafts]]);
  expect(await stack.contents()).toMatchObject({ vpcs: 1, subnets: 1, registries: 1, registryTokens: 1 });
  expect(await stack.up(whole, { refresh: true })).toMatchObject(changesNothing);
  await stack.restartProvider();
  expect(await stack.destroy()).toMatchObject(succeeds);
  expect(await stack.contents()).toEqual({});
});

test.each(attacks)("$victim killed at $action, then destroy: it names the orphan, and the command deletes it", async (attack) => {
  const { action, victim } = attack;
  const stack = await attacked(attack);
  const before = await stack.contents();
  const { failure } = await stack.destroy();
  // Pulumi starts no provider for an empty stack, and a block is deleted with its VPC.
  const isNamed = victim !== "all" && !["CreateVpc", "AssignIpv6CidrBlock"].includes(action);
  const named =
    victim === "engine" ? / \(\w+ "\w+"\): delete it with `[^`]+--delete`\.\n/ : /- (\S+) \(\w+\): delete it with `[^`]+ --id \1`; to/;
  expect(failure).toEqual(isNamed ? expect.stringMatching(named) : undefined);
  if (isNamed) expect(await stack.contents()).toEqual(before);
  await stack.restartProvider();
  expect(await destroyFollowing(stack)).toMatchObject(succeeds);
  await stack.restartProvider();
  // Without a pending create, nothing says that the bucket is to be deleted.
  const hasBucket = before["registries"] === 1 && (victim === "all" || (victim === "provider" && action === "CreateInstance"));
  expect(await stack.contents()).toEqual(hasBucket ? { buckets: 1 } : {});
});

/** The groups on the platform. */
const groups = async (stack: SimulatedStack): Promise<number> => (await stack.contents())["securityGroups"] ?? 0;
const refusal =
  /^creating SecurityGroup: (sg-\w{8}) has this resource's ownership tags, .+\n {2}- If it belongs to this stack, add \{ import: "\1" \}.+\n {2}- If it is not needed, delete it/;
const ends = (text: RegExp) => ({ failure: expect.stringMatching(text) });

test("H9: while a stack of the same name in another backend creates resources, none is recovered or deleted, and then each has its own", async () => {
  const one = await opened();
  const other = one.inOtherBackend();
  await other.up([first, web]);
  expect(await up(one, [first, web])).toMatchObject(ends(refusal));
  expect(await orphanIdsOf(one)).toHaveLength(2);
  expect(await deleteOrphans(one)).toEqual([]);
  expect(await groups(one)).toBe(2);
  await other.restartProvider();
  expect(await up(one, [first, web])).toMatchObject(succeeds);
  expect(await groups(one)).toBe(4);
  expect([await one.destroy(), await groups(one)]).toMatchObject([succeeds, 2]);
  expect([await other.destroy(), await groups(one)]).toMatchObject([succeeds, 0]);
});

test("H1: a resolved pending create does not prove that the orphan of another backend is this stack's", async () => {
  const one = await opened();
  const other = one.inOtherBackend();
  await up(one, [first]);
  await killed(one, [first, web], "CreateSecurityGroup");
  expect(await up(one, [first, web])).toMatchObject(succeeds);
  await up(one, [first]);
  expect(await one.exported()).toContain('"type":"creating"');
  await up(other, [first]);
  await killed(other, [first, web], "CreateSecurityGroup");
  expect(await up(one, [first, web])).toMatchObject(ends(refusal));
  expect(await deleteOrphans(one)).toEqual([]);
  await up(one, [first]);
  const warnings = await one.lines("warning", async () => expect(await one.destroy()).toMatchObject(succeeds));
  expect(warnings).toEqual([expect.stringMatching(/^sg-\w{8} \(.+ may belong to a stack of the same name in another backend/)]);
  expect(await groups(one)).toBe(2);
  expect(await up(other, [first, web])).toMatchObject(succeeds);
  expect([await other.destroy(), await groups(one)]).toMatchObject([succeeds, 0]);
});

const team: Declaration = { type: "Namespace", name: "team", args: { registryId, namespaceName: "team", isPublic: false } };
const ci: Declaration = {
  type: "ServiceAccount",
  name: "ci",
  args: {
    registryId,
    name: "ci",
    permissions: [{ resource: new Reference("Namespace team", "namespaceName"), actions: ["reg:PullRepository"] }],
  },
};
const noted = [
  { one: pull, table: "registryTokens", changes: { desc: "changed" } },
  { one: ci, table: "serviceAccounts", changes: { description: "changed" } },
];

test.each(noted)("H2: a $one.type whose note was not removed is not changed, created again or deleted", async ({ one, table, changes }) => {
  const stack = await opened();
  const program = [images, team, one];
  await stack.up(program);
  // Pulumi has saved it, and does not end the provider.
  await stack.stage.host.restart("SIGKILL");
  expect(await up(stack, program, { refresh: true })).toMatchObject({ ...changesNothing, warnings: "" });
  expect(await orphanIdsOf(stack)).toEqual([]);
  expect(await up(stack, [images, team, { ...one, args: { ...one.args, ...changes } }])).toMatchObject(succeeds);
  expect(JSON.stringify(await stack.world())).not.toContain("(Pulumi ");
  expect(await stack.stage.rows(table)).toBe(1);
});

test("H2: destroy names a draft in a registry that the stack does not manage, by its pending create", async () => {
  const stack = await opened();
  const { registryId: theirs } = await stack.cloud.call(createInstance, { registryName: "theirs", registryType: "basic" });
  await up(stack, [first]);
  await killed(stack, [first, { ...pull, args: { registryId: theirs } }], "CreateInstanceToken");
  expect(await destroyFollowing(stack)).toMatchObject({ ...succeeds, remedies: [expect.stringContaining(`${theirs}/token-`)] });
  expect([await stack.stage.rows("registryTokens"), await stack.stage.rows("registries")]).toEqual([0, 1]);
});

/** Whether the VPC has a block. */
const hasBlock = async ({ cloud }: SimulatedStack): Promise<boolean> =>
  (await cloud.call(describeVpcs, {})).vpcSet[0]?.ipv6CidrBlock !== "";

test("H3: a resolved pending create recovers a block that was made by hand, but deletes none, until it is cleared", async () => {
  const stack = await opened();
  await killed(stack, [net, block], "AssignIpv6CidrBlock");
  const notes = await stack.lines("info", async () => expect(await stack.up([net, block])).toMatchObject(succeeds));
  expect(notes).toEqual([expect.stringMatching(/^recovering vpc-.+ Run `pulumi refresh --clear-pending-creates` after this update$/)]);
  await up(stack, [net]);
  const [made] = await stack.entries();
  await stack.cloud.call(assignIpv6CidrBlock, { vpcId: made?.id ?? "" });
  expect(await deleteOrphans(stack)).toEqual([]);
  const { world, state } = await stack.checkpoint();
  expect(await up(stack, [net, block])).toMatchObject({ ...succeeds, operations: ["create Ipv6Block block"] });
  await stack.goBackTo({ world, state: JSON.stringify({ ...JSON.parse(state), pending: [] }) });
  expect(await up(stack, [net, block])).toMatchObject(ends(/already exists, and this stack does not manage it\..+ \{ import: /));
  expect(await hasBlock(stack)).toBe(true);
});

test.each(["engine", "provider"] as const)(
  "H5: destroy of a stack with nothing but an orphan, %s killed: the next provider recovers it only by its pending create",
  async (victim) => {
    const stack = await opened();
    await killed(stack, [first], "CreateSecurityGroup", victim);
    expect(await stack.destroy()).toMatchObject(changesNothing);
    const { failure, remedies } = await upFollowing(stack, [first], {}, ["SecurityGroup"]);
    expect([failure, remedies]).toEqual([undefined, victim === "engine" ? [] : ["import SecurityGroup first"]]);
    expect(await groups(stack)).toBe(1);
  },
);

/** What the list of tags leaves out, for so many calls; each takes so many milliseconds of the provider's clock. */
interface Lag {
  hidden: number;
  readonly takes?: number;
}

const elsewhere = { endpoint: "https://platform.example" };

async function lagging(lag: Lag, others: { readonly endpoint?: string } = elsewhere): Promise<SimulatedStack> {
  const { promise: platform, resolve } = Promise.withResolvers<LocalPlatform>();
  let late = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + late);
  const send: Transport["send"] = async (request) => {
    const reply = await (await platform).send(request);
    if (request.action !== "GetResources") return reply;
    late += lag.takes ?? 0;
    return lag.hidden-- > 0 ? { ...reply, body: { ...reply.body, ResourceTagMappingList: [] } } : reply;
  };
  const whoAmI = async () => (await platform).whoAmI();
  const stack = await SimulatedStack.open("in process", "3s", { transport: { send, whoAmI, close: () => Promise.resolve() }, ...others });
  resolve(new LocalPlatform(stack.stage.world));
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await stack[Symbol.asyncDispose]();
  });
  return stack;
}

const listings = ({ calls }: Pick<RunOutcome, "calls">): number => calls.filter(({ action }) => action === "GetResources").length;

test("H6: a pending resource that is listed late is recovered", async () => {
  const lag = { hidden: 0 };
  const stack = await lagging(lag);
  await killed(stack, [first], "CreateSecurityGroup");
  lag.hidden = 2;
  const outcome = await up(stack, [first]);
  expect([outcome.failure, listings(outcome), await groups(stack)]).toEqual([undefined, 3, 1]);
});

test.each([
  ["ends on a platform at an address", elsewhere, 2],
  ["does not exist on an embedded one", {}, 1],
])("H6: the wait %s", async (_, others, lists) => {
  const stack = await lagging({ hidden: 0, takes: 31_000 }, others);
  await killed(stack, [first], "CreateSecurityGroup");
  expect(await deleteOrphans(stack)).toHaveLength(1);
  const outcome = await up(stack, [first]);
  expect([outcome.failure, listings(outcome), await groups(stack)]).toEqual([undefined, lists, 1]);
});

test("H6: without a pending create nothing is waited for: a resource that is created twice is named, and destroy deletes nothing", async () => {
  const lag = { hidden: 0 };
  const stack = await lagging(lag);
  await killed(stack, [first], "CreateSecurityGroup", "provider");
  lag.hidden = 1;
  expect(await up(stack, [first])).toMatchObject(succeeds);
  expect([await stack.destroy(), await groups(stack)]).toMatchObject([
    { failure: expect.stringMatching(/ --orphans --delete --id sg-/) },
    2,
  ]);
  await stack.restartProvider();
  expect([await destroyFollowing(stack), await groups(stack)]).toMatchObject([succeeds, 0]);
});

test("H7: an export that fails once is repeated", async () => {
  const folder = scratch();
  const command = join(folder, "pulumi");
  writeFileSync(command, `#!/bin/sh\nif [ -e ${folder}/failed ]; then echo '{}'; else : > ${folder}/failed; exit 1; fi\n`);
  chmodSync(command, 0o755);
  const { PATH = "" } = process.env;
  onTestFinished(() => {
    process.env["PATH"] = PATH;
  });
  process.env["PATH"] = [folder, PATH].join(delimiter);
  expect(await stateOf(urnOf("Vpc net"))).toMatchObject({ resources: [], pendingCreates: [], marks: [] });
});

const renamed = group("renamed", { args: web.args, aliases: ["web"] });
const last = group("last");

test("renamed with an alias after the kill, a group is created, and the orphan is named", async () => {
  const stack = await opened();
  await up(stack, [first]);
  await killed(stack, [first, web], "CreateSecurityGroup");
  expect(await up(stack, [first, renamed])).toMatchObject({
    ...succeeds,
    warnings: expect.stringMatching(/- sg-\w{8} \(SecurityGroup "web"\): delete it with `[^`]+--delete`/),
  });
  expect(await destroyFollowing(stack)).toMatchObject({ ...succeeds, remedies: [expect.stringMatching(/^sg-/)] });
  expect(await groups(stack)).toBe(0);
});

test("renamed with an alias after an interrupted update has saved it, a group keeps its ID", async () => {
  const stack = await opened();
  await stack.up([first, web, last], { kill: { victim: "engine", action: "CreateSecurityGroup", nth: 3 } });
  expect(await up(stack, [first, renamed, last])).toMatchObject({ ...succeeds, operations: ["create SecurityGroup last"] });
  expect(await groups(stack)).toBe(3);
});

test("renamed with an alias, then killed in a repair whose result is not saved, a group is deleted by destroy", async () => {
  const stack = await opened();
  await up(stack, [first, web]);
  await up(stack, [first, renamed]);
  const saved = (await stack.entries()).find(({ name }) => name === "renamed");
  await stack.cloud.call(modifySecurityGroupAttribute, { securityGroupId: String(saved?.id), groupName: "changed" });
  await killed(stack, [first, renamed], "ModifySecurityGroupAttribute", "engine", { refresh: true });
  expect(await up(stack, [first, renamed], { refresh: true })).toMatchObject(succeeds);
  expect([await stack.destroy(), await groups(stack)]).toMatchObject([succeeds, 0]);
});

test("the resource of a stack of the same name in another backend is named as such, and its import is warned of", async () => {
  const stack = await opened();
  await up(stack, [net, first]);
  const ids = new Map((await stack.entries()).map(({ name, id }) => [name, id]));
  const elsewhere = emptyState.replace("000000000001", "000000000009");
  await stack.goBackTo({ world: await stack.world(), state: elsewhere });
  const { failure } = await up(stack, [net]);
  expect(failure).toContain(
    `It is the same resource, but another state created it, and this one does not record it. [Provider.AlreadyExists]\n  - If another backend has a stack of this name, select that backend.\n  - Otherwise, add { import: "${ids.get("net")}" }`,
  );
  await stack.goBackTo({ world: await stack.world(), state: elsewhere });
  const imported = await up(stack, [{ ...net, import: String(ids.get("net")) }]);
  expect(imported).toMatchObject(succeeds);
  expect(imported.warnings).toContain(`another state of this stack created ${ids.get("net")}`);
});

test("killed in a forced replacement: forced again, the orphan is recovered; otherwise the old one stays, and destroy fails", async () => {
  const stack = await opened();
  const forced = { forced: ["SecurityGroup web"] };
  const replaced = async () => {
    await killed(stack, [web], "CreateSecurityGroup", "engine", forced);
    expect(await groups(stack)).toBe(2);
  };
  await up(stack, [web]);
  await replaced();
  expect([await up(stack, [web], forced), await groups(stack)]).toMatchObject([succeeds, 1]);
  await replaced();
  expect([await up(stack, [web]), await groups(stack)]).toMatchObject([changesNothing, 2]);
  expect(await destroyFollowing(stack)).toMatchObject({ ...succeeds, remedies: [expect.stringMatching(/^sg-/)] });
  expect(await groups(stack)).toBe(0);
});

test("what `pulumi state move` gave to another stack, and an interrupted update created, is named, and not deleted by the command", async () => {
  const stack = await opened();
  await stack.up([first, web, last], { kill: { victim: "engine", action: "CreateSecurityGroup", nth: 3 } });
  const { world, state } = await stack.checkpoint();
  const [moved] = (await stack.entries()).filter(({ name }) => name === "web");
  const entries = (await stack.entries()).filter((one) => one !== moved);
  await stack.goBackTo({ world, state: JSON.stringify({ ...JSON.parse(state), entries, pending: [] }) });
  expect((await stack.destroy()).failure).toContain(` --id ${moved?.id}\`; to keep it, `);
  expect([await deleteOrphans(stack), await groups(stack)]).toEqual([[], 3]);
});
