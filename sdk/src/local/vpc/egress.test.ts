import { expect, test } from "vitest";
import * as vpc from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import type { TimeScale } from "../time.ts";
import { refused, stage } from "../stage.fixture.ts";

/** A VPC with elastic IPs, and a NAT gateway with the first of them. */
async function start(addressCount = 2, timeScale: TimeScale = "instant") {
  const at = stage("egress", timeScale);
  at.world.freeze(Date.UTC(2026, 0, 31, 12));
  const { cloud } = at;
  const { vpcId } = await at.vpc();
  const allocate = async (asked: object = {}) => (await cloud.call(vpc.allocateAddresses, asked)).addressSet;
  const ids = await allocate({ addressCount });
  at.world.advance(1000);
  const addressIp = async (id = "") => (await cloud.call(vpc.describeAddresses, { addressIds: [id] })).addressSet[0]?.addressIp ?? "";
  const ips = await Promise.all(ids.map(addressIp));
  const [first = "", second = ""] = ips;
  const create = async (publicIpAddresses = [first], asked: object = {}) =>
    (await cloud.call(vpc.createNatGateway, { natGatewayName: "g", vpcId, publicIpAddresses, ...asked })).natGatewaySet[0]?.natGatewayId ??
    "";
  const gateway = async (id: string) => (await cloud.call(vpc.describeNatGateways, { natGatewayIds: [id] })).natGatewaySet[0];
  const address = async (id = "") => (await cloud.call(vpc.describeAddresses, { addressIds: [id] })).addressSet[0];
  const table = async () => (await cloud.call(vpc.createRouteTable, { vpcId, routeTableName: "t" })).routeTable.routeTableId;
  const routes = async (id: string) => (await cloud.call(vpc.describeRouteTables, { routeTableIds: [id] })).routeTableSet[0]?.routeSet;
  return { ...at, vpcId, ids, ips, first, second, allocate, addressIp, create, gateway, address, table, routes };
}

test("a gateway and its address pass through their states, and the routes to a gateway go with it", async () => {
  const at = await start(2, "fast");
  const { world, cloud, ids, first, second } = at;
  const [id, other] = ids;
  const state = async (gateway: string) => [(await at.gateway(gateway))?.state, (await at.address(id))?.addressStatus];
  const natGatewayId = await at.create();
  expect(await state(natGatewayId)).toEqual(["PENDING", "BINDING"]);
  await refused(cloud.call(vpc.deleteNatGateway, { natGatewayId }), "UnsupportedOperation.MutexOperationTaskRunning");
  await refused(
    cloud.call(vpc.associateNatGatewayAddress, { natGatewayId, publicIpAddresses: [second] }),
    "UnsupportedOperation.InvalidState",
  );
  await refused(
    cloud.call(vpc.resetNatGatewayConnection, { natGatewayId, maxConcurrentConnection: 3_000_000 }),
    "UnsupportedOperation.NatGatewayIsBusy",
  );
  world.advance(1000);
  expect(await state(natGatewayId)).toEqual(["AVAILABLE", "BIND"]);
  await cloud.call(vpc.associateNatGatewayAddress, { natGatewayId, publicIpAddresses: [second] });
  expect((await at.gateway(natGatewayId))?.state).toBe("UPDATING");
  world.advance(500);
  expect((await at.gateway(natGatewayId))?.publicIpAddressSet).toMatchObject([{ publicIpAddress: first }, { publicIpAddress: second }]);
  await cloud.call(vpc.disassociateNatGatewayAddress, { natGatewayId, publicIpAddresses: [first] });
  world.advance(500);
  expect(await at.address(id)).toMatchObject({ addressStatus: "UNBIND", instanceId: "" });
  const routeTableId = await at.table();
  const routes = [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT" as const, gatewayId: natGatewayId }];
  await cloud.call(vpc.createRoutes, { routeTableId, routes });
  await refused(cloud.call(vpc.deleteVpc, { vpcId: at.vpcId }), "ResourceInUse", { reason: expect.stringContaining(natGatewayId) });
  await cloud.call(vpc.deleteNatGateway, { natGatewayId });
  expect((await at.gateway(natGatewayId))?.state).toBe("DELETING");
  expect(await at.address(other)).toMatchObject({ addressStatus: "UNBINDING", instanceId: natGatewayId });
  expect(await at.routes(routeTableId)).toEqual([]);
  await refused(cloud.call(vpc.releaseAddresses, { addressIds: [other ?? ""] }), "UnsupportedOperation.AddressStatusNotPermit");
  world.advance(1000);
  await refused(cloud.call(vpc.describeNatGateways, { natGatewayIds: [natGatewayId] }), "ResourceNotFound");
  await cloud.call(vpc.releaseAddresses, { addressIds: [...ids] });
  expect((await at.address(id))?.addressStatus).toBe("OFFLINING");
  world.advance(300);
  expect(await at.address(id)).toBeUndefined();
});

test("a call with the token of an earlier one allocates nothing", async () => {
  const { allocate } = await start(1);
  const once = await allocate({ clientToken: "one" });
  expect(await allocate({ clientToken: "one" })).toEqual(once);
  expect(await allocate({ clientToken: "two" })).not.toEqual(once);
  await refused(allocate({ clientToken: "" }), "InvalidParameterValue.Malformed");
});

test("a lost answer with a token is asked for again", async () => {
  const { transport } = stage("lost");
  const cloud = new Cloud({ transport, region: "eu-frankfurt", retries: { attempts: 2, pause: 0, longest: 0 } });
  transport.faults.add({ operation: { action: "AllocateAddresses" }, when: "after" });
  const { addressSet } = await cloud.call(vpc.allocateAddresses, { clientToken: "one" });
  expect((await cloud.all(vpc.describeAddresses, {})).map(({ addressId }) => addressId)).toEqual(addressSet);
});

test("the billing of an address changes twice, between traffic and prepaid", async () => {
  const { cloud, ids, allocate, create } = await start();
  const [id = "", bound = ""] = [ids[1], ids[0]];
  const prepaid = { internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH", addressChargePrepaid: { period: 1 } } as const;
  const change = (to: object = prepaid, addressId = id) =>
    cloud.call(vpc.modifyAddressInternetChargeType, {
      addressId,
      internetChargeType: "TRAFFIC_POSTPAID_BY_HOUR",
      internetMaxBandwidthOut: 1,
      ...to,
    });
  await create();
  await refused(change(prepaid, bound), "UnsupportedOperation.NatNotSupported");
  await refused(change({}), "InvalidParameterValue.InternetChargeTypeNotChanged");
  await refused(change({ internetChargeType: "BANDWIDTH_POSTPAID_BY_HOUR" }), "InvalidParameterValue.Combination");
  await change();
  expect((await cloud.call(vpc.describeAddresses, { addressIds: [id] })).addressSet).toMatchObject([
    { internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH", renewFlag: "NOTIFY_AND_MANUAL_RENEW" },
  ]);
  await change({});
  await refused(change(), "LimitExceeded.ModifyAddressInternetChargeTypeQuota");
  for (const [asked, code] of [
    [{ addressCount: 19 }, "AddressQuotaLimitExceeded"],
    [{ addressCount: 0 }, "InvalidParameterValue.Range"],
    [{ internetMaxBandwidthOut: 101 }, "InvalidParameterValue.BandwidthOutOfRange"],
    [{ internetChargeType: "BANDWIDTH_PREPAID_BY_MONTH" }, "InvalidParameterValue.Combination"],
    [{ internetChargeType: "BANDWIDTH_PACKAGE" }, "UnsupportedOperation.BandwidthPackageIdNotSupported"],
    [{ addressName: "a b" }, "InvalidParameterValue.Malformed"],
  ] as const)
    await refused(allocate(asked), code);
});

test("a gateway refuses what it cannot take", async () => {
  const at = await start(12);
  const { cloud, ips, first, second, create, allocate, addressIp } = at;
  const natGatewayId = await create();
  const of = async (asked: object) => [await addressIp((await allocate(asked))[0])];
  await refused(create(), "ResourceInUse.Address");
  await refused(create(["192.0.2.9"]), "UnsupportedOperation.PublicIpAddressIsNotExisted");
  await refused(create(await of({ internetServiceProvider: "CMCC" })), "UnsupportedOperation.PublicIpAddressIsNotBGPIp");
  await refused(
    create(await of({ internetChargeType: "BANDWIDTH_POSTPAID_BY_HOUR" })),
    "UnsupportedOperation.PublicIpAddressNotBilledByTraffic",
  );
  await refused(create(ips.slice(1)), "LimitExceeded.PublicIpAddressPerNatGatewayLimitExceeded");
  await refused(create([]), "MissingParameter");
  await refused(create([second], { vpcId: "vpc-00000000" }), "ResourceNotFound");
  await refused(create([second], { zone: "eu-frankfurt-4" }), "UnsupportedOperation.NotSupportZone");
  await refused(create([second], { internetMaxBandwidthOut: 7 }), "InvalidParameterValue.Range");
  const disassociate = (...publicIpAddresses: string[]) =>
    cloud.call(vpc.disassociateNatGatewayAddress, { natGatewayId, publicIpAddresses });
  await refused(disassociate(first), "UnsupportedOperation.PublicIpAddressDisassociate");
  await refused(disassociate(second), "UnsupportedOperation.PublicIpAddressIsNotExisted");
  await create([second]);
  await create(ips.slice(2, 3));
  await refused(create(ips.slice(3, 4)), "LimitExceeded.NatGatewayPerVpcLimitExceeded");
});

test("a failed gateway has its state", async () => {
  const at = await start();
  at.transport.faults.add({ resourceType: "natGateway", endState: "PENDFAILURE", reason: "no capacity" });
  expect((await at.gateway(await at.create()))?.state).toBe("PENDFAILURE");
});

test("routes lead to what is there, once a destination, and only those of users are changed", async () => {
  const at = await start();
  const { cloud, world, vpcId } = at;
  const routeTableId = await at.table();
  const add = (route: object) =>
    cloud.call(vpc.createRoutes, {
      routeTableId,
      routes: [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "EIP", gatewayId: "0", ...route }],
    });
  for (const [route, code] of [
    [{ gatewayType: "NAT", gatewayId: "nat-00000000" }, "InvalidParameterValue.RouteNextHopInvalid"],
    [{ gatewayType: "CVM", gatewayId: "ins-00000000" }, "InvalidParameterValue.RouteNextHopInvalid"],
    [{ gatewayType: "VPN", gatewayId: "vpngw-00000000" }, "InvalidParameterValue.RouteNextHopInvalid"],
    [{ gatewayType: "NORMAL_CVM", gatewayId: "here" }, "InvalidParameterValue.RouteNextHopInvalid"],
    [
      { gatewayType: "NORMAL_CVM", gatewayId: "192.0.2.7", destinationCidrBlock: "192.0.2.0/24" },
      "InvalidParameterValue.RouteNextHopInvalid",
    ],
    [
      { gatewayType: "NAT", gatewayId: await at.create(), destinationCidrBlock: "", destinationIpv6CidrBlock: "::/0" },
      "InvalidParameterValue.RouteNextHopInvalid",
    ],
    [{ destinationCidrBlock: "10.0.1.0/24" }, "InvalidParameterValue.VpcCidrConflict"],
    [{ destinationIpv6CidrBlock: "::/0" }, "InvalidParameterValue.Malformed"],
    [{ destinationCidrBlock: "ten" }, "InvalidParameterValue.Malformed"],
  ] as const)
    await refused(add(route), code);
  await add({});
  await refused(add({}), "InvalidParameterValue.Duplicate");
  const ipv6 = {
    destinationCidrBlock: undefined,
    destinationIpv6CidrBlock: "2001:db8::/32",
    gatewayType: "NORMAL_CVM",
    gatewayId: "2001:db9::1",
  };
  await add(ipv6);
  const [route, second] = (await at.routes(routeTableId)) ?? [];
  expect(second).toMatchObject({ routeId: 0, routeType: "USER", destinationIpv6CidrBlock: "2001:db8::/32" });
  const named = { routeItemId: route?.routeItemId, gatewayId: "0", gatewayType: "EIP" as const };
  await cloud.call(vpc.replaceRoutes, {
    routeTableId,
    routes: [{ ...named, destinationCidrBlock: "192.0.2.0/24", routeDescription: "d" }],
  });
  expect((await at.routes(routeTableId))?.[0]).toMatchObject({ ...named, destinationCidrBlock: "192.0.2.0/24", routeDescription: "d" });
  const remove = (routeItemId = "") => cloud.call(vpc.deleteRoutes, { routeTableId, routes: [{ routeItemId }] });
  await remove(route?.routeItemId);
  await refused(remove(route?.routeItemId), "UnsupportedOperation.RecordNotExists");
  world.prepare(`UPDATE routeTables SET data = json_set(data, '$.routes[0].type', 'CCN') WHERE id = ?`).run(routeTableId);
  await refused(remove(second?.routeItemId), "UnsupportedOperation.SystemRoute");
  const { subnetId, routeTableId: main = "" } = await at.subnet(vpcId);
  await cloud.call(vpc.replaceRouteTableAssociation, { subnetId, routeTableId });
  await refused(cloud.call(vpc.deleteRouteTable, { routeTableId }), "UnsupportedOperation.DelRouteWithSubnet");
  await refused(cloud.call(vpc.deleteRouteTable, { routeTableId: main }), "UnsupportedOperation.DelDefaultRoute");
  for (let count = 2; count < 10; count++) await at.table();
  await refused(at.table(), "LimitExceeded");
  const many = Array.from({ length: 51 }, (_, index) => ({
    destinationCidrBlock: `192.0.2.${index}/32`,
    gatewayType: "EIP" as const,
    gatewayId: "0",
  }));
  await refused(cloud.call(vpc.createRoutes, { routeTableId: main, routes: many }), "LimitExceeded");
});
