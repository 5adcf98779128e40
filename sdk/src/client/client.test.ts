import { expect, test } from "vitest";
import { describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "./client.ts";
import { InputError } from "../operation/errors.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";

const platform = new LocalPlatform(World.open(":memory:"));
const cloud = new Cloud({ transport: platform, region: "eu-frankfurt" });

test("a field that an operation does not have is refused, however deep, and not left out", async () => {
  const filter = { name: "vpc-id", values: ["vpc-1"], exact: true };
  const call = cloud.call(describeVpcs, { filters: [filter] });
  await expect(call).rejects.toThrow(InputError);
  await expect(call).rejects.toThrow("there is no field exact; there are name, values");
});

test("a version that an action does not have is another mistake than an action that there is not", async () => {
  const request = { product: "vpc", region: "eu-frankfurt", body: {} } as const;
  await expect(platform.send({ ...request, action: "DescribeVpcs", version: "2016-01-01" })).rejects.toMatchObject({
    code: "NoSuchVersion",
    reason: "DescribeVpcs has no version 2016-01-01; there is 2017-03-12",
  });
  await expect(platform.send({ ...request, action: "DescribeClouds", version: "2017-03-12" })).rejects.toMatchObject({
    code: "InvalidAction",
  });
});
