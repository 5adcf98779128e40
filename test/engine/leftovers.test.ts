import { expect, test } from "vitest";
import { Stack } from "../support/stack.ts";
import { cluster, ended, network, registry, upKilledIn } from "./killed-runs.ts";

/** What a killed run has created and not saved: the first deletion of a later run removes it, and nothing that was saved. */

test("the first deletion removes what a killed run has not saved, in order, and leaves what it has saved", async () => {
  await using stack = await Stack.create({
    program: network.replace("{ ", "{ Cluster, ") + registry(", { dependsOn }") + cluster,
    programs: "language-host",
  });
  await upKilledIn(stack, "CreateInstance", "CreateCluster");
  const saved = await stack.resources();
  expect(saved).toHaveLength(3);
  const { urn } = await stack.resource("Subnet zone-2");
  const { output } = await stack.destroy("--target", urn);
  expect(output).toMatch(new RegExp(`removed cls-[0-9a-f]{8} \\(Cluster\\), ${ended}`));
  expect(output).toMatch(new RegExp(`removed tcr-[0-9a-f]{8} \\(RegistryInstance\\), ${ended}`));
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 1 });
  expect([stack.count("clusters"), stack.count("registries")]).toEqual([0, 0]);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
