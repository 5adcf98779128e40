import { globSync } from "node:fs";
import { join } from "node:path";
import * as provider from "@container-platform/pulumi";
import { Output, runtime } from "@pulumi/pulumi";
import { beforeAll, expect, test } from "vitest";
import { kinds as definitions } from "../../../provider/src/resources/kinds.ts";
import { kinds } from "../../../provider/src/resources/reviews.ts";
import { got } from "../../support/any-class.ts";
import { casesOf } from "../kinds/all.ts";

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

test.each(kinds)("%s has a table of what its inputs do", (kind) => {
  const file = `${kind.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.test.ts`;
  expect(globSync(`*/${file}`, { cwd: join(import.meta.dirname, "../kinds") }), `test/provider/kinds/<product>/${file}`).toHaveLength(1);
});

test("a kind has the case of an interrupted creation that its proof of ownership asks for", async () => {
  for (const kind of kinds) {
    const { owned } = (await definitions[kind]()).kind;
    const asked = owned === "key" ? "keyed" : typeof owned === "object" && "note" in owned ? "noted" : "tagged";
    expect(Object.keys(casesOf[kind].killed), kind).toEqual([asked]);
  }
});

test("a kind whose id names a protected one says that it is inside of that one", async () => {
  const all = await Promise.all(kinds.map(async (kind) => (await definitions[kind]()).kind));
  for (const container of all.filter(({ protectedBy }) => protectedBy !== undefined))
    for (const { type, id, within } of all.filter((kind) => kind !== container))
      if (container.id.names.every((name) => id.names.includes(name))) expect(within?.kind.type, type).toBe(container.type);
  for (const { type, id, inputs, within } of all.filter((kind) => kind.within)) {
    expect(Object.keys(inputs.shape), type).toContain(within?.by);
    expect(id.names, type).toContain(within?.by);
    expect(within?.kind.id.names, type).toHaveLength(1);
  }
});
