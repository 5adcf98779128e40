import { expect, test } from "vitest";
import { ownersOf } from "../../examples/gitops/code-owners.ts";

test.for([
  ["* @bob", "a/b.ts", ["bob"]],
  ["* @bob\n*.ts @carol # who knows", "a/b.ts", ["carol"]],
  ["*.ts @carol\n/a/ @bob @acme/team dave@example.com", "a/b.ts", ["bob"]],
  ["* @bob\na/b.ts", "a/b.ts", []],
  ["a @bob", "x/a/b.ts", ["bob"]],
  ["/a @bob", "x/a/b.ts", []],
  ["a/ @bob", "a", []],
  ["docs/* @bob", "docs/a.md", ["bob"]],
  ["docs/* @bob", "docs/a/b.md", []],
  ["docs/* @bob", "x/docs/a.md", []],
  ["docs/ @bob", "x/docs/a/b.md", ["bob"]],
  ["**/logs @bob", "a/b/logs/c", ["bob"]],
  ["/a/**/z.ts @bob", "a/z.ts", ["bob"]],
  ["/a/**/z.ts @bob", "a/b/c/z.ts", ["bob"]],
  ["a.ts @bob", "axts", []],
  ["* @bob\n!a.ts @carol", "b.ts", []],
  ["* @bob\n[ab].ts @carol", "c.ts", []],
  ["# * @bob\n\n", "a.ts", []],
] as const)("by %j, %s is owned by %j", ([owners, file, expected]) => {
  expect(ownersOf(owners, file)).toEqual(expected);
});
