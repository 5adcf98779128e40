import { expect, test } from "vitest";
import * as vpcs from "../../catalogue/vpc.ts";
import { putRouteTable } from "../out-of-band.ts";
import { refused, region, stage } from "../stage.fixture.ts";

async function start() {
  const at = stage("routes");
  const { vpcId } = await at.vpc();
  return { ...at, vpcId, subnet: await at.subnet(vpcId) };
}

test("a subnet uses its VPC's main route table until it is associated with another", async () => {
  const { world, cloud, vpcId, subnet } = await start();
  const tables = async () => (await cloud.call(vpcs.describeRouteTables, { filters: [{ name: "vpc-id", values: [vpcId] }] })).routeTableSet;
  const { subnetId, routeTableId: main = "" } = subnet;
  expect(main).toMatch(/^rtb-/);
  expect(await tables()).toMatchObject([{ routeTableId: main, main: true, associationSet: [{ subnetId, routeTableId: main }] }]);

  const own = await putRouteTable(world, { region, vpcId, name: "own" });
  await cloud.call(vpcs.replaceRouteTableAssociation, { routeTableId: own, subnetId });
  expect((await cloud.call(vpcs.describeSubnets, { subnetIds: [subnetId] })).subnetSet[0]?.routeTableId).toBe(own);
  expect(await tables()).toMatchObject([
    { main: true, associationSet: [] },
    { routeTableId: own, routeTableName: "own", main: false, associationSet: [{ subnetId }] },
  ]);
  await cloud.call(vpcs.replaceRouteTableAssociation, { routeTableId: main, subnetId });
  await cloud.call(vpcs.deleteSubnet, { subnetId });
  expect(await tables()).toMatchObject([{ associationSet: [] }, { associationSet: [] }]);
});

test("a route table of another VPC is refused", async () => {
  const { cloud, subnet, vpc } = await start();
  const { vpcId } = await vpc("10.1.0.0/16");
  const filters = [
    { name: "vpc-id", values: [vpcId] },
    { name: "association.main", values: ["true"] },
  ];
  const [foreign] = (await cloud.call(vpcs.describeRouteTables, { filters })).routeTableSet;
  const { subnetId } = subnet;
  const replace = (routeTableId = "rtb-00000000", id = subnetId) =>
    cloud.call(vpcs.replaceRouteTableAssociation, { routeTableId, subnetId: id });
  await refused(replace(foreign?.routeTableId), "UnsupportedOperation.VpcMismatch");
  await refused(replace(), "ResourceNotFound");
  await refused(replace(foreign?.routeTableId, "subnet-00000000"), "ResourceNotFound");
});
