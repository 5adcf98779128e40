import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, World } from "@container-platform/sdk/local";
import { afterAll, expect, test } from "vitest";
import type { Context } from "../definition/context.ts";
import { Poll } from "./poll.ts";

/** What a wait shows, and how it ends. */

const world = World.open(":memory:", { timeScale: "instant", seed: "poll" });
afterAll(() => {
  world.close();
});

function contextOf() {
  const [stop, shown, warned] = [new AbortController(), new Array<string>(), new Array<string>()];
  const context: Context = {
    cloud: new Cloud({ transport: new LocalPlatform(world), region: "eu-frankfurt" }),
    signal: stop.signal,
    show: (message) => void shown.push(message),
    note: () => undefined,
    warn: ({ message }) => void warned.push(message),
  };
  return { context, shown, warned, stop };
}

/** A look that finds something missing for some times. */
function missing(times: number): () => Promise<string | undefined> {
  let looks = 0;
  return () => Promise.resolve(++looks > times ? undefined : `look ${looks}`);
}

test("a wait ends with the first look that lacks nothing, and shows each other one", async () => {
  const { context, shown, warned } = contextOf();
  await new Poll(context, 60, { slow: { seconds: 1000, warning: "slow" } }).until(missing(2));
  expect([shown, warned]).toEqual([["look 1", "look 2"], []]);
});

test("a wait that is slow by the platform's clock is warned of once", async () => {
  const { context, warned } = contextOf();
  await new Poll(context, 60, { slow: { seconds: 0, warning: "slow" } }).until(missing(2));
  expect(warned).toEqual(["slow"]);
});

test("a wait whose time is up says what it lacks, and what gives it longer, also if each look begins again", async () => {
  const { context } = contextOf();
  const poll = new Poll(context, 0.02);
  const work = () => {
    poll.restart();
    return Promise.resolve("Creating");
  };
  const says = "gave up after 0.0 s: Creating. The next `pulumi up` continues to wait; `customTimeouts` sets a longer limit";
  await expect(poll.until(work)).rejects.toMatchObject({ code: "TimedOut", message: says });
  const next = { next: "The next command continues", longer: undefined };
  await expect(new Poll(context, 0.02, next).until(work)).rejects.toThrow(/Creating\. The next command continues to wait$/);
  const more = () => ({ source: "InUse, request 1", remedy: "Delete it" });
  await expect(new Poll(context, 0.02).until(work, more)).rejects.toThrow(/: Creating \(InUse, request 1\)\. Delete it$/);
});

test("a wait that the user ends says what continues it", async () => {
  const { context, stop } = contextOf();
  stop.abort();
  await expect(new Poll(context, 60).until(missing(1))).rejects.toMatchObject({
    ...{ code: "Interrupted", message: "interrupted: look 1. The next `pulumi up` continues from here" },
  });
});
