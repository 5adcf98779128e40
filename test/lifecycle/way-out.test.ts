import * as vpc from "@container-platform/sdk/vpc";
import { afterEach, beforeEach, expect, test } from "vitest";
import { wayOut } from "./networks.ts";
import { called, type Program } from "./program.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** The routes to a NAT gateway go with it: they come back with the next gateway, and with no other write. */

let stack: SimulatedStack;
beforeEach(async () => {
  stack = await SimulatedStack.open("in process", "3s");
  expect((await stack.up(wayOut())).failure).toBeUndefined();
  await stack.restartProvider();
});
afterEach(() => stack[Symbol.asyncDispose]());

const changed = (name: string, args: object): Program =>
  wayOut().map((one) => (called(one) === name ? { ...one, args: { ...one.args, ...args } } : one));

/** What a run does and writes, and what the next one still does. */
async function runOf(program: Program, refresh = false) {
  const { operations, calls, failure } = await stack.up(program, { refresh });
  const writes = calls.flatMap(({ action, effect }) => (effect === "write" ? [action] : []));
  await stack.restartProvider();
  const next = await stack.up(program, { refresh: true });
  return { operations, writes, failure, next: next.operations };
}

async function gateway() {
  const [found] = (await stack.cloud.call(vpc.describeNatGateways, {})).natGatewaySet;
  return found?.natGatewayId ?? "";
}

const routes = async () =>
  (await stack.cloud.call(vpc.describeRouteTables, {})).routeTableSet.flatMap(({ routeSet = [] }) => routeSet.map((one) => one.gatewayId));

test("a gateway that was deleted outside of Pulumi", async () => {
  await stack.cloud.call(vpc.deleteNatGateway, { natGatewayId: await gateway() });
  expect(await routes()).toEqual([]);
  expect(await runOf(wayOut(), true)).toEqual({
    operations: ["lost NatGateway gateway", "drift RouteTable private", "create NatGateway gateway", "update RouteTable private"],
    writes: ["CreateNatGateway", "CreateRoutes"],
    failure: undefined,
    next: [],
  });
  expect(new Set(await routes())).toEqual(new Set([await gateway()]));
});

test("a gateway that is replaced", async () => {
  const { operations, writes, ...ended } = await runOf(changed("NatGateway gateway", { zone: "eu-frankfurt-3" }));
  expect(operations).toEqual(["delete NatGateway gateway", "create NatGateway gateway", "update RouteTable private"]);
  expect(writes).toEqual(["DeleteNatGateway", "CreateNatGateway", "CreateRoutes"]);
  expect(ended).toEqual({ failure: undefined, next: [] });
  expect(new Set(await routes())).toEqual(new Set([await gateway()]));
});

test("a gateway that leaves the program with its routes and addresses", async () => {
  const left = changed("RouteTable private", { routes: undefined }).filter(({ type }) => type !== "NatGateway" && type !== "ElasticIp");
  expect(await runOf(left)).toEqual({
    operations: ["update RouteTable private", "delete NatGateway gateway", "delete ElasticIp first", "delete ElasticIp kept"],
    writes: ["DeleteRoutes", "DeleteNatGateway", "ReleaseAddresses", "ReleaseAddresses"],
    failure: undefined,
    next: [],
  });
});

test("a route table that leaves the program: its subnets use the main one first", async () => {
  const left = wayOut()
    .filter(({ type }) => type !== "RouteTable")
    .map((one) => (one.type === "Subnet" ? { ...one, args: { ...one.args, routeTableId: undefined } } : one));
  expect(await runOf(left)).toEqual({
    operations: ["update Subnet private-0", "update Subnet private-1", "delete RouteTable private"],
    writes: ["ReplaceRouteTableAssociation", "ReplaceRouteTableAssociation", "DeleteRouteTable"],
    failure: undefined,
    next: [],
  });
});

test.each<[what: string, action: { readonly action: string }, nth: number]>([
  ["bound, and the old one is not unbound yet", vpc.describeNatGateways, 3],
  ["to be unbound", vpc.disassociateNatGatewayAddress, 1],
])("an update that fails when the new address of a gateway is %s: the next one continues", async (_, operation, nth) => {
  stack.faults.add({ operation, nth, when: "before", code: "FailedOperation" });
  const program = wayOut({ isChanged: true });
  expect((await stack.up(program)).failure).toContain("FailedOperation");
  stack.faults.clear();
  await stack.restartProvider();
  expect(await runOf(program)).toMatchObject({ failure: undefined, next: [] });
});

test("destroy after another client has deleted the gateway", async () => {
  await stack.cloud.call(vpc.deleteNatGateway, { natGatewayId: await gateway() });
  expect((await stack.destroy()).failure).toBeUndefined();
  expect(await stack.contents()).toEqual({});
});
