import { output } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { describeValue } from "./describe-value.ts";

const circular: Record<string, unknown> = {};
circular["self"] = circular;

test.each<[value: unknown, said: string]>([
  [undefined, "undefined"],
  [null, "null"],
  ["x", '"x"'],
  [7, "7"],
  [7n, "7"],
  [Symbol("s"), "Symbol(s)"],
  [["a", 1], '["a",1]'],
  [[circular], "a list"],
  [circular, "an object"],
  [() => 1, "a function"],
  [Promise.resolve(1), "a promise, which has to be awaited"],
  [output(1), "an output or a secret"],
  [[output(1)], "a list"],
])("%#", (value, said) => {
  expect(describeValue(value)).toBe(said);
});
