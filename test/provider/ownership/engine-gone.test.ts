import { setTimeout as sleep } from "node:timers/promises";
import { createVpc, describeSecurityGroups } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { Stage } from "../stage/stage.ts";

/** In a process of its own, the provider ends with its engine, whatever killed that, and its calls with Control-C, whatever it is waiting for. */

test("an engine that is gone: its provider ends within seconds, also in the middle of a call that takes minutes", async () => {
  await using stage = await Stage.open();
  stage.faults.add({ operation: createVpc, delay: 120_000 });
  const begun = stage
    .deployment("Vpc")
    .up({ cidrBlock: "10.0.0.0/16" })
    .catch((error: unknown) => error);
  await expect.poll(async () => (await stage.contents())["vpcs"]).toBe(1);
  const ended = stage.host.ended();
  stage.host.killEngine();
  // Whoever takes its address next is not mistaken for it.
  await sleep(1000);
  await stage.host.takeAddress();
  expect(await Promise.race([ended.then(() => "ended"), sleep(10_000, "still there")])).toBe("ended");
  expect(await begun).toBeInstanceOf(Error);
});

test("Control-C ends reads that the platform does not answer", async () => {
  await using stage = await Stage.open();
  const one = await stage.deployed("SecurityGroup", {});
  await stage.host.restart();
  const asked = () => stage.world.prepare("SELECT 1 FROM audit").all().length;
  const before = asked();
  stage.faults.add({ operation: describeSecurityGroups, delay: 300_000 });
  const ended = expect(one.refresh()).rejects.toThrow(
    /reading SecurityGroup sg-[0-9a-f]{8}: interrupted: the platform has not answered yet$/,
  );
  await expect.poll(asked).toBeGreaterThan(before);
  await stage.host.cancel();
  await ended;
  await stage.host.restart();
  expect(await one.refresh()).toBe(true);
});
