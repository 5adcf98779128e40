import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Where a cluster or a pool cannot be put is refused before anything of an old one is deleted. */

const stage = await sharedStage();
const { nextRun, said } = runsOf(stage);
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const own = await makeSubnet(stage, vpcId, "10.0.0.0/24");
const small = await makeSubnet(stage, vpcId, "10.0.1.0/29");
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
