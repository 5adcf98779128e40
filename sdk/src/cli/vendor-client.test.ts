import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AbstractClient } from "tencentcloud-sdk-nodejs/tencentcloud/common/abstract_client.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { catalogue } from "../catalogue/every-operation.ts";
import { publicApi } from "../dialect/dialect.ts";
import { publicDifferences } from "../dialect/public/differences.ts";
import { misfitsOf } from "../dialect/public/imitation.fixture.ts";
import { modelsOf } from "../dialect/public/models.fixture.ts";
import { Translator } from "../dialect/translator.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import type { JsonObject } from "../operation/codec.ts";
import type { Operation } from "../operation/operation.ts";
import { serve } from "../server/server.ts";
import { makeEverything, region } from "./everything.fixture.ts";
import { inputsFor } from "./inputs.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "vendor-client-"));
const file = join(folder, "everything.db");
const translator = new Translator(publicDifferences);
const answered = z.record(z.string(), z.json());
let inputs: ReturnType<typeof inputsFor>;

beforeAll(async () => {
  const all = inputsFor(await makeEverything(file));
  // In the public API this is a list, and for the nodes of a role.
  const { RunInstancePara: machines = "", ...others } = all["cluster ScaleOutClusterMaster"] ?? {};
  const masters = { ...others, RunInstancesForNode: [{ NodeRole: "MASTER_ETCD", RunInstancesPara: [machines] }] };
  inputs = { ...all, "cluster ScaleOutClusterMaster": masters };
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Calls an operation of a world of its own with the vendor's client. */
async function calledWithVendor({ product, action, version }: Operation, body: JsonObject): Promise<JsonObject> {
  const own = join(folder, `${product}-${action}-${version}.db`);
  copyFileSync(file, own);
  const world = World.open(own);
  const server = await serve(world);
  try {
    const { secretId, secretKey } = accessKeyOf(world);
    const httpProfile = { endpoint: new URL(server.url).host, protocol: "http://" as const };
    const client = new AbstractClient(`${publicApi.services[product]}.invalid`, version, {
      credential: { secretId, secretKey },
      region,
      profile: { httpProfile },
    });
    return answered.parse(await client.request(action, body));
  } finally {
    await server.close();
    world.close();
  }
}

/** What the vendor's own clients leave out as well, although its models require it. */
const leftOut = /\.(DesiredPodNumber|GPUArgs|PreStartUserScript|Taints|DiskPartition)$/;

const usable = catalogue.filter(({ action }) => action !== "RotateClusterToken");

test.each(usable.map((operation) => ({ name: `${operation.product} ${operation.action} ${operation.version}`, operation })))(
  "the vendor's client calls $name, and knows all of the answer",
  async ({ name, operation }) => {
    const { product, action, version } = operation;
    const models = modelsOf(publicApi.services[product], version);
    const here = inputs[name] ?? inputs[`${product} ${action}`] ?? {};
    const body = await translator.request({ product, action, version, region }, here, "there");
    const { unknown, missing } = misfitsOf(models, `${action}Request`, body);
    expect([unknown, missing.filter((path) => !leftOut.test(path))]).toEqual([[], []]);
    expect(misfitsOf(models, `${action}Response`, await calledWithVendor(operation, body)).unknown).toEqual([]);
  },
);

test("RotateClusterToken has no field there, and so is refused", async () => {
  const [rotation] = catalogue.filter(({ action }) => action === "RotateClusterToken");
  expect(rotation && (await calledWithVendor(rotation, {}).catch((error: unknown) => error))).toMatchObject({ code: "MissingParameter" });
});
