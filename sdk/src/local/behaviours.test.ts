import { expect, test } from "vitest";
import { catalogue } from "../catalogue/every-operation.ts";
import type { Operation } from "../operation/operation.ts";
import { behavioursOf } from "./behaviours.ts";

test("the local platform carries out every operation of the catalogue, and no other", async () => {
  const named = ({ product, action, version }: Operation) => `${product} ${action} ${version}`;
  const products = [...new Set(catalogue.map(({ product }) => product))];
  const behaviours = (await Promise.all(products.map((product) => behavioursOf(product)))).flat();
  expect(behaviours.map(({ operation }) => named(operation)).toSorted()).toEqual(catalogue.map(named).toSorted());
});
