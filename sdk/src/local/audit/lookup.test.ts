import { expect, test } from "vitest";
import { lookUpEvents } from "../../catalogue/audit.ts";
import { createVpc, deleteVpc, describeVpcs } from "../../catalogue/vpc.ts";
import type { JsonObject } from "../../operation/codec.ts";
import { refused, region, stage } from "../stage.fixture.ts";

const moment = Date.UTC(2026, 0, 1);
const second = moment / 1000;

function start() {
  const at = stage("audit");
  at.world.freeze(moment);
  const look = (attributes: Record<string, string> = {}, window: { startTime?: number; endTime?: number } = {}) =>
    at.cloud.call(lookUpEvents, {
      startTime: second,
      endTime: second + 60,
      lookupAttributes: Object.entries(attributes).map(([attributeKey, attributeValue]) => ({ attributeKey, attributeValue })),
      ...window,
    });
  const ask = (action: string, body: JsonObject) =>
    at.transport.send({ product: "cluster", action, version: "2018-05-25", region, body }).catch(() => undefined);
  return { ...at, look, ask };
}

test("calls are found by the resources they were about, and only if all attributes match", async () => {
  const { cloud, look } = start();
  const { vpc } = await cloud.call(createVpc, { vpcName: "one", cidrBlock: "10.0.0.0/16" });
  await cloud.call(createVpc, { vpcName: "two", cidrBlock: "10.1.0.0/16" });
  const { requestId } = await cloud.call(describeVpcs, { vpcIds: [vpc.vpcId], filters: [] });
  await cloud.call(describeVpcs, { filters: [{ name: "vpc-name", values: ["one"] }] });
  await cloud.call(deleteVpc, { vpcId: vpc.vpcId });
  const names = async (attributes: Record<string, string>) => (await look(attributes)).events.map(({ eventName }) => eventName);
  expect(await names({ ResourceName: vpc.vpcId })).toEqual(["DeleteVpc", "DescribeVpcs", "CreateVpc"]);
  expect(await names({ ResourceName: "one" })).toEqual(["CreateVpc"]);
  expect(await names({ ResourceName: vpc.vpcId, ReadOnly: "true" })).toEqual(["DescribeVpcs"]);
  expect(await names({ EventName: "CreateVpc" })).toEqual(["CreateVpc", "CreateVpc"]);
  expect(await names({ RequestId: requestId })).toEqual(["DescribeVpcs"]);
  expect(await names({ Username: "root", ResourceType: "vpc" })).toHaveLength(5);
  expect(await names({ Username: "someone" })).toEqual([]);
  expect(await names({ ResourceName: "vpc-name" })).toEqual([]);
});

test("ids are recorded whatever the spelling of their field", async () => {
  const { ask, look } = start();
  await ask("CreateECMInstances", { ClusterID: "cls-1", ModuleId: "em-1", ZoneInstanceCountISPSet: [] });
  await ask("DescribeClusterStatus", { ClusterIds: ["cls-1"] });
  const { events } = await look({ ResourceName: "cls-1" });
  expect(events.map(({ eventName }) => eventName)).toEqual(["DescribeClusterStatus", "CreateECMInstances"]);
});

test("fields that may hold a password are not recorded, even if their form is wrong", async () => {
  const { ask, look } = start();
  await ask("CreateCluster", { VpcId: "vpc-1", RunInstancePara: '{"LoginSettings": {"Password": "hush"}}' });
  await ask("AddExistedInstances", { ClusterId: "cls-1", LoginSettings: '{"Password": "hush"}' });
  await ask("AddExistedInstances", { ClusterId: "cls-1", LoginSettings: ["hush"] });
  const { events } = await look();
  expect(events).toHaveLength(3);
  expect(JSON.stringify(events)).not.toContain("hush");
});

test("calls of another region are not found", async () => {
  const { cloudIn, look } = start();
  await cloudIn("ap-singapore").call(createVpc, { vpcName: "one", cidrBlock: "10.0.0.0/16" });
  expect((await look()).events).toEqual([]);
});

test("pages follow each other, whatever is recorded meanwhile", async () => {
  const { cloud } = start();
  for (let index = 0; index < 5; index++) await cloud.call(createVpc, { vpcName: `v${index}`, cidrBlock: `10.${index}.0.0/16` });
  const seen: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await cloud.call(lookUpEvents, {
      startTime: second,
      endTime: second + 1,
      lookupAttributes: [{ attributeKey: "ReadOnly", attributeValue: "false" }],
      maxResults: 2,
      nextToken,
    });
    seen.push(...page.events.map(({ resources }) => resources.resourceName.split(",")[0] ?? ""));
    expect(page.listOver).toBe(page.nextToken === undefined);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  expect(seen).toEqual(["v4", "v3", "v2", "v1", "v0"]);
});

test.each([
  ["InvalidParameterValue.MaxResult", { maxResults: 0 }],
  ["InvalidParameterValue.MaxResult", { maxResults: 51 }],
  ["InvalidParameter", { nextToken: "x" }],
  ["InvalidParameterValue.attributeKey", { lookupAttributes: [{ attributeKey: "Colour", attributeValue: "red" }] }],
  ["MissingParameter", { lookupAttributes: [{ attributeKey: "EventName" }] }],
])("%s refuses %j", async (code, input) => {
  await refused(start().cloud.call(lookUpEvents, { startTime: 0, endTime: 10, ...input }), code);
});

test("a window that begins before 1970 is refused for that", async () => {
  await refused(start().cloud.call(lookUpEvents, { startTime: -1, endTime: 10 }), "InvalidParameterValue.Time", {
    reason: "StartTime is -1; it takes Unix seconds: a whole number, 0 or more",
  });
});

test("a call that a fault hit is recorded with the fault's code, or as carried out if it had its effect", async () => {
  const { cloud, look, transport } = start();
  transport.faults.add({ operation: createVpc, when: "before", code: "InternalError" });
  transport.faults.add({ operation: createVpc, when: "after" });
  await refused(cloud.call(createVpc, { vpcName: "one", cidrBlock: "10.0.0.0/16" }), "InternalError");
  await expect(cloud.call(createVpc, { vpcName: "one", cidrBlock: "10.0.0.0/16" })).rejects.toMatchObject({ kind: "unreachable" });
  expect((await look()).events.map(({ apiErrorCode }) => apiErrorCode)).toEqual(["", "InternalError"]);
});
