import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { makeInstance, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Where a cluster or a pool cannot be put, for want of room or of nodes, is refused or warned of before anything of an old one is deleted. */

const stage = await sharedStage();
const { nextRun, said, saidAtEnd, warnings } = runsOf(stage);
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const own = await makeSubnet(stage, vpcId, "10.0.0.0/24");
const small = await makeSubnet(stage, vpcId, "10.0.1.0/29");
const narrow = await makeSubnet(stage, vpcId, "10.0.2.0/28");
const large = await makeSubnet(stage, vpcId, "10.0.16.0/20");
const third = await makeSubnet(stage, vpcId, "10.0.4.0/24", 3);
const foreignVpc = await makeVpc(stage, "10.1.0.0/16");
const foreign = await makeSubnet(stage, foreignVpc, "10.1.0.0/24");
type Sources = Readonly<Record<string, string>>;
const tooSmall = "has 5 free IP addresses, and a Cluster needs at least 10. Use another or a larger subnet";
const base = { vpcId, subnetId: own, clusterCidr: "172.16.0.0/16" };

test("a cluster moves to no subnet of another VPC, and to none that is too small", async () => {
  await using one = await stage.deployed("Cluster", base, "example");
  await nextRun();
  const elsewhere = `${foreign} is in ${foreignVpc}. Use a subnet of ${vpcId}`;
  await expect(one.preview({ ...base, subnetId: foreign })).rejects.toThrow(`subnetId: ${elsewhere}`);
  await expect(one.preview({ ...base, subnetId: small })).rejects.toThrow(`subnetId: ${small} ${tooSmall}`);
  expect(await said("Cluster", { vpcId, subnetId: own, eniSubnetIds: [own, foreign] })).toContain(`eniSubnetIds[1]: ${elsewhere}`);
  expect(await said("NodePool", { clusterId: one.id, native: oneNode(foreign) })).toContain(`native.subnetIds[0]: ${elsewhere}`);
});

test("a cluster that somebody has protected is not replaced, and the preview says what to do", async () => {
  const other = { ...base, clusterCidr: "172.17.0.0/16" };
  await using one = await stage.deployed("Cluster", base, "example");
  await stage.cloud.call(cluster.enableClusterDeletionProtection, { clusterId: one.id });
  await nextRun();
  await expect(one.preview(other)).rejects.toThrow(
    `cannot replace Cluster ${one.id}: its deletionProtection is on. Set it to false and run \`pulumi up\` without this change first (\`pulumi up --refresh\`, if it was turned on outside Pulumi)`,
  );
  await nextRun();
  await one.refresh();
  await one.up(base);
  expect(await one.preview(other)).toBe("replace");
});

test("of what is not made yet, the program tells where it is, and how large", async () => {
  await nextRun();
  /** The resources that inputs have their values from, by path: `Vpc a`. */
  const of = (sources: Sources) => ({
    __of: Object.fromEntries(
      Object.entries(sources).map(([path, source]) => {
        const [type = "", name = ""] = source.split(" ");
        return [path, urnOf(type, name)];
      }),
    ),
  });
  const zone = "eu-frankfurt-1";
  const subnet = (name: string, vpc: string, cidrBlock: string, inZone = zone) =>
    said("Subnet", { vpcId: unknown, zone: inZone, cidrBlock }, of({ vpcId: `Vpc ${vpc}` }), name);
  for (const [name, range] of Object.entries({ a: "10.8", b: "10.9" })) {
    await said("Vpc", { cidrBlock: `${range}.0.0/16` }, {}, name);
    await subnet(`in-${name}`, name, `${range}.0.0/20`);
  }
  await subnet("small", "a", "10.8.32.0/29");
  await subnet("third", "a", "10.8.48.0/20", "eu-frankfurt-3");

  const gr = { vpcId: unknown, subnetId: unknown, clusterCidr: "172.16.0.0/16" };
  const pods = { vpcId: unknown, subnetId: unknown, eniSubnetIds: [unknown] };
  const dual = { ...pods, networkType: "VPC-CNI", isDualStack: true };
  const inA = { vpcId: "Vpc a", subnetId: "Subnet in-a" };
  const link = { registryName: "acme-images", internalAccess: [{ vpcId: unknown, subnetId: unknown }] };
  const apart = { "internalAccess.0.vpcId": "Vpc a", "internalAccess.0.subnetId": "Subnet in-b" };
  const access = { clusterId: unknown, isExtranet: false, subnetId: unknown };
  const pool = (native: Props = {}) => ({ clusterId: unknown, native: { ...oneNode(unknown), ...native } });
  const poolIn = (...subnets: readonly string[]) => ({
    clusterId: "Cluster one",
    ...Object.fromEntries(subnets.map((name, index) => [`native.subnetIds.${index}`, `Subnet ${name}`])),
  });
  const inB = '"in-b" is in "b". Use a subnet of "a"';
  const soldOut = { instanceTypes: ["SA2.MEDIUM4"] };
  const lacks =
    'native.instanceTypes: "SA2.MEDIUM4" cannot be had in eu-frankfurt-3, but in eu-frankfurt-1 and eu-frankfurt-2; eu-frankfurt-3 takes types such as';
  const disk = { dataDisks: [{ diskType: "CLOUD_TSSD", diskSize: 50 }] };
  const previews: readonly (readonly [type: string, sources: Sources, args: Props, says: string])[] = [
    ["Cluster", { ...inA, subnetId: "Subnet in-b" }, gr, `subnetId: ${inB}`],
    ["Cluster", { ...inA, subnetId: "Subnet small" }, gr, `subnetId: "small" ${tooSmall}`],
    ["Cluster", { ...inA, "eniSubnetIds.0": "Subnet in-b" }, pods, `eniSubnetIds[0]: ${inB}`],
    [
      "Cluster",
      { ...inA, "eniSubnetIds.0": "Subnet in-a" },
      dual,
      'eniSubnetIds[0]: "in-a" has no IPv6 CIDR block, and isDualStack needs one: set its ipv6SubnetCidrBlock',
    ],
    ["Cluster", inA, gr, "create"],
    ["NodePool", poolIn("in-b"), pool(), `native.subnetIds[0]: ${inB}`],
    ["NodePool", poolIn("in-a"), pool(soldOut), "create"],
    ["NodePool", poolIn("third"), pool(soldOut), lacks],
    ["NodePool", {}, pool({ ...soldOut, subnetIds: [third] }), lacks],
    ["NodePool", poolIn("in-a", "third"), pool({ ...soldOut, subnetIds: [unknown, unknown] }), lacks],
    ["NodePool", { ...poolIn(), "native.subnetIds": "Subnet third" }, pool({ ...soldOut, subnetIds: unknown }), lacks],
    ["NodePool", poolIn("in-a"), pool(disk), "create"],
    [
      "NodePool",
      poolIn("third"),
      pool(disk),
      'native.dataDisks[0].diskType: is "CLOUD_TSSD", which eu-frankfurt-3 does not have as a DATA_DISK',
    ],
    // A subnet of somebody else's resource can be in any zone.
    ["NodePool", poolIn("elsewhere"), pool(soldOut), "create"],
    ["ClusterEndpoint", { clusterId: "Cluster one", subnetId: "Subnet in-b" }, access, `subnetId: ${inB}`],
    ["RegistryInstance", apart, link, `internalAccess[0].subnetId: ${inB}`],
  ];
  for (const [type, sources, args, says] of previews)
    expect(await said(type, args, of(sources), "one"), JSON.stringify(sources)).toContain(says);
  await nextRun();
});

const gr = (subnetId: string, index: number) => ({ vpcId, subnetId, clusterCidr: `172.${index + 16}.0.0/20` });

test("the third cluster of one small subnet is refused, whether that is there or still to be made", async () => {
  await nextRun();
  const preview = (name: string, args: Props, of: Props = {}) => said("Cluster", args, { __of: of }, name);
  expect(await preview("a", gr(narrow, 1))).toBe("create");
  expect(await preview("b", gr(narrow, 2))).toBe("create");
  expect(await preview("elsewhere", gr(large, 3))).toBe("create");
  expect(await preview("c", gr(narrow, 4))).toBe(
    `subnetId: ${narrow} has 13 free IP addresses. "a" and "b" of this program use 4, and a Cluster needs at least 10. Use another or a larger subnet`,
  );
  await nextRun();
  const of = { subnetId: urnOf("Subnet", "new") };
  await said("Subnet", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.3.0/28" }, {}, "new");
  for (const [index, name] of ["a", "b"].entries()) await preview(name, { ...gr(narrow, index), subnetId: unknown }, of);
  expect(await preview("c", { ...gr(narrow, 4), subnetId: unknown }, of)).toContain('subnetId: "new" has 13 free IP addresses');
});

test("what is made already counts once, and what is there takes no more", async () => {
  await nextRun();
  await using a = await stage.deployed("Cluster", gr(narrow, 1), "a");
  await using b = await stage.deployed("Cluster", gr(narrow, 2), "b");
  expect(await said("Cluster", gr(narrow, 3), {}, "c")).toContain(`${narrow} has 9 free IP addresses, and a Cluster needs at least 10`);
  await nextRun();
  expect(await a.preview(gr(narrow, 1))).toBe("nothing");
  expect(await b.preview({ ...gr(narrow, 2), clusterDescription: "other" })).toBe("update");
});

test("more clusters than a region takes by default are warned of, because no operation tells an account's quota", async () => {
  await nextRun();
  const make = async (clusterCidr: string) =>
    (
      await stage.cloud.call(cluster.createCluster, {
        vpcId,
        subnetId: large,
        clusterCidrSettings: { clusterCidr, ignoreClusterCidrConflict: true },
      })
    ).clusterId;
  for (let index = 0; index < 19; index++)
    await stage.before(
      () => make(`172.${index + 5}.0.0/20`),
      (clusterId) => stage.cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" }),
    );
  expect(await said("Cluster", { ...gr(large, 1), clusterCidr: "192.168.0.0/20" }, {}, "a")).toBe("create");
  expect(warnings()).toEqual([]);
  expect(await said("Cluster", { ...gr(large, 1), clusterCidr: "192.168.16.0/20" }, {}, "b")).toBe("create");
  await expect
    .poll(warnings)
    .toEqual([
      "with this program, eu-frankfurt would have more than 20 Clusters, the default quota. Unless your account has a higher one, the API rejects the last with LimitExceeded. Delete unused Clusters, or request a higher quota",
    ]);
  await stage.undoLast(19);
});

const machine = await makeInstance(stage, vpcId, large);
const asked = { vpcId, subnetId: large, networkType: "GR", clusterCidr: "172.16.0.0/16" };
const inCluster = { __of: { clusterId: urnOf("Cluster", "platform") } };
const endpoint = stage.deployment("ClusterEndpoint", "access", inCluster);
const pool = (name = "workers", options: Props = inCluster) => stage.deployment("NodePool", name, options);
const access = { clusterId: unknown, isExtranet: false, subnetId: large };
const both = async (args: Props = asked) => [await stage.deployment("Cluster", "platform").preview(args), await endpoint.preview(access)];
const workers = (native: Props) => ({ clusterId: unknown, native: { ...oneNode(large), ...native } });

/** What an endpoint needs, as a preview says it when it ends. A new cluster has the nodes of its program alone. */
async function lacking(preview: () => Promise<unknown>): Promise<readonly string[]> {
  await nextRun();
  await preview();
  return saidAtEnd();
}

const warning =
  'cannot create ClusterEndpoint "access": it needs a running node, and the new Cluster "platform" gets none. Add a NodePool with at least one node to the cluster, and name it in nodePoolIds, so that it is created first';

test("a new cluster without a pool, or with an empty one", async () => {
  expect(await lacking(both)).toEqual([warning]);
  expect(await lacking(async () => [await both(), await pool().preview(workers({ replicas: 0 }))])).toEqual([warning]);
  const scaling = { minReplicas: 0, maxReplicas: 3 };
  expect(await lacking(async () => [await both(), await pool().preview(workers({ replicas: undefined, scaling }))])).toEqual([warning]);
});

test("nothing is said where nodes come, or may come", async () => {
  expect(await lacking(async () => [await both(), await pool().preview(workers({}))])).toEqual([]);
  expect(await lacking(async () => [await both(), await pool().preview(workers({ replicas: unknown }))])).toEqual([]);
  // Of which cluster it is, is not known.
  expect(await lacking(async () => [await both(), await pool("loose", {}).preview(workers({}))])).toEqual([]);
  expect(await lacking(() => both({ ...asked, existingInstances: [{ instanceIds: [machine] }] }))).toEqual([]);
  expect(await lacking(() => stage.deployment("Cluster", "platform").preview(asked))).toEqual([]);
});

test("a cluster that is there may have nodes of others; one that is made anew has none of them", async () => {
  await using cluster = await stage.deployed("Cluster", asked, "platform");
  const there = async () => [await cluster.preview(asked), await endpoint.preview({ ...access, clusterId: cluster.id })];
  expect(await lacking(there)).toEqual([]);
  const anew = { ...asked, clusterCidr: "172.17.0.0/16" };
  expect(await lacking(async () => [await cluster.preview(anew), await endpoint.preview(access)])).toEqual([warning]);
});
