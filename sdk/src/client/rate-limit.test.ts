import fc from "fast-check";
import { expect, test } from "vitest";
import { describeRegions } from "../catalogue/cluster.ts";
import { describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "./client.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";
import { faster, RateLimit, slower, waitBefore } from "./rate-limit.ts";

test("never more calls begin within a second than are allowed, and none waits longer than it has to", () => {
  const arrivals = fc.array(fc.nat(400), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), arrivals, (allowed, gaps) => {
      const begun: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        const came = (now += gap);
        now += waitBefore(begun, allowed, now);
        const waited = now > came;
        if (waited) expect(begun.filter((time) => time > now - 1001)).toHaveLength(allowed);
        begun.push(now);
        expect(begun.filter((time) => time > now - 1000).length).toBeLessThanOrEqual(allowed);
      }
    }),
  );
});

test("the rate is halved, never below one a second, and comes back by one after each second that is used fully", () => {
  expect([20, 3, 1.5, 1].map(slower)).toEqual([10, 1.5, 1, 1]);
  let allowed = 10;
  for (let call = 0; call < 10; call++) allowed = faster(allowed, 20);
  expect(allowed).toBeGreaterThan(10.9);
  expect(allowed).toBeLessThanOrEqual(11);
  for (let call = 0; call < 1000; call++) allowed = faster(allowed, 20);
  expect(allowed).toBe(20);
});

/** A platform whose products are loaded, and the calls that it has had, in order. */
async function stage(callsPerSecond: number) {
  const world = World.open(":memory:", { timeScale: "instant", seed: "rate" });
  const transport = new LocalPlatform(world);
  const region = "eu-frankfurt";
  // The first call of a product has to load it.
  const first = new Cloud({ transport, region });
  await first.call(describeVpcs, {});
  await first.call(describeRegions, {});
  world.prepare("DELETE FROM audit").run();
  const cloud = new Cloud({ transport, region, callsPerSecond, retries: { attempts: 1 } });
  const calls = () =>
    world
      .prepare("SELECT json_extract(data, '$.action') AS action, json_extract(data, '$.code') AS code FROM audit ORDER BY seq")
      .all()
      .map(({ action, code }) => [action, code].filter(Boolean).join(": "));
  return { transport, cloud, calls };
}

test("calls of one product wait for each other, in order, and not for another's", async () => {
  const { cloud, calls } = await stage(1);
  const order: number[] = [];
  const asked = [1, 2, 3].map((number) => cloud.call(describeVpcs, {}).then(() => order.push(number)));
  await cloud.call(describeRegions, {});
  expect(calls()).toEqual(["DescribeVpcs", "DescribeRegions"]);
  await Promise.all(asked);
  expect(order).toEqual([1, 2, 3]);
});

test("a call that is given up while it waits is not made, and nobody waits for it", async () => {
  const { cloud, calls } = await stage(1);
  await cloud.call(describeVpcs, {});
  const stop = new AbortController();
  const given = cloud.call(describeVpcs, {}, { signal: stop.signal });
  const next = cloud.call(describeVpcs, {});
  stop.abort();
  await expect(given).rejects.toThrow("aborted");
  expect(calls()).toHaveLength(1);
  await next;
  expect(calls()).toHaveLength(2);
});

test("a throttled answer makes all calls of the product wait, not only the one", async () => {
  const { cloud, calls, transport } = await stage(2);
  transport.faults.add({ operation: describeVpcs, when: "before", code: "RequestLimitExceeded" });
  await expect(cloud.call(describeVpcs, {})).rejects.toMatchObject({ kind: "throttled" });
  // Two a second are allowed, and one was made.
  const waiting = cloud.call(describeVpcs, {});
  await cloud.call(describeRegions, {});
  expect(calls()).toEqual(["DescribeVpcs: RequestLimitExceeded", "DescribeRegions"]);
  await waiting;
});

test("less than one call a second is no limit that one can set", () => {
  for (const limit of [0, -1, NaN, 0.5])
    expect(() => new RateLimit(limit)).toThrow(`callsPerSecond is ${limit}; it takes a number from 1 on`);
});
