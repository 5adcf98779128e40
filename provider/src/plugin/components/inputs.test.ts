import * as z from "@container-platform/sdk/zod";
import { Output, output, secret } from "@pulumi/pulumi";
import outputs from "@pulumi/pulumi/output.js";
import resources from "@pulumi/pulumi/resource.js";
import { expect, test } from "vitest";
import { ProviderError } from "../../definition/codes.ts";
import { input, parts } from "../../components/arguments.ts";
import { knownValue } from "../../dynamic/known.ts";
import { at, type Props } from "../../schema/values.ts";
import { argumentsOf } from "./inputs.ts";

const schema = z.strictObject({
  name: z.string(),
  zones: z.union([z.int(), z.array(z.string())]),
  pools: z.record(z.string(), parts("a pool", { role: z.string(), size: input(), labels: input() })),
  tags: z.record(z.string(), input()).optional(),
  isProtected: input().optional(),
});

const opened = (given: Props) => argumentsOf(schema, given);

/** An output of a resource; without a value, it is not known yet. */
function ofResource(value: unknown = outputs.unknown): Output<unknown> {
  const { urn } = new resources.DependencyResource("urn:pulumi:test::test::container-platform:index:Vpc::net");
  return urn.apply(() => value);
}

async function dependsOnResource(value: unknown): Promise<boolean> {
  return Output.isInstance(value) && (await outputs.getAllResources(value)).size === 1;
}

test("what a program knows is a value, however its language sends it, and what is left out is not there", async () => {
  const given = { name: output("a"), zones: output(["one", output("two")]), pools: { apps: { role: output("nodes"), size: output(3) } } };
  expect(await opened({ ...given, isProtected: output(true), tags: null })).toEqual({
    name: "a",
    zones: ["one", "two"],
    pools: { apps: { role: "nodes", size: 3 } },
    isProtected: true,
  });
});

test("what has to be known and comes from a resource is a value, and what may come later depends on it", async () => {
  const args = await opened({
    name: ofResource("a"),
    pools: ofResource({ apps: { role: "nodes", size: 3 } }),
    tags: { team: ofResource("b") },
  });
  expect([args["name"], at(args, ["pools", "apps", "role"])]).toEqual(["a", "nodes"]);
  for (const path of [
    ["pools", "apps", "size"],
    ["tags", "team"],
  ])
    expect(await dependsOnResource(at(args, path))).toBe(true);
});

test("what is secret or not known yet stays an output", async () => {
  const args = await opened({ isProtected: secret(true), zones: ofResource(), tags: { team: secret("b") } });
  for (const path of [["isProtected"], ["zones"], ["tags", "team"]]) expect(Output.isInstance(at(args, path))).toBe(true);
  const { zones } = args;
  expect(Output.isInstance(zones) && (await knownValue(zones))).toBe(undefined);
});

test.each([
  ["name", { name: secret("a") }],
  ["zones[1]", { zones: ["one", secret("two")] }],
  ["pools.apps.role", { pools: { apps: { role: secret("nodes") } } }],
  ["tags", { tags: secret({ team: "b" }) }],
])("%s: a secret that has to be known is refused as one, by its place, and is not told", async (path, given) => {
  await expect(opened(given)).rejects.toThrow(
    new ProviderError(
      "InvalidInput",
      `${path}: is a secret, and the component makes names, ranges and the number of its resources of it, which are in clear in the state: give it in clear`,
      { path },
    ),
  );
});
