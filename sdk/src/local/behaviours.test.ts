import { expect, test } from "vitest";
import { catalogue, publicFormCatalogue } from "../catalogue/every-operation.ts";
import type { Operation } from "../operation/operation.ts";
import { behavioursOf } from "./behaviours.ts";

test.each([
  { form: "specification", all: catalogue },
  { form: "public", all: [...catalogue, ...publicFormCatalogue] },
] as const)("the local platform carries out every operation of the $form form, and no other", async ({ form, all }) => {
  const named = ({ product, action, version }: Operation) => `${product} ${action} ${version}`;
  const products = [...new Set(catalogue.map(({ product }) => product))];
  const behaviours = (await Promise.all(products.map((product) => behavioursOf(product, form)))).flatMap((of) => [...of.values()].flat());
  expect(behaviours.map(({ operation }) => named(operation)).toSorted()).toEqual(all.map(named).toSorted());
});
