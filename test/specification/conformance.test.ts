import { expect, test } from "vitest";
import { proofs } from "./proofs.ts";
import { referenceTo, statements } from "./statements.ts";
import { elsewhere, partly, untestable } from "./unproven.ts";

const stated = statements().map(referenceTo);
const proven = new Set(proofs.flatMap(({ shows }) => shows));
const excused = [...untestable, ...elsewhere].flatMap((entry) => entry.statements);

test("every statement of the specification is proven, or listed with the reason why it is not", () => {
  console.log(`the specification has ${stated.length} statements; ${stated.filter((one) => proven.has(one)).length} are proven here`);
  expect(stated.filter((one) => !proven.has(one) && !excused.includes(one))).toEqual([]);
});

test("proofs and lists refer to existing statements, and a listed statement is listed once and not proven", () => {
  const known = new Set(stated);
  expect([...proven, ...excused].filter((one) => !known.has(one))).toEqual([]);
  expect(excused.filter((one, index) => proven.has(one) || excused.indexOf(one) < index)).toEqual([]);
});

test("clauses that are not shown are listed only for proven statements", () => {
  const clauses = partly.flatMap((entry) => entry.statements);
  expect(clauses.filter((one, index) => !proven.has(one) || clauses.indexOf(one) < index)).toEqual([]);
});

test("no two statements have the same reference, and no two proofs have the same title", () => {
  expect(new Set(stated).size).toBe(stated.length);
  expect(new Set(proofs.map(({ title }) => title)).size).toBe(proofs.length);
});
