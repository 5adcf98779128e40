/** The engine alone leaves the state of a killed `pulumi up`: the provider reads it by `pulumi stack export`, and dies with its engine. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { clusterAlone } from "../cluster-programs.ts";
import { carriedOut, upKilledIn } from "../killed-runs.ts";

test("the next up recovers a cluster whose creation was interrupted, by the state alone, and destroy deletes everything", async () => {
  await using stack = await Stack.create({ program: clusterAlone(), programs: "language-host" });
  await upKilledIn(stack, "CreateCluster");
  // Another machine has no intent log of it.
  rmSync(join(stack.folder, ".local", "state", "container-platform"), { recursive: true });
  const { output } = await stack.up();
  expect(output).toMatch(/takes over cls-[0-9a-f]{8}, which was made by a run that was ended before it could save it/);
  expect(carriedOut(stack, "CreateCluster")).toBe(1);
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
