import { expect, test } from "vitest";
import { describeInstances, describeKeyPairs, describeZones } from "../../catalogue/compute.ts";
import { createSubnet, createVpc } from "../../catalogue/vpc.ts";
import { Cloud } from "../../client/client.ts";
import { InputError } from "../../operation/errors.ts";
import { putInstance, putKeyPair } from "../out-of-band.ts";
import { LocalPlatform } from "../platform.ts";
import { World } from "../store/world.ts";

const region = "eu-frankfurt";

async function start() {
  const world = World.open(":memory:", { pace: "instant", seed: "compute" });
  const cloud = new Cloud({ transport: new LocalPlatform(world), region });
  const { vpcId } = (await cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" })).vpc;
  const input = { vpcId, subnetName: "s", cidrBlock: "10.0.0.0/29", zone: `${region}-2` };
  const { subnetId } = (await cloud.call(createSubnet, input)).subnet;
  return { world, cloud, place: { region, vpcId, subnetId } };
}

test("a region has three available zones and one that is not", async () => {
  const { cloud } = await start();
  const { zoneSet, totalCount } = await cloud.call(describeZones, {});
  expect(totalCount).toBe(4);
  expect(zoneSet.map(({ zone, zoneState }) => `${zone} ${zoneState}`)).toEqual([
    "eu-frankfurt-1 AVAILABLE",
    "eu-frankfurt-2 AVAILABLE",
    "eu-frankfurt-3 AVAILABLE",
    "eu-frankfurt-4 UNAVAILABLE",
  ]);
});

test("there are only the key pairs that were put in out of band", async () => {
  const { world, cloud, place } = await start();
  expect(await cloud.call(describeKeyPairs, {})).toMatchObject({ totalCount: 0, keyPairSet: [] });
  const [one, two] = [await putKeyPair(world, { region, name: "one" }), await putKeyPair(world, { region, name: "two" })];
  const instanceId = await putInstance(world, { ...place, keyIds: [one] });
  const { keyPairSet } = await cloud.call(describeKeyPairs, { keyIds: [two, one] });
  expect(keyPairSet).toMatchObject([
    { keyId: two, keyName: "two", associatedInstanceIds: [] },
    { keyId: one, keyName: "one", associatedInstanceIds: [instanceId] },
  ]);
  expect((await cloud.call(describeKeyPairs, { filters: [{ name: "key-name", values: ["two"] }] })).totalCount).toBe(1);
  expect((await cloud.call(describeKeyPairs, { offset: 1, limit: 1 })).keyPairSet).toMatchObject([{ keyId: two }]);
  await expect(cloud.call(describeKeyPairs, { keyIds: ["skey-00000000"] })).rejects.toMatchObject({ code: "ResourceNotFound" });
  await expect(cloud.call(describeKeyPairs, { limit: 101 })).rejects.toMatchObject({ code: "InvalidParameterValue.Range" });
});

test("existing machines are found by id and by filters", async () => {
  const { world, cloud, place } = await start();
  const first = await putInstance(world, { ...place, name: "web-1" });
  const second = await putInstance(world, {
    ...place,
    name: "data-1",
    instanceType: "S5.LARGE8",
    chargeType: "PREPAID",
    zone: `${region}-3`,
  });
  const { instanceSet } = await cloud.call(describeInstances, { instanceIds: [first] });
  expect(instanceSet).toMatchObject([
    {
      instanceId: first,
      instanceName: "web-1",
      instanceState: "RUNNING",
      instanceChargeType: "POSTPAID_BY_HOUR",
      placement: { zone: `${region}-2` },
      virtualPrivateCloud: { vpcId: place.vpcId, subnetId: place.subnetId },
      privateIpAddresses: ["10.0.0.2"],
    },
  ]);
  const found = async (name: string, value: string) =>
    (await cloud.call(describeInstances, { filters: [{ name, values: [value] }] })).instanceSet.map(({ instanceId }) => instanceId);
  expect(await found("vpc-id", place.vpcId)).toEqual([first, second]);
  expect(await found("instance-name", "web")).toEqual([first]);
  expect(await found("instance-charge-type", "PREPAID")).toEqual([second]);
  expect(await found("zone", `${region}-3`)).toEqual([second]);
  expect(await found("private-ip-address", "10.0.0.3")).toEqual([second]);
  await expect(found("colour", "red")).rejects.toMatchObject({ code: "InvalidParameter" });
  await expect(cloud.call(describeInstances, { instanceIds: ["ins-00000000"] })).rejects.toMatchObject({ code: "ResourceNotFound" });
});

test("a machine needs a subnet with a free address", async () => {
  const { world, place } = await start();
  for (let count = 0; count < 5; count++) await putInstance(world, place);
  await expect(putInstance(world, place)).rejects.toThrow(InputError);
  await expect(putInstance(world, { ...place, subnetId: "subnet-00000000" })).rejects.toThrow(InputError);
  await expect(putInstance(world, { ...place, vpcId: "vpc-00000000" })).rejects.toThrow(InputError);
});
