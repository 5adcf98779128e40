import { expect, test } from "vitest";
import { describeInstances, describeKeyPairs } from "../../catalogue/compute.ts";
import { InputError } from "../../operation/errors.ts";
import { codeOf, stage } from "../cluster/stage.fixture.ts";
import { putKeyPair } from "../out-of-band.ts";

const region = "eu-frankfurt";

async function start() {
  const { machine, ...at } = await stage();
  const subnetId = await at.subnet(1, { zone: 2, prefix: 29 });
  return { ...at, subnetId, put: (given: Parameters<typeof machine>[0] = {}) => machine({ subnetId, ...given }) };
}

test("there are only the key pairs that were put in out of band", async () => {
  const { world, call, put } = await start();
  expect(await call(describeKeyPairs, {})).toMatchObject({ totalCount: 0, keyPairSet: [] });
  const [one, two] = [await putKeyPair(world, { region, name: "one" }), await putKeyPair(world, { region, name: "two" })];
  const instanceId = await put({ keyIds: [one] });
  const { keyPairSet } = await call(describeKeyPairs, { keyIds: [two, one] });
  expect(keyPairSet).toMatchObject([
    { keyId: two, keyName: "two", associatedInstanceIds: [] },
    { keyId: one, keyName: "one", associatedInstanceIds: [instanceId] },
  ]);
  expect((await call(describeKeyPairs, { filters: [{ name: "key-name", values: ["two"] }] })).totalCount).toBe(1);
  expect((await call(describeKeyPairs, { offset: 1, limit: 1 })).keyPairSet).toMatchObject([{ keyId: two }]);
  expect(await codeOf(call(describeKeyPairs, { keyIds: ["skey-00000000"] }))).toBe("ResourceNotFound");
  expect(await codeOf(call(describeKeyPairs, { limit: 101 }))).toBe("InvalidParameterValue.Range");
});

test("existing machines are found by id and by filters", async () => {
  const { call, put, vpcId, subnetId } = await start();
  const first = await put({ name: "web-1" });
  const second = await put({ name: "data-1", instanceType: "S5.LARGE8", chargeType: "PREPAID", zone: `${region}-3` });
  const { instanceSet } = await call(describeInstances, { instanceIds: [first] });
  expect(instanceSet).toMatchObject([
    {
      instanceId: first,
      instanceName: "web-1",
      instanceState: "RUNNING",
      instanceChargeType: "POSTPAID_BY_HOUR",
      placement: { zone: `${region}-2` },
      virtualPrivateCloud: { vpcId, subnetId },
      privateIpAddresses: ["10.0.1.2"],
    },
  ]);
  const found = async (name: string, value: string) =>
    (await call(describeInstances, { filters: [{ name, values: [value] }] })).instanceSet.map(({ instanceId }) => instanceId);
  expect(await found("vpc-id", vpcId)).toEqual([first, second]);
  expect(await found("instance-name", "web")).toEqual([first]);
  expect(await found("instance-charge-type", "PREPAID")).toEqual([second]);
  expect(await found("zone", `${region}-3`)).toEqual([second]);
  expect(await found("private-ip-address", "10.0.1.3")).toEqual([second]);
  expect(await codeOf(found("colour", "red"))).toBe("InvalidParameter");
  expect(await codeOf(call(describeInstances, { instanceIds: ["ins-00000000"] }))).toBe("ResourceNotFound");
});

test("a machine needs a subnet with a free address", async () => {
  const { put } = await start();
  for (let count = 0; count < 5; count++) await put();
  await expect(put()).rejects.toThrow(InputError);
  await expect(put({ subnetId: "subnet-00000000" })).rejects.toThrow(InputError);
  await expect(put({ vpcId: "vpc-00000000" })).rejects.toThrow(InputError);
});
