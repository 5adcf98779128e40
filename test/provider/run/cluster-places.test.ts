import * as cluster from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** Where a cluster or a pool cannot be put is refused before anything of an old one is deleted. */

const stage = await sharedStage();
const vpcId = await makeVpc(stage, "10.0.0.0/16");
const own = await makeSubnet(stage, vpcId, "10.0.0.0/24");
const small = await makeSubnet(stage, vpcId, "10.0.1.0/29");
const foreignVpc = await makeVpc(stage, "10.1.0.0/16");
const foreign = await makeSubnet(stage, foreignVpc, "10.1.0.0/24");

test("a cluster moves to no subnet of another VPC, and to none that is too small", async () => {
  const base = { vpcId, subnetId: own, clusterCidr: "172.16.0.0/16" };
  await using one = stage.deployment("Cluster", "example");
  await one.up(base);
  await stage.host.restart("SIGINT");
  await expect(one.preview({ ...base, subnetId: foreign })).rejects.toThrow(
    `subnetId: ${foreign} is in ${foreignVpc}: it takes a subnet of ${vpcId}`,
  );
  await expect(one.preview({ ...base, subnetId: small })).rejects.toThrow(
    `subnetId: ${small} has 5 free addresses: a cluster needs 10 or more`,
  );
  const pods = { vpcId, subnetId: own, eniSubnetIds: [own, foreign] };
  await expect(stage.deployment("Cluster", "pods").preview(pods)).rejects.toThrow(`eniSubnetIds: ${foreign} is in ${foreignVpc}`);
  const native = {
    instanceTypes: ["SA5.MEDIUM4"],
    subnetIds: [foreign],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    scaling: { minReplicas: 1, maxReplicas: 1 },
  };
  await expect(stage.deployment("NodePool", "pool").preview({ clusterId: one.id, native })).rejects.toThrow(
    `native.subnetIds: ${foreign} is in ${foreignVpc}: it takes a subnet of ${vpcId}`,
  );
});

test("a cluster that somebody has protected is not replaced, and the preview says what to do", async () => {
  const base = { vpcId, subnetId: own, clusterCidr: "172.16.0.0/16" };
  const other = { ...base, clusterCidr: "172.17.0.0/16" };
  await using one = stage.deployment("Cluster", "example");
  await one.up(base);
  await stage.cloud.call(cluster.enableClusterDeletionProtection, { clusterId: one.id });
  await stage.host.restart("SIGINT");
  await expect(one.preview(other)).rejects.toThrow(
    `a new Cluster is to be made in place of ${one.id}, but deletionProtection of ${one.id} is on: set it to false and run \`pulumi up\` first (\`pulumi up --refresh\`, if it was switched on elsewhere), without this change`,
  );
  await stage.host.restart("SIGINT");
  await one.refresh();
  await one.up(base);
  expect(await one.preview(other)).toBe("replace");
});

test("of what is not made yet, the program tells where it is, and how large", async () => {
  await stage.host.restart("SIGINT");
  const urnOf = (type: string, name: string) => `urn:pulumi:test::laws::pulumi-nodejs:dynamic/container-platform:${type}::${name}`;
  const told = (type: string, name: string, of: Readonly<Record<string, string>>, args: Props) => {
    const urns = Object.entries(of).map(([path, called]) => {
      const [kind = "", other = ""] = called.split(" ");
      return [path, urnOf(kind, other)];
    });
    return stage.deployment(type, name, { __of: Object.fromEntries(urns) }).preview(args);
  };
  const zone = "eu-frankfurt-1";
  for (const [name, range] of [
    ["a", "10.8"],
    ["b", "10.9"],
  ] as const) {
    await told("Vpc", name, {}, { cidrBlock: `${range}.0.0/16` });
    await told("Subnet", `in-${name}`, { vpcId: `Vpc ${name}` }, { vpcId: unknown, zone, cidrBlock: `${range}.0.0/20` });
  }
  await told("Subnet", "small", { vpcId: "Vpc a" }, { vpcId: unknown, zone, cidrBlock: "10.8.32.0/29" });
  const gr = { vpcId: unknown, subnetId: unknown, clusterCidr: "172.16.0.0/16" };
  await expect(told("Cluster", "one", { vpcId: "Vpc a", subnetId: "Subnet in-b" }, gr)).rejects.toThrow(
    'subnetId: "in-b" is in "b": it takes a Subnet of "a"',
  );
  await expect(told("Cluster", "one", { vpcId: "Vpc a", subnetId: "Subnet small" }, gr)).rejects.toThrow(
    'subnetId: "small" has 5 addresses: a cluster needs 10 or more',
  );
  const pods = { vpcId: unknown, subnetId: unknown, eniSubnetIds: [unknown] };
  await expect(told("Cluster", "one", { vpcId: "Vpc a", subnetId: "Subnet in-a", "eniSubnetIds.0": "Subnet in-b" }, pods)).rejects.toThrow(
    'eniSubnetIds[0]: "in-b" is in "b"',
  );
  const dual = { ...pods, networkType: "VPC-CNI", isDualStack: true };
  await expect(told("Cluster", "one", { vpcId: "Vpc a", subnetId: "Subnet in-a", "eniSubnetIds.0": "Subnet in-a" }, dual)).rejects.toThrow(
    'eniSubnetIds[0]: "in-a" has no IPv6 range: with isDualStack, it takes subnets with ipv6SubnetCidrBlock',
  );
  expect(await told("Cluster", "one", { vpcId: "Vpc a", subnetId: "Subnet in-a" }, gr)).toBe("create");
  await expect(
    told(
      "NodePool",
      "pool",
      { clusterId: "Cluster one", "native.subnetIds.0": "Subnet in-b" },
      { clusterId: unknown, native: oneNode(unknown) },
    ),
  ).rejects.toThrow('native.subnetIds[0]: "in-b" is in "b": it takes a Subnet of "a"');
  await told("Subnet", "third", { vpcId: "Vpc a" }, { vpcId: unknown, zone: "eu-frankfurt-3", cidrBlock: "10.8.48.0/20" });
  const poolIn = (subnets: Readonly<Record<string, string>>, change: Props) =>
    told(
      "NodePool",
      "pool",
      { clusterId: "Cluster one", ...subnets },
      { clusterId: unknown, native: { ...oneNode(unknown), subnetIds: Object.keys(subnets).map(() => unknown), ...change } },
    );
  const inFirst = { "native.subnetIds.0": "Subnet in-a" };
  const inThird = { "native.subnetIds.0": "Subnet third" };
  const soldOut = { instanceTypes: ["SA2.MEDIUM4"] };
  expect(await poolIn(inFirst, soldOut)).toBe("create");
  for (const whole of [inThird, { "native.subnetIds": "Subnet third" }])
    await expect(poolIn(whole, { ...soldOut, ...("native.subnetIds" in whole ? { subnetIds: unknown } : {}) })).rejects.toThrow(
      'native.instanceTypes: "SA2.MEDIUM4" cannot be had in eu-frankfurt-3, but in eu-frankfurt-1 and eu-frankfurt-2; eu-frankfurt-3 takes types such as',
    );
  await expect(poolIn({ ...inFirst, "native.subnetIds.1": "Subnet third" }, soldOut)).rejects.toThrow(
    '"SA2.MEDIUM4" cannot be had in eu-frankfurt-3',
  );
  const disk = { dataDisks: [{ diskType: "CLOUD_TSSD", diskSize: 50 }] };
  expect(await poolIn(inFirst, disk)).toBe("create");
  await expect(poolIn(inThird, disk)).rejects.toThrow(
    'native.dataDisks[0].diskType: is "CLOUD_TSSD", which eu-frankfurt-3 does not have as a DATA_DISK',
  );
  // A subnet of somebody else's resource can be in any zone.
  expect(await poolIn({ "native.subnetIds.0": "Subnet elsewhere" }, soldOut)).toBe("create");
  const access = { clusterId: unknown, isExtranet: false, subnetId: unknown };
  await expect(told("ClusterEndpoint", "access", { clusterId: "Cluster one", subnetId: "Subnet in-b" }, access)).rejects.toThrow(
    'subnetId: "in-b" is in "b": it takes a Subnet of "a"',
  );
  const link = { registryName: "acme-images", internalAccess: [{ vpcId: unknown, subnetId: unknown }] };
  const apart = { "internalAccess.0.vpcId": "Vpc a", "internalAccess.0.subnetId": "Subnet in-b" };
  await expect(told("RegistryInstance", "images", apart, link)).rejects.toThrow(
    'internalAccess[0].subnetId: "in-b" is in "b": it takes a Subnet of "a"',
  );
  await stage.host.restart("SIGINT");
});
