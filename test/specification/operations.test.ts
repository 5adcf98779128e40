import { catalogue } from "@container-platform/sdk/reference";
import { expect, test } from "vitest";
import { operationsListed } from "./statements.ts";

test("the catalogue has the 63 operations that the specification lists, and marks them as such", () => {
  const listed = operationsListed().map(({ product, action }) => `${product} ${action}`);
  const counts = Object.entries(Object.groupBy(operationsListed(), ({ product }) => product)).map(([product, of]) => [product, of?.length]);
  expect(Object.fromEntries(counts)).toEqual({ cluster: 29, registry: 21, vpc: 10, compute: 2, audit: 1 });
  // An action that two versions have is listed once; the newer one of those is the public API's.
  const own = catalogue.filter(({ source }) => source === "specification").map(({ product, action }) => `${product} ${action}`);
  expect(own.toSorted()).toEqual(listed.toSorted());
});
