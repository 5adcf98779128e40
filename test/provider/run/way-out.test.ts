import { expect, test } from "vitest";
import { type Props, unknown } from "../../support/structs.ts";
import { makeGrCluster, makeSubnet, makeVpc, oneNode } from "../stage/outside.ts";
import { runsOf, urnOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** A preview warns of new nodes that have no way to the internet, where all that decides it is the program's own. */

const stage = await sharedStage();
const { saidAtEnd, nextRun } = runsOf(stage);
const foreignVpc = await makeVpc(stage, "10.9.0.0/16");
const foreignSubnet = await makeSubnet(stage, foreignVpc, "10.9.0.0/24");
const clusterId = await makeGrCluster(stage, foreignVpc, foreignSubnet);

const from = (sources: Readonly<Record<string, string>>) => ({
  __of: Object.fromEntries(Object.entries(sources).map(([path, type]) => [path, urnOf(type, "own")])),
});
const nat = { destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: unknown };
const ofVpc = from({ vpcId: "Vpc" });
const ofTable = from({ vpcId: "Vpc", routeTableId: "RouteTable" });

interface Case {
  /** The routes of the subnet's table; none: the subnet is in the VPC's main table. */
  readonly routes?: readonly object[] | string;
  readonly subnet?: Props;
  readonly vpcId?: string;
  /** Of the pool. */
  readonly native?: Props;
  readonly subnetId?: string;
}

/** What the preview says of a pool in one subnet. */
async function said({ routes, subnet = {}, vpcId = unknown, native = {}, subnetId = unknown }: Case): Promise<readonly string[]> {
  await nextRun();
  if (vpcId === unknown) await stage.deployment("Vpc", "own").preview({ cidrBlock: "10.0.0.0/16" });
  if (routes) await stage.deployment("RouteTable", "own", ofVpc).preview({ vpcId, routes });
  const given = { vpcId, cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1", ...(routes ? { routeTableId: unknown } : {}), ...subnet };
  if (subnetId === unknown) await stage.deployment("Subnet", "own", routes ? ofTable : ofVpc).preview(given);
  const pool = stage.deployment("NodePool", "workers", from({ "native.subnetIds.0": "Subnet" }));
  await pool.preview({ clusterId: unknown, native: { ...oneNode(foreignSubnet), subnetIds: [subnetId], ...native } });
  return saidAtEnd();
}

const start = 'the nodes of "workers" in "own" have no way to the internet: over IPv4, no NAT gateway and no public address; over IPv6, ';
const bought = "an address of a subnet reaches the internet only once bandwidth was bought for that address";
const toTable = "\n  - Set routeTableId of the subnets to a RouteTable with a route to a NatGateway.";
const toEgress = '\n  - Set egress of the Network or Platform to "nat", or to "none" if you do not want one.';
const peering = { destinationCidrBlock: "10.1.0.0/16", gatewayType: "PEERCONNECTION", gatewayId: "pcx-1" };
const ofNetwork = (names: Props) => ({ subnet: { __from: { zone: "zones", ...names } } });

test.for<[string, Case, string?]>([
  ["the main table of a new VPC", {}, `${start}the subnets have no addresses.${toTable}`],
  ["the same, with IPv6", { subnet: { ipv6SubnetCidrBlock: unknown } }, `${start}${bought}.${toTable}`],
  ["the same of a network", ofNetwork({}), `${start}the subnets have no addresses.${toEgress}`],
  ["a table without a route", { routes: [] }, `${start}the subnets have no addresses.${toTable}`],
  ["a table with another route", { routes: [peering] }, `${start}the subnets have no addresses.${toTable}`],
  ["a network that says whether there is one", ofNetwork({ routeTableId: "egress" })],
  ["a NAT gateway", { routes: [peering, nat] }],
  ["a NAT gateway for one range", { routes: [{ ...nat, destinationCidrBlock: "198.51.100.0/24" }] }],
  ["another gateway for everything", { routes: [{ ...nat, gatewayType: "NORMAL_CVM", gatewayId: "10.0.0.9" }] }],
  ["routes that are not known", { routes: unknown }],
  ["a range that is not known", { routes: [{ ...peering, destinationCidrBlock: unknown }] }],
  ["public addresses", { native: { internetAccessible: { maxBandwidthOut: 5, chargeType: "TRAFFIC_POSTPAID_BY_HOUR" } } }],
  ["a table that is not the program's", { subnet: { routeTableId: unknown } }],
  ["a VPC that is not the program's", { vpcId: foreignVpc, subnet: { cidrBlock: "10.9.1.0/24" } }],
  ["a subnet that is not the program's", { subnetId: foreignSubnet }],
])("%s", async ([, given, warning]) => {
  expect(await said(given)).toEqual(warning === undefined ? [] : [warning]);
});

test("all pools are named once, and an unchanged pool is not", async () => {
  await using table = await stage.deployed("RouteTable", { vpcId: foreignVpc }, "own");
  const subnetArgs = { vpcId: foreignVpc, zone: "eu-frankfurt-1", cidrBlock: "10.9.2.0/24", routeTableId: table.id };
  await using subnet = await stage.deployed("Subnet", subnetArgs, "own");
  const args = { clusterId, native: { ...oneNode(foreignSubnet), subnetIds: [subnet.id] } };
  await using old = await stage.deployed("NodePool", args, "old");
  const preview = async (...names: readonly string[]) => {
    await nextRun();
    await table.preview({ vpcId: foreignVpc });
    await subnet.preview(subnetArgs);
    await old.preview(args);
    for (const name of names) await stage.deployment("NodePool", name).preview(args);
    return saidAtEnd();
  };
  expect(await preview()).toEqual([]);
  expect(await preview("a", "b")).toEqual([expect.stringMatching(/^the nodes of "a" and "b" in "own" have no way/)]);
});
