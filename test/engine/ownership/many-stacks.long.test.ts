import { accessKeyOf } from "@container-platform/sdk/local";
import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";

/** How many stacks deploy at the same time. */
const count = isLong ? 10 : 3;

/** A second, less what two moments lose that are each kept in whole milliseconds. */
const second = 1000 - 1;

/** Calls of a product that the platform answers within any second. */
const perSecond = isLong ? 20 : 5;
const products = ["vpc", "cluster"] as const;

test("stacks that deploy in one account at the same time share its rate limit, and all succeed", async () => {
  await using place = await Stack.create({ program: clusterAlone(), served: true, programs: "language-host" });
  const { world, url } = place;
  for (const product of products) place.faults.add({ operation: { product }, perSecond, when: "before", code: "RequestLimitExceeded" });
  const { secretId, secretKey } = accessKeyOf(world);
  const env = { CONTAINER_PLATFORM_SECRET_ID: secretId, CONTAINER_PLATFORM_SECRET_KEY: secretKey };
  await using stacks = new AsyncDisposableStack();
  const all: Stack[] = [];
  for (let index = 0; index < count; index++) {
    const config = { "container-platform:endpoint": url, "container-platform:callsPerSecond": "15" };
    const program = clusterAlone('{ customTimeouts: { create: "10m" } }', index);
    all.push(stacks.use(await Stack.create({ program, config, env, seconds: 280, programs: "language-host" })));
  }
  await Promise.all(all.map((stack) => stack.up()));

  expect(place.leftovers()).toMatchObject({ vpcs: count, subnets: count, clusters: count });
  const calls = place.calls();
  for (const action of ["CreateVpc", "CreateSubnet", "CreateCluster"])
    expect(calls.filter((call) => call.action === action && call.code === "")).toHaveLength(count);
  for (const product of products) {
    const times = calls.flatMap((call) => (call.product === product && call.code !== "RequestLimitExceeded" ? [call.time] : []));
    for (const [index, time] of times.entries()) expect(time - (times[index - perSecond] ?? -Infinity)).toBeGreaterThanOrEqual(second);
  }

  await Promise.all(all.map((stack) => stack.preview("--expect-no-changes")));
  await Promise.all(all.map((stack) => stack.destroy()));
  expect(place.leftovers()).toEqual({ faults: products.length });
}, 900_000);
