import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createVpc, deleteVpc, describeSubnets, describeVpcs } from "../../catalogue/vpc.ts";
import { describeClusters } from "../../catalogue/cluster.ts";
import { PlatformError } from "../../operation/errors.ts";
import { type Fault, Faults } from "./faults.ts";
import { refused, stage as worldStage } from "../stage.fixture.ts";

function stage(seed = "faults") {
  const at = worldStage(seed);
  onTestFinished(() => at.world.close());
  const { cloud } = at;
  /** The error codes of `count` calls; empty for those that succeed. */
  const codes = async (count: number, call: () => Promise<object> = () => cloud.call(describeVpcs, {})) => {
    const told: string[] = [];
    const codeOf = (error: unknown) => (error instanceof PlatformError ? error.code : String(error));
    for (let index = 0; index < count; index++) told.push(await call().then(() => "", codeOf));
    return told;
  };
  return { ...at, codes, faults: new Faults(at.world) };
}

const throttled = { when: "before", code: "RequestLimitExceeded" } as const;

test("a fault hits from the nth call on, as often as given, and is gone then", async () => {
  const { faults, codes } = stage();
  faults.add({ operation: describeVpcs, nth: 2, times: 2, ...throttled });
  expect(await codes(2)).toEqual(["", "RequestLimitExceeded"]);
  expect(faults.list()).toMatchObject([{ met: 2, hit: 1 }]);
  expect(await codes(2)).toEqual(["RequestLimitExceeded", ""]);
  expect(faults.list()).toEqual([]);
});

test("of several faults of one call the first hits; the others count the call, and hit the next ones", async () => {
  const { faults, codes } = stage();
  faults.add({ operation: describeVpcs, nth: 1, when: "before", code: "InternalError" });
  faults.add({ operation: describeVpcs, nth: 1, ...throttled });
  faults.add({ operation: describeVpcs, nth: 3, when: "before" });
  expect(await codes(4)).toEqual(["InternalError", "RequestLimitExceeded", "ConnectionLost", ""]);
});

test("a fault is limited to a product, an action or a version, or hits every call", async () => {
  const { faults, cloud, codes } = stage();
  const hits = async (operation?: NonNullable<Extract<Fault, { operation?: unknown }>["operation"]>) => {
    faults.add({ ...(operation && { operation }), times: 3, ...throttled });
    const told = [
      await codes(1),
      await codes(1, () => cloud.call(describeSubnets, {})),
      await codes(1, () => cloud.call(describeClusters, {})),
    ];
    faults.clear();
    return told.flat().map((code) => code !== "");
  };
  expect(await hits()).toEqual([true, true, true]);
  expect(await hits({ product: "vpc" })).toEqual([true, true, false]);
  expect(await hits({ action: "DescribeSubnets" })).toEqual([false, true, false]);
  expect(await hits({ version: "2018-05-25" })).toEqual([false, false, true]);
  expect(await hits({ product: "vpc", action: "DescribeVpcs", version: "2018-05-25" })).toEqual([false, false, false]);
});

test("a fault of one resource hits calls that name its id or its name", async () => {
  const { faults, cloud, codes, vpc } = stage();
  const { vpcId } = await vpc();
  const other = (await vpc("10.1.0.0/16")).vpcId;
  faults.add({ resource: vpcId, when: "before", code: "ResourceInUse" });
  faults.add({ resource: "c", when: "before", code: "LimitExceeded" });
  expect(await codes(1, () => cloud.call(deleteVpc, { vpcId: other }))).toEqual([""]);
  expect(await codes(2, () => cloud.call(deleteVpc, { vpcId }))).toEqual(["ResourceInUse", ""]);
  expect(await codes(1, () => vpc("10.2.0.0/16", { vpcName: "c" }))).toEqual(["LimitExceeded"]);
});

test("with a probability, the same seed and calls give the same faults", async () => {
  const run = (fault: { probability: number; seed?: string }, seed?: string) => {
    const { faults, codes } = stage(seed);
    faults.add({ ...fault, ...throttled });
    return codes(40);
  };
  const hits = await run({ probability: 0.3 });
  const count = hits.filter(Boolean).length;
  expect([count > 4, count < 20]).toEqual([true, true]);
  expect(await run({ probability: 0.3 })).toEqual(hits);
  expect(await run({ probability: 0.3 }, "another")).not.toEqual(hits);
  expect(await run({ probability: 0.3, seed: "own" })).toEqual(await run({ probability: 0.3, seed: "own" }, "another"));
  expect(await run({ probability: 0 })).not.toContain("RequestLimitExceeded");
  expect(await run({ probability: 1 })).not.toContain("");
});

test("a rate limit lets its number of calls through within any second of the world's clock", async () => {
  const { world, faults, codes } = stage();
  world.freeze();
  faults.add({ perSecond: 3, ...throttled });
  const full = ["RequestLimitExceeded", "RequestLimitExceeded"];
  expect(await codes(5)).toEqual(["", "", "", ...full]);
  world.advance(999);
  expect(await codes(2)).toEqual(full);
  world.advance(1);
  expect(await codes(5)).toEqual(["", "", "", ...full]);
  // After the clock is set back, the calls of the later time no longer count.
  world.setTime(world.now() - 60_000);
  expect(await codes(1)).toEqual([""]);
});

test("a call that fails before has no effect, one that fails after has", async () => {
  const { faults, cloud, codes, vpc } = stage();
  faults.add({ operation: createVpc, when: "before" });
  expect(await codes(1, vpc)).toEqual(["ConnectionLost"]);
  expect(await cloud.call(describeVpcs, {})).toMatchObject({ totalCount: 0 });
  faults.add({ operation: createVpc, when: "after", code: "InternalError" });
  expect(await codes(1, vpc)).toEqual(["InternalError"]);
  expect(await cloud.call(describeVpcs, {})).toMatchObject({ totalCount: 1 });
});

test("a late answer delays no other call, and its caller can stop waiting for it", async () => {
  const { faults, cloud, vpc } = stage();
  faults.add({ operation: createVpc, delay: 300 });
  const begun = performance.now();
  const late = vpc();
  await sleep(50);
  expect(await cloud.call(describeVpcs, {})).toMatchObject({ totalCount: 1 });
  expect(performance.now() - begun).toBeLessThan(250);
  await late;
  expect(performance.now() - begun).toBeGreaterThan(290);
  faults.add({ operation: describeVpcs, delay: 300_000, ...throttled });
  await expect(cloud.call(describeVpcs, {}, { signal: AbortSignal.timeout(20) })).rejects.toThrow("aborted due to timeout");
  faults.add({ operation: describeVpcs, delay: 30, ...throttled });
  await refused(cloud.call(describeVpcs, {}), "RequestLimitExceeded");
});

test("databases have the names of layout 4 for the resource type and the end state", () => {
  const { world, faults } = stage();
  faults.add({ resourceType: "node", endState: "failed", resource: "np-1", reason: "out of stock" });
  const [row] = world.prepare("SELECT data FROM faults").all();
  expect(row?.["data"]).toBe('{"fault":{"thing":"node","end":"failed","resource":"np-1","reason":"out of stock"},"met":0,"hit":0}');
  expect(faults.list()).toEqual([
    { id: 1, fault: { resourceType: "node", endState: "failed", resource: "np-1", reason: "out of stock" }, met: 0, hit: 0 },
  ]);
});

test.each<[fault: object, sentence: string]>([
  [{}, "neither when nor delay is given; give what is to go wrong"],
  [{ when: "during" }, 'when is "during"; it takes before, after'],
  [{ when: "before", code: "Sorry" }, 'code is "Sorry"; it takes a code that the catalogue knows'],
  [{ delay: 5, code: "InternalError" }, "code is given without when; give before or after"],
  [{ delay: 300_001 }, "delay is 300001; it takes a whole number, 0 to 300000"],
  [{ when: "before", nth: 0 }, "nth is 0; it takes a whole number from 1 on"],
  [{ when: "before", nth: 1, probability: 0.5 }, "nth and probability are both given; give one of the two"],
  [{ when: "before", probability: 2 }, "probability is 2; it takes a number, 0 to 1"],
  [{ when: "before", perSecond: 5, nth: 1 }, "perSecond is given with nth or probability; give one of the three"],
  [{ when: "before", perSecond: 0 }, "perSecond is 0; it takes a whole number, 1 to 1000"],
  [{ when: "before", seed: "a" }, "seed is given without probability; only that is drawn"],
  [{ when: "before", times: "all" }, 'times is "all"; it takes a whole number from 1 on'],
  [{ when: "before", operation: { product: "dns" } }, 'operation.product is "dns"; it takes cluster, registry, vpc,'],
  [{ resourceType: "disk", endState: "gone", reason: "" }, 'resourceType is "disk"; it takes cluster, clusterEndpoint, node,'],
  [{ resourceType: "node", endState: "gone", reason: "" }, 'endState is "gone"; of node it takes initializing, running, failed'],
  [{ resourceType: "node", endState: "failed" }, "reason is required; it takes a text"],
  [{ when: "before", action: "CreateVpc" }, 'Unrecognized key: "action"'],
])("%j is refused with a message", (fault, sentence) => {
  const { faults } = stage();
  const untyped: { add(fault: object): number } = faults;
  expect(() => untyped.add(fault)).toThrow(`a fault: ${sentence}`);
  expect(faults.list()).toEqual([]);
});
