import { expect, test } from "vitest";
import * as cluster from "../../../catalogue/cluster.ts";
import { putKeyPair } from "../../out-of-band.ts";
import { type Stage, clusterStage, codeOf, stage } from "../stage.fixture.ts";

const machine = { InstanceType: "SA5.MEDIUM4" };

/** Asks for a cluster with machines, and tells the refusal: its code and reason. */
function refusal(at: Stage, request: object): Promise<unknown> {
  return at.create(undefined, { runInstancePara: JSON.stringify(request) }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each([
  ["Foo", { ...machine, Foo: 1 }, "it takes InstanceType, InstanceChargeType, ImageId"],
  ["instanceType", { instanceType: "SA5.MEDIUM4" }, "it takes InstanceType"],
  ["VirtualPrivateCloud.vpcId", { ...machine, VirtualPrivateCloud: { vpcId: "vpc-1" } }, "it takes VpcId, SubnetId"],
  ["LoginSetting", { ...machine, LoginSetting: { KeyIds: ["a", "b"] } }, "LoginSettings"],
  ["LoginSettings.KeyId", { ...machine, LoginSettings: { KeyId: ["a", "b"] } }, "it takes Password, KeyIds, KeepImageLogin"],
])("a request for machines has no field %s", async (name, request, takes) => {
  const refused = await refusal(await stage(), request);
  expect(refused).toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining(`RunInstancePara has no field ${name}; `) });
  expect(refused).toMatchObject({ reason: expect.stringContaining(takes) });
});

test.each([
  ["InstanceType", {}],
  ["VirtualPrivateCloud.SubnetId", { ...machine, VirtualPrivateCloud: { VpcId: "vpc-1" } }],
])("a request for machines needs %s", async (name, request) => {
  const missing = { code: "MissingParameter", reason: `RunInstancePara: ${name} is required` };
  expect(await refusal(await stage(), request)).toMatchObject(missing);
});

test("what the public API takes beside it is taken", async () => {
  const request = {
    ...machine,
    Placement: { Zone: "eu-frankfurt-1", ProjectId: 0 },
    DataDisks: [{ DiskType: "CLOUD_SSD", DiskSize: 100 }],
    InternetAccessible: { InternetMaxBandwidthOut: 5 },
    ClientToken: "a",
  };
  expect(await refusal(await stage(), request)).toBeUndefined();
});

test.each(["eu-frankfurt-2", "eu-frankfurt-4", "eu-nowhere-9", ""])(
  "machines cannot be in zone %j, where their subnet is not",
  async (zone) => {
    const at = await stage();
    const refused = { code: "InvalidZone.ZoneNotAvailable", reason: expect.stringContaining("it takes eu-frankfurt-1") };
    expect(await refusal(at, { ...machine, Placement: { Zone: zone } })).toMatchObject(refused);
    const clusterId = await at.running();
    const group = { VpcId: at.vpcId, SubnetIds: [at.subnetId], MinSize: 0, MaxSize: 1 };
    const pool = (zones: string[], more: object = {}) =>
      at.call(cluster.createClusterNodePool, {
        clusterId,
        enableAutoscale: false,
        autoScalingGroupPara: JSON.stringify({ ...group, Zones: zones, ...more }),
        launchConfigurePara: JSON.stringify(machine),
        instanceAdvancedSettings: {},
      });
    await expect(pool([zone])).rejects.toMatchObject(refused);
    await expect(pool([], { Foo: 1 })).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("no field Foo") });
    await pool(["eu-frankfurt-1"]);
  },
);

test("a larger control plane is asked for with the same requests", async () => {
  const at = await stage();
  const clusterId = await at.running(undefined, { clusterType: "INDEPENDENT_CLUSTER" });
  const runInstancePara = JSON.stringify({ ...machine, Placement: { Zone: "eu-frankfurt-3" } });
  const grown = at.call(cluster.scaleOutClusterMaster, { clusterId, runInstancePara });
  expect(await codeOf(grown)).toBe("InvalidZone.ZoneNotAvailable");
});

test("the ways to log in exclude each other, also where one is false or empty, and no public image keeps its own", async () => {
  const { clusterId, ...at } = await clusterStage();
  const key = await putKeyPair(at.world, { region: at.region, name: "k" });
  const add = async (loginSettings: { password?: string; keyIds?: string[]; keepImageLogin?: string }, imageId = "img-own") =>
    at.call(cluster.addExistedInstances, { clusterId, instanceIds: [await at.machine()], imageId, loginSettings });
  for (const both of [
    { password: "Secret-123", keepImageLogin: "false" },
    { keyIds: [key], keepImageLogin: "false" },
    { password: "Secret-123", keyIds: [] },
    { keyIds: [], keepImageLogin: "true" },
  ])
    await expect(add(both)).rejects.toMatchObject({ code: "InvalidParameter", reason: expect.stringContaining("exclude each other") });
  for (const keepImageLogin of ["TRUE", "no", ""])
    await expect(add({ keepImageLogin })).rejects.toMatchObject({
      code: "InvalidParameter",
      reason: `LoginSettings.KeepImageLogin is "${keepImageLogin}"; it takes true or false`,
    });
  for (const { imageId } of (await at.call(cluster.describeOsImages, {})).osImageSeriesSet)
    await expect(add({ keepImageLogin: "true" }, imageId)).rejects.toMatchObject({
      code: "InvalidParameter",
      reason: expect.stringContaining("public image"),
    });
  for (const one of [{ keepImageLogin: "true" }, { keepImageLogin: "false" }, { keyIds: [] }, { keyIds: [key] }, {}])
    expect((await add(one)).succInstanceIds).toHaveLength(1);
});
