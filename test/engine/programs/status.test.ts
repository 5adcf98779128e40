import { expect, test } from "vitest";
import { nameOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";

test("while a cluster is created, its line shows what the provider waits for, and for how long", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), pace: "fast" });
  const { events } = await stack.up();
  const lines = events.flatMap(({ diagnosticEvent: line }) =>
    line?.ephemeral === true && nameOf(line.urn ?? "") === "Cluster platform" ? [line.message.trim()] : [],
  );
  expect(lines[0]).toBe("Creating");
  const seconds = lines.slice(1).map((line) => Number(/^Creating, (\d+) s$/.exec(line)?.[1]));
  expect(seconds).not.toContain(NaN);
  expect(seconds.toSorted((one, other) => one - other)).toEqual(seconds);
  expect(new Set(seconds).size).toBeGreaterThanOrEqual(2);
});
