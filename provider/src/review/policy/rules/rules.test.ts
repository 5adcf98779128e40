import { fieldsOf, unwrapped } from "@container-platform/sdk";
import { describe, expect, test } from "vitest";
import * as z from "@container-platform/sdk/zod";
import * as provider from "../../../index.ts";
import { type Fields, isFields, isList, type Value } from "../../plan/values.ts";
import { kinds } from "../../../resources/reviews.ts";
import type { Case } from "./case.fixture.ts";
import { clusterCases } from "./cluster.fixture.ts";
import { networkCases } from "./network.fixture.ts";
import { Part } from "../language/rule.ts";
import { registryCases } from "./registry.fixture.ts";
import { rules } from "../rules.ts";

const cases: Readonly<Record<string, Case>> = { ...networkCases, ...clusterCases, ...registryCases };

test("each rule has an id of its own, and cases", () => {
  expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});

test("a rule that is not reported together with a wider one is about the same kinds", () => {
  for (const { kinds: narrow, within } of rules) {
    if (within !== undefined) expect(rules.find(({ id }) => id === within)?.kinds).toEqual(narrow);
  }
});

test("the rule about tags is about every kind that takes tags", () => {
  const tagged = kinds.filter((kind) => provider[kind].kind.tagsInput === "tags");
  expect(rules.find(({ id }) => id === "CP-ORG-001")?.kinds).toEqual(tagged);
  expect(kinds.filter((kind) => provider[kind].kind.tagsInput !== undefined)).toEqual(tagged);
});

const all = rules.map((rule) => ({ ...rule, rule, example: cases[rule.id] }));
describe.each(all)("$id: $title", ({ rule, example }) => {
  if (!example) throw new Error(`${rule.id} has no cases`);
  const { passes, fails, at, warned, open, lacks, parameters = {} } = example;
  const judged = (inputs: Fields, warnings?: Case["warned"]) => rule.fails(new Part(inputs, "", warnings), parameters);

  test("passes", () => {
    expect(judged(passes).holds).toBe(false);
  });

  test("fails, and names the input", () => {
    expect(judged(fails, warned)).toEqual({ holds: true, at });
  });

  if (open)
    test("cannot be decided, and names the input", () => {
      expect(judged(open)).toEqual({ holds: undefined, at: lacks });
    });

  test("is about inputs that exist", () => {
    const about = rule.kinds === "any" ? kinds : rule.kinds;
    for (const inputs of [passes, fails, open ?? {}])
      expect(about.map((kind) => unknownPaths(provider[kind].kind.inputs, inputs, kind))).toContainEqual([]);
  });
});

/** The paths that are no inputs of a resource. */
function unknownPaths(schema: z.core.$ZodType, value: Value, path: string): string[] {
  const type = unwrapped(schema);
  if (isList(value))
    return value.flatMap((item, index) => (type instanceof z.ZodArray ? unknownPaths(type.element, item, `${path}[${index}]`) : [path]));
  if (isFields(value)) {
    if (type instanceof z.ZodRecord)
      return Object.entries(value).flatMap(([key, item]) => unknownPaths(type.valueType, item, `${path}.${key}`));
    const fields = fieldsOf(type);
    return Object.entries(value).flatMap(([key, inner]) => {
      const field = fields[key];
      return field ? unknownPaths(field, inner, `${path}.${key}`) : [`${path}.${key}`];
    });
  }
  return typeof value === "object" || z.safeParse(schema, value).success ? [] : [path];
}
