import { expect, test } from "vitest";
import { nearest } from "./near-spellings.ts";

const names = ["DescribeVpcs", "DescribeVersions", "DeleteVpc", "CreateVpc"];

test.each([
  ["DescribeVpc", ["DescribeVpcs"]],
  ["describevpcs", ["DescribeVpcs"]],
  ["CreatVpc", ["CreateVpc"]],
  ["CreateVpcs", ["CreateVpc"]],
  ["DescribeClusters", []],
  ["", []],
])("what %s may have meant", (name, meant) => {
  expect(nearest(name, names)).toEqual(meant);
});

test.each([
  ["vcp", ["vpc"]],
  ["tga", ["tag"]],
  ["regsitry", ["registry"]],
  ["clsuter", ["cluster"]],
  ["wat", ["wait"]],
  ["vp", []],
  ["xyz", []],
])("what the short name %s may have meant", (name, meant) => {
  expect(nearest(name, ["vpc", "tag", "registry", "cluster", "wait", "list"])).toEqual(meant);
});

test("the nearest one comes first, and there are three at most", () => {
  expect(nearest("abcdefghij", ["abcdefghxx", "abcdefghix", "abcdefghij", "abcdefghyy"])).toEqual([
    "abcdefghij",
    "abcdefghix",
    "abcdefghxx",
  ]);
});
