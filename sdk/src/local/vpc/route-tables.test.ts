import { expect, test } from "vitest";
import {
  createSubnet,
  createVpc,
  deleteSubnet,
  describeRouteTables,
  describeSubnets,
  replaceRouteTableAssociation,
} from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { putRouteTable } from "../out-of-band.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";

const region = "eu-frankfurt";

async function start() {
  const world = World.open(":memory:", { pace: "instant", seed: "routes" });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const input = { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/24", zone: `${region}-1` };
  const { subnet } = await cloud.call(createSubnet, input);
  return { world, cloud, vpcId, subnet };
}

test("a subnet uses its VPC's main route table until it is associated with another", async () => {
  const { world, cloud, vpcId, subnet } = await start();
  const tables = async () => (await cloud.call(describeRouteTables, { filters: [{ name: "vpc-id", values: [vpcId] }] })).routeTableSet;
  const { subnetId, routeTableId: main = "" } = subnet;
  expect(main).toMatch(/^rtb-/);
  expect(await tables()).toMatchObject([{ routeTableId: main, main: true, associationSet: [{ subnetId, routeTableId: main }] }]);

  const own = await putRouteTable(world, { region, vpcId, name: "own" });
  await cloud.call(replaceRouteTableAssociation, { routeTableId: own, subnetId });
  expect((await cloud.call(describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.routeTableId).toBe(own);
  expect(await tables()).toMatchObject([
    { main: true, associationSet: [] },
    { routeTableId: own, routeTableName: "own", main: false, associationSet: [{ subnetId }] },
  ]);
  await cloud.call(replaceRouteTableAssociation, { routeTableId: main, subnetId });
  await cloud.call(deleteSubnet, { subnetId });
  expect(await tables()).toMatchObject([{ associationSet: [] }, { associationSet: [] }]);
});

test("a route table of another VPC is refused", async () => {
  const { cloud, subnet } = await start();
  const { vpc } = await cloud.call(createVpc, { vpcName: "b", cidrBlock: "10.1.0.0/16" });
  const filters = [
    { name: "vpc-id", values: [vpc.vpcId] },
    { name: "association.main", values: ["true"] },
  ];
  const [foreign] = (await cloud.call(describeRouteTables, { filters })).routeTableSet;
  const { subnetId } = subnet;
  const replace = (routeTableId = "rtb-00000000", id = subnetId) =>
    cloud.call(replaceRouteTableAssociation, { routeTableId, subnetId: id });
  await expect(replace(foreign?.routeTableId)).rejects.toMatchObject({ code: "UnsupportedOperation.VpcMismatch" });
  await expect(replace()).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(replace(foreign?.routeTableId, "subnet-00000000")).rejects.toMatchObject({ code: "ResourceNotFound" });
});
