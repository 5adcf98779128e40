import { expect, test } from "vitest";
import {
  addExistedInstances,
  createCluster,
  createClusterNodePool,
  describeOsImages,
  scaleOutClusterMaster,
} from "../../../catalogue/cluster.ts";
import { putInstance, putKeyPair } from "../../out-of-band.ts";
import { stage } from "../stage.fixture.ts";

type Stage = Awaited<ReturnType<typeof stage>>;

const machine = { InstanceType: "SA5.MEDIUM4" };

/** Asks for a cluster with machines, and tells the refusal: its code and reason. */
async function refusal({ cloud, vpcId, subnetId }: Stage, request: object) {
  const runInstancePara = JSON.stringify(request);
  const asked = { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" }, runInstancePara };
  return cloud.call(createCluster, asked).then(
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
      at.cloud.call(createClusterNodePool, {
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
  const asked = { vpcId: at.vpcId, subnetId: at.subnetId, clusterCidrSettings: { clusterCidr: "172.16.0.0/16" } };
  const { clusterId } = await at.cloud.call(createCluster, { ...asked, clusterType: "INDEPENDENT_CLUSTER" });
  at.world.advance(3000);
  const runInstancePara = JSON.stringify({ ...machine, Placement: { Zone: "eu-frankfurt-3" } });
  const grown = at.cloud.call(scaleOutClusterMaster, { clusterId, runInstancePara });
  await expect(grown).rejects.toMatchObject({ code: "InvalidZone.ZoneNotAvailable" });
});

test("no public image keeps its login", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const place = { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId };
  const { osImageSeriesSet } = await at.cloud.call(describeOsImages, {});
  for (const { imageId } of osImageSeriesSet) {
    const instanceIds = [await putInstance(at.world, place)];
    const asked = { clusterId, instanceIds, imageId, loginSettings: { keepImageLogin: "true" } };
    await expect(at.cloud.call(addExistedInstances, asked)).rejects.toMatchObject({
      code: "InvalidParameter",
      reason: expect.stringContaining("public image"),
    });
  }
  const own = { clusterId, instanceIds: [await putInstance(at.world, place)], imageId: "img-own" };
  expect((await at.cloud.call(addExistedInstances, { ...own, loginSettings: { keepImageLogin: "true" } })).succInstanceIds).toHaveLength(1);
});

test("the ways to log in exclude each other, also where one is false or empty", async () => {
  const at = await stage();
  const clusterId = await at.running();
  const place = { region: at.region, vpcId: at.vpcId, subnetId: at.subnetId };
  const key = await putKeyPair(at.world, { region: at.region, name: "k" });
  const add = async (loginSettings: { password?: string; keyIds?: string[]; keepImageLogin?: string }) =>
    at.cloud.call(addExistedInstances, {
      clusterId,
      instanceIds: [await putInstance(at.world, { ...place, imageId: "img-own" })],
      loginSettings,
    });
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
  for (const one of [{ keepImageLogin: "false" }, { keyIds: [] }, { keyIds: [key] }, {}])
    expect((await add(one)).succInstanceIds).toHaveLength(1);
});
