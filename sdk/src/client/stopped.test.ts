import { expect, test } from "vitest";
import { createVpc, describeVpcs } from "../catalogue/vpc.ts";
import { reasonOf } from "../operation/errors.ts";
import type { Transport } from "../transport/transport.ts";
import { Cloud } from "./client.ts";

/** A platform that does not answer. */
function silent() {
  const asked: string[] = [];
  const never = (signal?: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => {
        reject(reasonOf(signal));
      });
    });
  const transport: Transport = {
    send: ({ action }, signal) => {
      asked.push(action);
      return never(signal);
    },
    whoAmI: never,
    close: () => Promise.resolve(),
  };
  return { asked, transport };
}

test("who stops waits neither for reads nor for the account; a write is waited for", async () => {
  const { asked, transport } = silent();
  const stop = new AbortController();
  const cloud = new Cloud({ transport, region: "eu-frankfurt", stopped: stop.signal });
  const outcomes: string[] = [];
  const noted = (what: string, call: Promise<unknown>) =>
    call.catch((error: unknown) => {
      outcomes.push(`${what}: ${String(error)}`);
    });
  void noted("write", cloud.call(createVpc, { vpcName: "a", cidrBlock: "10.0.0.0/16" }));
  const reads = [noted("read", cloud.call(describeVpcs, {})), noted("account", cloud.account())];
  stop.abort();
  const begun = performance.now();
  await Promise.all([...reads, noted("later", cloud.call(describeVpcs, {}))]);
  expect(performance.now() - begun).toBeGreaterThan(2500);
  await noted("after", cloud.call(describeVpcs, {}));
  const why = "Error: interrupted: the platform has not answered yet";
  expect(outcomes.toSorted()).toEqual(["account", "after", "later", "read"].map((what) => `${what}: ${why}`));
  expect(asked.filter((action) => action === "CreateVpc")).toHaveLength(1);
});
