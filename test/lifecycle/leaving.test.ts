import { expect, test } from "vitest";
import { oneNode } from "../provider/stage/outside.ts";
import { type Declaration, Reference, urnOf } from "./program.ts";
import { wholeRuns } from "./whole-runs.ts";

/** What leaves the program or is deleted alone, although something names it or is inside of it. */

const [vpcId, subnetId] = [new Reference("Vpc net", "vpcId"), new Reference("Subnet nodes", "subnetId")];
const clusterId = new Reference("Cluster platform", "clusterId");
const registryId = new Reference("RegistryInstance images", "registryId");
const net: Declaration = { type: "Vpc", name: "net", args: { vpcName: "net", cidrBlock: "10.0.0.0/16" } };
const nodes: Declaration = { type: "Subnet", name: "nodes", args: { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/20" } };
const network = [net, nodes];

function part(of: unknown, name = "part", third = 1): Declaration {
  return { type: "Subnet", name, args: { vpcId: of, zone: "eu-frankfurt-1", cidrBlock: `10.0.${third}.0/24` } };
}

function platform(deletionProtection: boolean): Declaration {
  return { type: "Cluster", name: "platform", args: { vpcId, subnetId, clusterCidr: "172.16.0.0/16", deletionProtection } };
}

function images(deletionProtection: boolean): Declaration {
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

test("the option deletedWith is warned of, unless the one is inside of the other", async () => {
  await using runs = await wholeRuns();
  const goes = (one: Declaration, other: string): Declaration => ({ ...one, args: { ...one.args, __with: urnOf(other) } });
  const { warnings } = await runs.preview([
    net,
    goes(nodes, "Vpc net"),
    platform(false),
    { ...platform(false), name: "other", args: { vpcId, subnetId, eniSubnetIds: [subnetId] } },
    images(false),
    goes({ type: "SecurityGroup", name: "outside", args: {} }, "RegistryInstance images"),
    goes(pool("inside"), "Cluster platform"),
    goes(pool("elsewhere"), "Cluster other"),
  ]);
  const said = warnings.map(
    (one) =>
      /^deletedWith: deleting (.+) does not delete this resource on the platform\. .*Remove the option \[Provider\.Unwise\]$/.exec(
        one,
      )?.[1],
  );
  expect(said).toEqual(['Vpc "net"', 'RegistryInstance "images"', 'Cluster "other"']);
});

test("a cluster that is deleted alone: the run names what of the stack is deleted with it", async () => {
  await using runs = await wholeRuns();
  await runs.up([...network, platform(false), pool("workers"), auditor]);
  const { warnings } = await runs.delete("Cluster platform");
  expect(warnings).toEqual([
    expect.stringMatching(
      /^deleting cls-\w+ also deletes NodePool cls-\w+\/np-\w+ and UserPermission 100000000003\/cls-\w+\/\S+\. If this update shows one of them as unchanged, `pulumi up --refresh` creates it again \[Provider\.SideEffect\]$/,
    ),
  ]);
});

test("what is inside of a protected cluster and registry goes only while they stay in the program", async () => {
  await using runs = await wholeRuns();
  const program = (isProtected: boolean, ...pools: readonly Declaration[]) => [
    ...network,
    platform(isProtected),
    ...pools,
    images(isProtected),
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
  await runs.up(program(false, changed));
  expect((await runs.destroy()).failure).toBe("");
  expect(await counted()).toEqual([0, 0]);
});
