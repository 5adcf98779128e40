import { setTimeout as sleep } from "node:timers/promises";
import { createVpc } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { Stage } from "../stage/stage.ts";

/** The provider's process ends with its engine, whatever killed that, and whatever the provider is waiting for. */

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
