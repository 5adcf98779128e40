import { expect, test } from "vitest";
import { nearest } from "./near-spellings.ts";

const actions = ["DescribeVpcs", "DescribeVersions", "DeleteVpc", "CreateVpc"];
const short = ["vpc", "tag", "registry", "cluster", "wait", "list"];

test.each([
  ["DescribeVpc", ["DescribeVpcs"]],
  ["describevpcs", ["DescribeVpcs"]],
  ["CreatVpc", ["CreateVpc"]],
  ["CreateVpcs", ["CreateVpc"]],
  ["DescribeClusters", []],
  ["", []],
  ["vcp", ["vpc"]],
  ["tga", ["tag"]],
  ["regsitry", ["registry"]],
  ["clsuter", ["cluster"]],
  ["wat", ["wait"]],
  ["vp", []],
  ["xyz", []],
])("what %s may have meant", (name, meant) => {
  expect(nearest(name, [...actions, ...short])).toEqual(meant);
});

test("the nearest one comes first, and there are three at most", () => {
  const nearestFirst = ["abcdefghij", "abcdefghix", "abcdefghxx"];
  expect(nearest("abcdefghij", ["abcdefghxx", "abcdefghix", "abcdefghij", "abcdefghyy"])).toEqual(nearestFirst);
});
