import * as provider from "@container-platform/pulumi";
import { Output, runtime } from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { kinds as definitions } from "../../../provider/src/resources/kinds.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { got } from "../../support/any-class.ts";

beforeAll(() =>
  runtime.setMocks({ newResource: ({ inputs }) => ({ id: "example-1", state: { ...inputs, vpcName: "filled-in" } }), call: () => ({}) }),
);

test("the entry point has a class for each kind", () => {
  const exported = Object.entries(provider).flatMap(([name, one]) => ("kind" in one ? [name] : []));
  expect(exported.toSorted()).toEqual([...kinds].toSorted());
});

test.each(kinds)("%s: every property is an Output", async (type) => {
  const { kind } = await definitions[type]();
  // The program gives no input.
  const made = got(type);
  const properties = [kind.inputs, kind.outputs].flatMap(({ shape }) => Object.keys(shape));
  expect(properties.filter((key) => !Output.isInstance(Reflect.get(made, key)))).toEqual([]);
});

test("an input that was left out has the value that was filled in, or undefined", async () => {
  const made = new provider.Vpc("example", { cidrBlock: "10.0.0.0/16" });
  const values = await new Promise((resolve) => {
    Output.create([made.cidrBlock, made.vpcName, made.dnsServers] as const).apply(resolve);
  });
  expect(values).toEqual(["10.0.0.0/16", "filled-in", undefined]);
});
