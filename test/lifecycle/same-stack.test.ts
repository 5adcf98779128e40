import { expect, test } from "vitest";
import { typeToken } from "../../provider/src/dynamic/stub.ts";
import type { SavedResource } from "../../provider/src/ownership/state.ts";
import { Stage } from "../provider/stage/stage.ts";
import type { Props } from "../support/structs.ts";
import { called, type Declaration, type Program, Reference, urnOf } from "./program.ts";
import { wholeRuns } from "./whole-runs.ts";
import { oneNode } from "../provider/stage/outside.ts";

/** What another resource of the same stack has, and what leaves the program although something names it or is inside of it. */

const zone = "eu-frankfurt-1";
const registryId = new Reference("RegistryInstance images", "registryId");
const vpcId = new Reference("Vpc net", "vpcId");
const namespaceName = "team";

function images(registryName: string, more: Partial<Declaration> = {}): Declaration {
  return { type: "RegistryInstance", name: "images", args: { registryName, deleteBucket: true }, ...more };
}

function range(name: string, cidrBlock: string, more: Partial<Declaration> = {}): Declaration {
  return { type: "Subnet", name, args: { vpcId, zone, cidrBlock }, ...more };
}

const net: Declaration = { type: "Vpc", name: "net", args: { vpcName: "net", cidrBlock: "10.0.0.0/16" } };
const permissions = [{ resource: namespaceName, actions: ["reg:PullRepository"] }];
const renamable: Program = [
  { type: "Vpc", name: "old", args: { cidrBlock: "10.1.0.0/16" } },
  range("old", "10.0.1.0/24"),
  { type: "Namespace", name: "old", args: { registryId, namespaceName, isPublic: false } },
  { type: "Repository", name: "old", args: { registryId, namespaceName, repositoryName: "web" } },
  { type: "ServiceAccount", name: "old", args: { registryId, name: "ci", permissions } },
];

test("what is renamed without an alias is refused with the line that renames it, and never with an import", async () => {
  await using runs = await wholeRuns();
  const base = [net, images("holding-images")];
  await runs.up([...base, ...renamable]);
  for (const one of renamable) {
    const upWith = (changed: Partial<Declaration>) =>
      runs.up([...base, ...renamable.map((each) => (each === one ? { ...one, ...changed } : each))]);
    const { failure, operations } = await upWith({ name: "new" });
    const whose = one.args["registryId"] ? 'and "old" in this stack manages it' : 'which "old" in this stack manages';
    expect(failure, one.type).toContain(
      `, ${whose}. Pulumi creates resources before it deletes old ones, so both would exist at the same time. [Provider.AlreadyExists]\n  - If this is a new name or parent for "old", add aliases: ["${urnOf(called(one))}"] to the options.`,
    );
    expect([failure.includes("add { import"), operations], one.type).toEqual([false, []]);
    expect(await upWith({ name: "new", aliases: ["old"] }), one.type).toMatchObject({ failure: "", operations: [] });
    expect(await upWith({ aliases: ["new"] }), one.type).toMatchObject({ failure: "", operations: [] });
  }
});

test("what another one gives up is for what comes after it, and after its deletion; names are exchanged in three runs", async () => {
  await using runs = await wholeRuns();
  const other = (registryName: string) => images(registryName, { name: "other" });
  await runs.up([net, range("first", "10.0.8.0/23"), images("acme-first"), other("acme-other")]);
  const refused = async (...program: Declaration[]) => (await runs.preview(program)).failure;
  expect(await refused(images("acme-other"), other("acme-first"))).toContain(
    "\n  - To swap values between the two, use three updates with a temporary value",
  );
  const first = range("first", "10.0.8.0/24");
  expect(await refused(net, first, range("second", "10.0.9.0/24"))).toMatch(
    /, which "first" in this stack manages\..+\n.+\n  - Or make this resource depend on "first" \(dependsOn\)/,
  );
  const taker = images("acme-first", { name: "taker", dependsOn: ["RegistryInstance images"] });
  expect(await refused(images("acme-second"), taker)).toContain(
    '\n  - Run `pulumi up` without this resource first: "images" then releases it.\n  - Or set deleteBeforeReplace: true on "images", and make this resource depend on it (dependsOn)',
  );
  const second = range("second", "10.0.9.0/24", { dependsOn: ["Subnet first"] });
  expect((await runs.up([net, first, second, images("acme-second", { first: true }), taker])).failure).toBe("");
});

test("what retainOnDelete keeps is not replaced by what cannot coexist with it", async () => {
  await using runs = await wholeRuns();
  const kept = (more = {}) => [images("acme-images", { args: { registryName: "acme-images", ...more }, retain: true })];
  await runs.up(kept());
  const { failure, operations } = await runs.up(kept({ enableCosMaz: true }));
  expect(failure).toMatch(/the replacement cannot coexist with tcr-\w+, which retainOnDelete keeps\. Remove retainOnDelete/);
  expect([operations, await runs.rows("registries")]).toEqual([[], 1]);
});

test("an id belongs to one resource of a program, however both came to it", async () => {
  await using runs = await wholeRuns();
  await runs.up([net]);
  const { id } = await runs.entry("Vpc net");
  const second = { ...net, name: "second", import: id };
  for (const program of [
    [net, second],
    [second, net],
  ])
    expect((await runs.preview(program)).failure).toContain(
      `"net" and "second" both manage ${id}; only one resource can. [Provider.Conflict]\n  - Remove one of them from the program.\n  - If "second" is the new name of "net", remove "net" and add aliases: ["${urnOf("Vpc net")}"] to "second".`,
    );
  const block = (name: string): Declaration => ({ type: "Ipv6Block", name, args: { vpcId: id } });
  expect((await runs.preview([net, block("one"), block("other")])).failure).toContain(`"one" and "other" both manage ${id}; only one`);

  // Renamed by the import, it is kept, and belongs to the new name.
  const renamed = await runs.up([second]);
  expect(renamed).toMatchObject({
    failure: "",
    warnings: expect.arrayContaining([`${id} was not deleted: "second" imported or recovered it in this update [Provider.OtherOwner]`]),
  });
  expect(await runs.up([second])).toMatchObject({ failure: "", operations: [] });
  // What was retained is nobody's, and is deleted in the name of whoever imports it.
  await runs.up([{ ...second, retain: true }]);
  expect([await runs.up([]), await runs.rows("vpcs")]).toEqual([expect.objectContaining({ warnings: [] }), 1]);
  await runs.up([{ ...second, name: "third" }]);
  expect([await runs.destroy(), await runs.rows("vpcs")]).toEqual([expect.objectContaining({ failure: "", warnings: [] }), 0]);
});

test("what a resource with another Provider has is not imported, and the second one of a name is told of no alias", async () => {
  const resources: SavedResource[] = [];
  const readState = () => Promise.resolve({ resources, pendingCreates: [], dependencies: new Map(), marks: [] });
  await using stage = Stage.here({ readState });
  const made = async (type: string, args: Props): Promise<SavedResource> => {
    const one = stage.deployment(type, "first");
    await one.up(args);
    const [urn, token] = [String(one.state?.inputs["__urn"]), typeToken(type)];
    return { urn, savedAs: urn, outputUrn: urn, token, type, id: one.id, home: undefined, provider: "other", isRetained: false };
  };
  const [vpc, registry] = [{ cidrBlock: "10.0.0.0/16" }, { registryName: "acme-images" }];
  const first = await made("Vpc", vpc);
  resources.push(first, await made("RegistryInstance", registry));
  await stage.host.restart("SIGINT");
  await expect(stage.deployment("Vpc", "second", { __adopt: first.id }).preview(vpc)).rejects.toThrow(
    `${first.id} is already managed by "first" of another provider in this stack (${first.urn})`,
  );
  const refused = expect(stage.deployment("RegistryInstance", "two").preview(registry)).rejects;
  await refused.toThrow(
    /registryName: acme-images is already used by tcr-[0-9a-f]{8}, which "first" of another provider in this stack manages\.\n  - To keep both, change registryName of one of them\.\n  - To replace it with this one, remove it and run `pulumi up` first\.$/,
  );
});

const subnetId = new Reference("Subnet nodes", "subnetId");
const clusterId = new Reference("Cluster platform", "clusterId");
const nodes: Declaration = { type: "Subnet", name: "nodes", args: { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/20" } };
const network = [net, nodes];

function part(of: unknown, name = "part", third = 1): Declaration {
  return { type: "Subnet", name, args: { vpcId: of, zone: "eu-frankfurt-1", cidrBlock: `10.0.${third}.0/24` } };
}

function platform(deletionProtection: boolean): Declaration {
  return { type: "Cluster", name: "platform", args: { vpcId, subnetId, clusterCidr: "172.16.0.0/16", deletionProtection } };
}

function guarded(deletionProtection: boolean): Declaration {
  return { type: "RegistryInstance", name: "images", args: { registryName: "protected-images", deletionProtection, deleteBucket: true } };
}

function pool(name: string, more = {}): Declaration {
  return { type: "NodePool", name, args: { clusterId, native: { ...oneNode(subnetId), ...more } } };
}

const auditor: Declaration = {
  type: "UserPermission",
  name: "auditor",
  args: { targetUin: "100000000003", clusterId, roleName: "svc:ro", roleType: "cluster" },
};
const team: Declaration = { type: "Namespace", name: "team", args: { registryId, namespaceName: "team", isPublic: false } };

test("the preview names what leaves with what still names it, unless that stays, is retained, or is imported under another name", async () => {
  await using runs = await wholeRuns();
  await runs.up([net, part(vpcId)]);
  const { id } = await runs.entry("Vpc net");
  const literal = part(id);
  await runs.up([net, literal]);
  const warnings = async (...program: Declaration[]) => (await runs.preview(program)).warnings;
  expect(await warnings(literal)).toEqual([
    `Vpc "net" (${id}) was removed from the program, but "part" (vpcId) still uses its ID. \`pulumi up\` deletes it last: the API may reject that, or "part" (vpcId) stops working. [Provider.StaleReference]\n  - Keep Vpc "net" in the program.\n  - Or change or remove the references to ${id}.`,
  ]);
  expect(await warnings(net, literal)).toEqual([]);
  // What --target leaves out is in the program, if what is new takes an output of it.
  expect(await warnings(part(vpcId, "more", 2))).toEqual([]);
  expect(await warnings(literal, { ...net, name: "other", import: id })).toEqual([]);
  await runs.up([{ ...net, retain: true }, literal]);
  expect(await warnings(literal)).toEqual([]);
});

test("what of this stack the run has not come to blocks a deletion, and is named with what --target does", async () => {
  await using runs = await wholeRuns();
  await runs.up([net, part(vpcId)]);
  const { warnings, failure } = await runs.delete("Vpc net");
  const says =
    /Subnet "part" \(subnet-\w+\) of this stack still uses it and is not deleted yet\.\n  - If --target excludes it, run without --target\.\n  - If it belongs to another provider, put this resource back, remove it and run `pulumi up`, then remove this resource\./;
  expect(warnings).toEqual([
    expect.stringMatching(
      new RegExp(`${says.source.replace("yet\\.", "yet\\. \\[Provider\\.InUse\\]")}\\nThis deletion fails in \\d s if nothing changes$`),
    ),
  ]);
  expect(failure).toMatch(says);
  // Beside it, what nobody manages is given up no earlier.
  await runs.up([net, part(vpcId), { ...part(vpcId, "kept", 2), retain: true }]);
  await runs.up([net, part(vpcId)]);
  expect((await runs.delete("Vpc net")).warnings).toEqual([expect.stringMatching(/kept-[^]+ fails in 3 s if nothing changes$/)]);
});

const group = (name: string, securityGroupId?: unknown): Declaration => ({
  type: "SecurityGroup",
  name,
  args: { ingress: securityGroupId === undefined ? [] : [{ protocol: "TCP", port: "443", action: "ACCEPT", securityGroupId }] },
});

test("what uses a resource that depends on it ends the deletion early: waiting would not help", async () => {
  await using runs = await wholeRuns();
  const apart = [group("a"), group("b", new Reference("SecurityGroup a", "securityGroupId"))];
  await runs.up(apart);
  await runs.up([group("a", (await runs.entry("SecurityGroup b")).id), ...apart.slice(1)]);
  const later =
    /SecurityGroup "a" \(sg-\w+\) of this stack still uses it, but this resource depends on it, so Pulumi deletes this resource first\.\n {2}- Remove the reference to this resource from SecurityGroup "a".* and run `pulumi up`, then delete both\.$/;
  for (const { failure } of [await runs.destroy(), await runs.up([])]) expect(failure).toMatch(later);
  await runs.up(apart);
  expect((await runs.destroy()).failure).toBe("");

  await runs.up([net]);
  const { id } = await runs.entry("Vpc net");
  await runs.up([
    { ...part(id), retain: true },
    { ...net, dependsOn: ["Subnet part"] },
  ]);
  const retained =
    /Subnet "part" \(subnet-\w+\) of this stack still uses it, and retainOnDelete keeps it\.\n {2}- If it is not needed, delete it on the platform\.\n {2}- Otherwise keep this resource as well: .+\.$/;
  // Without a warning about the time that is left.
  expect(await runs.destroy()).toMatchObject({ failure: expect.stringMatching(retained), warnings: [] });
});

test("what is only out of the state, as with retainOnDelete and deletedWith, blocks a deletion that is given up early", async () => {
  await using runs = await wholeRuns();
  await runs.up([net, { ...part(vpcId), retain: true }]);
  const { id } = await runs.entry("Subnet part");
  await runs.up([net]);
  const { failure } = await runs.destroy();
  expect(failure).toMatch(
    new RegExp(
      `cannot be deleted while it has subnets ${id} \\(ResourceInUse, request .+\\)\\. Subnet ${id} "\\S+" still uses it, and this stack does`,
    ),
  );
  expect(failure).toContain("Or put this resource back, import it (option import) and run `pulumi up`, then remove both");
});

test("the option deletedWith is refused, unless the platform deletes the one with the other", async () => {
  await using runs = await wholeRuns();
  const other: Declaration = { ...platform(false), name: "other", args: { vpcId, subnetId, eniSubnetIds: [subnetId] } };
  const withOption = async (one: Declaration, container: string) => {
    const option = { ...one, args: { ...one.args, __with: urnOf(container) } };
    const base = [net, nodes, platform(false), other, guarded(false), team];
    return (await runs.preview([...base.filter(({ type, name }) => type !== one.type || name !== one.name), option])).failure;
  };
  const token: Declaration = { type: "Token", name: "ci", args: { registryId, tokenType: "longterm", desc: "" } };
  expect(await withOption(pool("inside"), "Cluster platform")).toBe("");
  expect(await withOption(token, "RegistryInstance images")).toBe("");
  const registryOfTeam = { ...token.args, registryId: new Reference("Namespace team", "registryId") };
  expect(await withOption({ ...token, args: registryOfTeam }, "RegistryInstance images")).toBe("");
  const remedy = "on the platform. Pulumi would remove it from the state without deleting it. Remove the option [Provider.InvalidInput]";
  const apart = (container: string) => `deletedWith: deleting ${container} does not delete this resource ${remedy}`;
  expect(await withOption(range("more", "10.0.32.0/20"), "Vpc net")).toContain(apart('Vpc "net"'));
  expect(await withOption({ type: "SecurityGroup", name: "outside", args: {} }, "RegistryInstance images")).toContain(
    apart('RegistryInstance "images"'),
  );
  expect(await withOption(pool("elsewhere"), "Cluster other")).toContain(apart('Cluster "other"'));
  expect(await withOption(pool("inside"), "Platform prod")).toContain(apart('Platform "prod"'));
  expect(await withOption(team, "RegistryInstance images")).toContain(
    `deletedWith: RegistryInstance "images" is not deleted while this resource exists ${remedy}`,
  );
});

test("what is inside of a protected cluster and registry goes only while they stay in the program", async () => {
  await using runs = await wholeRuns();
  const program = (isProtected: boolean, ...pools: readonly Declaration[]) => [
    ...network,
    platform(isProtected),
    ...pools,
    guarded(isProtected),
    team,
  ];
  const workers = pool("workers");
  await runs.up(program(true, workers, pool("other"), auditor));
  const counted = async () => [await runs.rows("nodePools"), await runs.rows("namespaces")];
  for (const work of [() => runs.destroy(), () => runs.destroy({ refresh: true }), () => runs.up(network)]) {
    expect((await work()).failure).toMatch(
      /not deleted: it belongs to (Cluster cls|RegistryInstance tcr)-\w+, which has deletionProtection on\. \[Provider\.Protected\]\n.*\n  - To delete the \w+, set deletionProtection to false and run `pulumi up` first/,
    );
    expect(await counted()).toEqual([2, 1]);
  }
  for (const name of ["NodePool workers", "UserPermission auditor", "Namespace team"])
    expect((await runs.delete(name)).failure, name).toContain("which has deletionProtection on");
  expect(await counted()).toEqual([2, 1]);

  const changed = pool("workers", { machineType: "NativeCVM" });
  expect(await runs.up(program(true, changed, pool("other")))).toMatchObject({
    failure: "",
    operations: expect.arrayContaining(["delete UserPermission auditor"]),
  });
  expect(await runs.up(program(true, changed))).toMatchObject({ failure: "", operations: ["delete NodePool other"] });
  expect(await runs.up(program(true, changed), { forced: ["NodePool workers"] })).toMatchObject({ failure: "" });
  expect(await runs.up(program(true))).toMatchObject({ failure: "", operations: ["delete NodePool workers"] });
  await runs.up(program(false, changed));
  expect((await runs.destroy()).failure).toBe("");
  expect(await counted()).toEqual([0, 0]);
});
