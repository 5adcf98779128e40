import type { Operation } from "@container-platform/sdk";
import { catalogue } from "@container-platform/sdk/reference";
import type { z } from "zod";
import { publicFormCatalogue } from "../../sdk/src/catalogue/every-operation.ts";
import { publicApi } from "../../sdk/src/wire-format/wire-format.ts";
import { publicDifferences } from "../../sdk/src/wire-format/public/differences.ts";
import { unread } from "../../sdk/src/wire-format/public/examples.fixture.ts";
import { modelsOf } from "../../sdk/src/wire-format/public/models.fixture.ts";
import { type Lacks, lacksOf } from "../../sdk/src/wire-format/public/shapes.fixture.ts";
import { type AnyFields, callRegion, type Difference } from "../../sdk/src/wire-format/rule.ts";
import { refusedExamples } from "../../sdk/src/server/replay.fixture.ts";
import { wireName } from "../../sdk/src/operation/codec.ts";
import { fieldsOf, itemsOf } from "../../sdk/src/operation/operation.ts";
import { proofs } from "../../test/specification/proofs.ts";
import { publicOtherwise } from "../../test/specification/public-otherwise.ts";
import { code, codes, table } from "./markdown.ts";

/** The tables of the public API, from the wire format's data and the tests. */
export async function publicApiParts() {
  const differences = (await Promise.all([...new Set(catalogue.map(({ product }) => product))].map(publicDifferences.of))).flat();
  const known = new Map(differences.map((difference) => [keyOf(difference.operation), difference]));
  return {
    numbers: inNumbers(differences),
    examples: unreadTable(),
    operations: table(
      ["Operation", "Public API", "Differences", "Tests"],
      catalogue.map((operation) => rowOf(operation, known.get(keyOf(operation)))),
    ),
    "public form": table(
      ["Operation", "Public API", "Effect in the emulator"],
      publicFormCatalogue.map((operation) => [...namesOf(operation), operation.summary]),
    ),
    otherwise: table(
      ["Test", "Public API"],
      publicOtherwise.map(({ title, because }) => [title, because]),
    ),
  };
}

function inNumbers(differences: readonly Difference[]): string {
  const different = catalogue.filter((operation) => {
    const known = differences.find((difference) => keyOf(difference.operation) === keyOf(operation));
    const { unknown, required, untold } = lackedBy(operation, known);
    return (
      (known?.request ?? known?.answer ?? known?.codes ?? known?.unusable) !== undefined ||
      unknown.length + required.length + untold.length > 0
    );
  }).length;
  const unusable = differences.filter((difference) => difference.unusable !== undefined).length;
  return `Of ${catalogue.length} operations, ${catalogue.length - different} are the same in both wire formats, ${different - unusable} differ, and ${unusable} cannot be called in the public API. ${proofs.length - publicOtherwise.length} of the ${proofs.length} tests of the specification pass in the format of the public API, and the other tests fail as expected.`;
}

function unreadTable(): string {
  return table(
    ["Example", "Reason"],
    [
      ...[...new Map(refusedExamples.map(({ action, because }) => [action, because]))].map(([action, because]) => [
        `${code(action)}, request`,
        because,
      ]),
      ...unread.filter(({ part }) => part === "answer").map(({ action, because }) => [`${code(action)}, response`, because]),
    ],
  );
}

/** Versions of an action are operations of their own. */
function keyOf({ product, action, version }: Operation): string {
  return `${product} ${action} ${version}`;
}

function rowOf(operation: Operation, difference: Difference | undefined): string[] {
  return [...namesOf(operation), differing(operation, difference), proven(operation.action, difference)];
}

/** What an operation is called here, and in the public API. */
function namesOf({ product, action, version }: Operation): string[] {
  return [`${product} ${code(action)}`, `${publicApi.services[product]} ${version}`];
}

function differing(operation: Operation, difference: Difference | undefined): string {
  const { request, answer, codes: refusals = {}, unusable, unproven }: Partial<Difference> = difference ?? {};
  const { unknown, required, untold } = lackedBy(operation, difference);
  return [
    unusable,
    request && `request: ${printed(operation.input, request)}`,
    answer && `response: ${printed(operation.output, answer)}`,
    ...Object.entries(refusals).map(([here, there]) => `error code: ${code(here)} is ${code(there)}`),
    unknown.length > 0 && `request: rejected, because the catalog lacks them: ${codes(unknown)}`,
    required.length > 0 && `request: optional, but required by the emulator: ${codes(required)}`,
    untold.length > 0 && `response: ${untold.length === 1 ? "one field" : `${untold.length} fields`} of the published types not returned`,
    unproven && `not tested: ${unproven}`,
  ]
    .filter(Boolean)
    .join(". ");
}

/** The fields of the published models that the catalogue lacks. */
function lackedBy(operation: Operation, difference: Difference | undefined): Lacks {
  return lacksOf(operation, difference, modelsOf(publicApi.services[operation.product], operation.version));
}

function proven(action: string, difference: Difference | undefined): string {
  const showing = proofs.filter(({ shows }) => shows.some((statement) => statement.endsWith(` | ${action}`)));
  const otherwise = showing.filter(({ title }) => publicOtherwise.some((each) => each.title === title)).length;
  const count = showing.length - otherwise;
  return [
    ...(difference?.unusable === undefined ? ["types", "client"] : []),
    ...(count > 0 ? [`${count} ${count === 1 ? "test" : "tests"}`] : []),
    ...(otherwise > 0 ? [`${otherwise} different`] : []),
  ].join(", ");
}

/** Rules as the data have them, each with its fields. */
function printed(schema: z.core.$ZodType, rules: AnyFields): string {
  const byRule = Map.groupBy(fieldRules(schema, rules, ""), ({ rule }) => rule);
  return [...byRule].map(([rule, fields]) => `${rule}: ${codes(fields.map(({ path }) => path))}`).join("; ");
}

function fieldRules(schema: z.core.$ZodType, rules: AnyFields, before: string): { readonly path: string; readonly rule: string }[] {
  const schemas = fieldsOf(schema);
  return Object.entries(rules).flatMap(([field, all]) => {
    const inner = schemas[field];
    if (!all || !inner) return [];
    const { fields, whole, ...rule } = all;
    const [path, items] = [before + wireName(field, inner), itemsOf(inner)];
    const parts = Object.entries(rule).map(([key, value]) => `${key}: ${value === callRegion ? "callRegion" : JSON.stringify(value)}`);
    return [
      ...(parts.length === 0 ? [] : [{ path, rule: code(parts.join(", ")) }]),
      ...(whole ? [{ path, rule: whole.says }] : []),
      ...(fields ? fieldRules(items ?? inner, fields, `${path}${items ? "[]" : ""}.`) : []),
    ];
  });
}
