import { expect, test } from "vitest";
import { fitsPattern, nearest } from "./texts.ts";

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

test.each([
  ["v1", "v1", true],
  ["v1", "v10", false],
  ["v*", "v", true],
  ["v*", "v1.2", true],
  ["*", "a/b", false],
  ["**", "a/b", true],
  ["***", "a/b", true],
  ["team/*", "team/web", true],
  ["team/*", "team/web/api", false],
  ["team/**", "team/web/api", true],
  ["*/web", "team/web", true],
  ["**/web", "a/b/web", true],
  ["a*b*c", "aXbXbXc", true],
  ["a*b*c", "aXbXbX", false],
  ["v1.0", "v1x0", false],
  ["[v]", "v", false],
  ["", "", true],
  ["", "v", false],
])("the pattern %j, and the text %j: %s", (pattern, text, fits) => {
  expect(fitsPattern(pattern, text)).toBe(fits);
});

test("a pattern of many stars takes no longer than one of few", () => {
  const text = "a".repeat(255);
  for (const part of ["*", "**", "*a", "**a"]) expect(fitsPattern(`${part.repeat(120)}!`, text)).toBe(false);
});
