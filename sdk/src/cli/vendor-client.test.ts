import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "../catalogue/every-operation.ts";
import { scratchOfFile } from "../scratch.fixture.ts";
import { publicApi } from "../wire-format/wire-format.ts";
import { publicDifferences } from "../wire-format/public/differences.ts";
import { leftOut, misfitsOf } from "../wire-format/public/imitation.fixture.ts";
import { modelsOf } from "../wire-format/public/models.fixture.ts";
import { calledByVendor, hasMethod } from "../wire-format/public/vendor-client.fixture.ts";
import { Translator } from "../wire-format/translator.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import type { JsonObject } from "../operation/codec.ts";
import type { Operation } from "../operation/operation.ts";
import { serve } from "../server/server.ts";
import { makeEverything, region } from "./everything.fixture.ts";
import { inputsFor } from "./inputs.fixture.ts";

/** Each operation goes through the vendor's client, and tells what it tells without it. */

const folder = scratchOfFile();
const file = join(folder, "everything.db");
const translator = new Translator(publicDifferences);
const all = inputsFor(await makeEverything(file));
// In the public API this is a list, and for the nodes of a role.
const { RunInstancePara: machines = "", ...others } = all["cluster ScaleOutClusterMaster"] ?? {};
const masters = { ...others, RunInstancesForNode: [{ NodeRole: "MASTER_ETCD", RunInstancesPara: [machines] }] };
const inputs: typeof all = { ...all, "cluster ScaleOutClusterMaster": masters };

async function inCopy<T>(name: string, work: (world: World) => Promise<T>): Promise<T> {
  const own = join(folder, `${name}.db`);
  copyFileSync(file, own);
  const world = World.open(own);
  try {
    return await work(world);
  } finally {
    world.close();
  }
}

function vendorOperation({ product, action, version }: Operation) {
  return { service: publicApi.services[product], action, version };
}

function calledWithVendor(operation: Operation, body: JsonObject): Promise<JsonObject> {
  return inCopy("vendor", async (world) => {
    await using server = await serve(world);
    return await calledByVendor(vendorOperation(operation), body, { url: server.url, credentials: accessKeyOf(world), region });
  });
}

function calledDirectly({ product, action, version }: Operation, body: JsonObject): Promise<JsonObject> {
  const request = { product, action, version, region, body };
  return inCopy("direct", async (world) => (await new LocalPlatform(world).send(request)).body);
}

/** What the public API cannot be asked for, by the wire format's data, where the reason stands. */
const unusable = (await Promise.all([...new Set(catalogue.map(({ product }) => product))].map(publicDifferences.of)))
  .flat()
  .flatMap((difference) => (difference.unusable === undefined ? [] : [difference.operation]));
const named = ({ product, action, version }: Operation) => `${product} ${action} ${version}`;
const usable = catalogue.filter((operation) => !unusable.some((one) => named(one) === named(operation)));

test("the vendor's client has a method for each operation, and what cannot be called has its reason", () => {
  console.log(`${usable.length} of ${catalogue.length} operations are called by the vendor's client`);
  expect(usable.filter((operation) => !hasMethod(vendorOperation(operation))).map(named)).toEqual([]);
  expect(unusable.map(named)).toEqual(["cluster RotateClusterToken 2018-05-25"]);
});

test.each(usable.map((operation) => ({ name: named(operation), operation })))(
  "the vendor's client calls $name, knows all of the answer, and is told the same",
  async ({ name, operation }) => {
    const { product, action, version } = operation;
    const models = modelsOf(publicApi.services[product], version);
    const call = { product, action, version, region };
    const here = inputs[name] ?? inputs[`${product} ${action}`] ?? {};
    const body = await translator.request(call, here, "there");
    const { unknown, missing } = misfitsOf(models, `${action}Request`, body);
    expect([unknown, missing.filter((path) => !leftOut.test(path))]).toEqual([[], []]);
    const answer = await calledWithVendor(operation, body);
    expect(misfitsOf(models, `${action}Response`, answer).unknown).toEqual([]);
    const { RequestId: _, ...told } = answer;
    const known = await translator.answer(call, await calledDirectly(operation, here), "there");
    expect(told).toEqual(known);
  },
);

test("RotateClusterToken has no field there, and so is refused", async () => {
  const [rotation] = unusable;
  expect(rotation && (await calledWithVendor(rotation, {}).catch((error: unknown) => error))).toMatchObject({ code: "MissingParameter" });
});
