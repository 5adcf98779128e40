import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { expect, test } from "vitest";
import { kept, object, secret } from "../../../provider/src/definition/inputs.ts";
import { kinds } from "../../../provider/src/resources/kinds.ts";
import { marksOf } from "../../../provider/src/schema/marks.ts";

/** Marks are read as far as schemas show their parts: a mark that a schema hides, such as that of a secret, would have no effect. */

const plainText = z.string();

test("no resource has a schema that hides a mark", async () => {
  for (const load of Object.values(kinds)) {
    const { type, inputs, outputs } = (await load()).kind;
    expect([...hiddenMarks(inputs, type), ...hiddenMarks(outputs, type)]).toEqual([]);
  }
});

test("a schema that would hide a mark is found", () => {
  const found = (schema: z.ZodType) => hiddenMarks(schema, "input");
  expect(found(object({ key: secret(plainText), list: z.array(object({ key: kept(plainText) })) }))).toEqual([]);
  expect(found(secret(plainText).transform((text) => text.length))).toEqual(["input is a pipe, which hides the marks inside it"]);
  expect(found(object({ key: z.array(secret(plainText).readonly()) }))).toEqual([
    "input.key[] is a readonly, which hides the marks inside it",
  ]);
  expect(found(z.record(z.string(), secret(plainText)))).toEqual(["input is a record, whose values take neither marks nor parts"]);
  expect(found(kept(plainText).default("a"))).toEqual(["input has a default: it cannot also be cleared, kept or refused"]);
});

/** The types of schemas that are a value as a whole: nothing inside them has marks. */
const plain = ["string", "number", "int", "boolean", "enum", "literal"];

/** Why a property cannot be read with all its marks, one sentence each. Some schemas hide those inside them, such as that of `transform`. */
function hiddenMarks(schema: z.core.$ZodType, path: string): readonly string[] {
  const type = unwrapped(schema);
  const isUnclear = marksOf(schema).removed !== undefined && hasDefault(schema);
  const here = isUnclear ? [`${path} has a default: it cannot also be cleared, kept or refused`] : [];
  if (type instanceof z.ZodArray) return [...here, ...hiddenMarks(type.element, `${path}[]`)];
  if (type instanceof z.ZodObject)
    return [...here, ...Object.entries(fieldsOf(type)).flatMap(([key, field]) => hiddenMarks(field, `${path}.${key}`))];
  if (plain.includes(type._zod.def.type)) return here;
  if (!(type instanceof z.ZodRecord)) return [...here, `${path} is a ${type._zod.def.type}, which hides the marks inside it`];
  const isPlain = plain.includes(type.valueType._zod.def.type) && Object.keys(marksOf(type.valueType)).length === 0;
  return isPlain ? here : [...here, `${path} is a record, whose values take neither marks nor parts`];
}

function hasDefault(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return hasDefault(schema.unwrap());
  return schema instanceof z.ZodDefault;
}
