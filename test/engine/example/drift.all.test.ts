/** Only the real engine shows a change by hand that stays: in a refresh that expects none, and in an `up` that has none to make. */
import { updateClusterVersion } from "@container-platform/sdk/cluster";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";

test("a version that was raised by hand is shown without a replacement, and up says that it is kept", async () => {
  const program = clusterAlone().replace("{ vpcId, subnetId,", '{ vpcId, subnetId, clusterVersion: "1.30.0",');
  await using stack = await Stack.create({ program });
  await stack.up();
  const { id: clusterId = "" } = await stack.resource("Cluster platform");
  await stack.cloud().call(updateClusterVersion, { clusterId, dstVersion: "1.32.2" });
  const { code, output } = await stack.start("refresh", "--preview-only", "--expect-no-changes", "--diff").ended;
  expect(code, output).toBe(7);
  expect(output).toMatch(/~ clusterVersion: "1\.30\.0" => "1\.32\.2"/);
  expect(output).not.toMatch(/replace|__said/);
  const { events } = await stack.up("--refresh", "--expect-no-changes");
  const notes = events.flatMap(({ diagnosticEvent: line }) => (line?.message.includes("so it is kept") ? [line.message] : []));
  expect(notes).toEqual([expect.stringContaining('clusterVersion: "1.32.2" (program: "1.30.0")')]);
});
