import type { Operation } from "@container-platform/sdk";
import { catalogue } from "@container-platform/sdk/reference";
import type { z } from "zod";
import { publicFormCatalogue } from "../../sdk/src/catalogue/every-operation.ts";
import { publicApi } from "../../sdk/src/wire-format/wire-format.ts";
import { publicDifferences } from "../../sdk/src/wire-format/public/differences.ts";
import { publishedExamples, unread, wrongIn } from "../../sdk/src/wire-format/public/examples.fixture.ts";
import { modelsOf } from "../../sdk/src/wire-format/public/models.fixture.ts";
import { type Lacks, lacksOf } from "../../sdk/src/wire-format/public/shapes.fixture.ts";
import { type AnyFields, callRegion, type Difference, type Rule, type TimeForm } from "../../sdk/src/wire-format/rule.ts";
import { outcomeOf, refusedExamples, replayedExamples } from "../../sdk/src/server/replay.fixture.ts";
import { wireName } from "../../sdk/src/operation/codec.ts";
import { fieldsOf, itemsOf } from "../../sdk/src/operation/operation.ts";
import { proofs } from "../../test/specification/proofs.ts";
import { publicOtherwise } from "../../test/specification/public-otherwise.ts";
import { code, codes, table, textOf, withParts } from "./markdown.ts";

/** The page of the public API with its tables, which are written from the wire format's data and the tests. */
export async function publicApiPage(): Promise<string> {
  const differences = (await Promise.all([...new Set(catalogue.map(({ product }) => product))].map(publicDifferences.of))).flat();
  const known = new Map(differences.map((difference) => [keyOf(difference.operation), difference]));
  return withParts(textOf("docs/contributing/public-api-coverage.md"), {
    numbers: `${inNumbers(differences)} ${await examplesInNumbers()}`,
    examples: unreadTable(),
    operations: table(
      ["Operation", "Public API", "Differences", "Tests"],
      catalogue.map((operation) => rowOf(operation, known.get(keyOf(operation)))),
    ),
    "public form": table(["Operation", "Public API", "Effect in the emulator"], publicFormCatalogue.map(ownRowOf)),
    otherwise: table(
      ["Test", "Public API"],
      publicOtherwise.map(({ title, because }) => [title, because]),
    ),
  });
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

async function examplesInNumbers(): Promise<string> {
  const examples = await Promise.all(
    publishedExamples().map(async (example) => ({ part: example.part, isRead: (await wrongIn(example)) === undefined })),
  );
  const [calls, answers] = (["request", "answer"] as const).map((part) => {
    const all = examples.filter((one) => one.part === part);
    return `${all.filter(({ isRead }) => isRead).length} of ${all.length}`;
  });
  return `The translation reads ${calls} requests and ${answers} responses of the examples that the vendor publishes. ${await replaysInNumbers()}`;
}

async function replaysInNumbers(): Promise<string> {
  const all = await replayedExamples();
  const [answered, missing, refused] = (["answered", "refused for its state", "refused"] as const).map(
    (outcome) => all.filter((one) => outcomeOf(one) === outcome).length,
  );
  return `Of the ${all.length} requests, an emulator without resources answers ${answered}, rejects ${missing} because a resource does not exist, and rejects ${refused} for the reasons in the table of examples.`;
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
  const { product, action, version } = operation;
  return [
    `${product} ${code(action)}`,
    `${publicApi.services[product]} ${version}`,
    differing(operation, difference),
    proven(action, difference),
  ];
}

function ownRowOf({ product, action, version, summary }: Operation): string[] {
  return [`${product} ${code(action)}`, `${publicApi.services[product]} ${version}`, summary];
}

function differing(operation: Operation, difference: Difference | undefined): string {
  const { request, answer, codes: refusals = {}, unusable, unproven }: Partial<Difference> = difference ?? {};
  const { unknown, required, untold } = lackedBy(operation, difference);
  return [
    ...(unusable === undefined ? [] : [unusable]),
    ...(request ? [`request: ${wordsOf(operation.input, request)}`] : []),
    ...(answer ? [`response: ${wordsOf(operation.output, answer)}`] : []),
    ...Object.entries(refusals).map(([here, there]) => `error code: ${code(here)} is ${code(there)}`),
    ...(unknown.length === 0 ? [] : [`request: rejected, because the catalog lacks them: ${codes(unknown)}`]),
    ...(required.length === 0 ? [] : [`request: optional, but required by the emulator: ${codes(required)}`]),
    ...(untold.length === 0
      ? []
      : [`response: ${untold.length === 1 ? "one field" : `${untold.length} fields`} of the published types not returned`]),
    ...(unproven === undefined ? [] : [`not tested: ${unproven}`]),
  ].join(". ");
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

const times: Readonly<Record<TimeForm, string>> = {
  Beijing: "is a time 8 hours ahead of UTC, without a zone",
  zoneless: "is a time without a zone",
  UTC: "is a time such as `2026-01-31 12:00:00 +0000 UTC`",
};

/** Differences that many fields share, which are listed together. */
const together: readonly (readonly [says: string, of: (rule: Rule) => boolean])[] = [
  ["not available", ({ there, gathered }) => there === false && gathered === undefined],
  ["documented as required, and optional in the vendor's clients", ({ optional }) => optional !== undefined],
  [
    "may be absent",
    ({ absent, vital, there, same }) => absent !== undefined && vital === undefined && there !== false && same === undefined,
  ],
];

/** Describes rules. */
function wordsOf(schema: z.core.$ZodType, rules: AnyFields): string {
  const said = fieldRules(schema, rules, "");
  const named = together.flatMap(([says, of]) => {
    const some = said.filter(({ rule }) => of(rule));
    return some.length > 0 ? [`${says}: ${codes(some.map(({ path }) => path))}`] : [];
  });
  return [...said.flatMap((one) => sentencesOf(one)), ...named].join("; ");
}

interface Said {
  readonly path: string;
  readonly rule: Rule;
  /** The name of another field of the same object. */
  readonly nameOf: (field: string) => string;
}

function fieldRules(schema: z.core.$ZodType, rules: AnyFields, before: string): Said[] {
  const schemas = fieldsOf(schema);
  return Object.entries(rules).flatMap(([field, rule]) => {
    const inner = schemas[field];
    if (!rule || !inner) return [];
    const path = before + wireName(field, inner);
    const items = itemsOf(inner);
    const nameOf = (other: string) => wireName(other, schemas[other] ?? inner);
    return [{ path, rule, nameOf }, ...(rule.fields ? fieldRules(items ?? inner, rule.fields, `${path}${items ? "[]" : ""}.`) : [])];
  });
}

function sentencesOf({ path, rule, nameOf }: Said): string[] {
  const { there, same, into, gathered, absent, usual, most, vital, prefix, suffix, values, where, time, decoded, ignored, whole } = rule;
  const name = code(path);
  const texts = (ends: readonly [string, string], part: string) => {
    const [here, other] = ends.map((text) => (text === "" ? "empty" : code(text)));
    return `${name}: ${part}${here} is ${other}`;
  };
  return [
    ...(typeof there === "string" ? [`${name} is ${code(there)}`] : []),
    ...(gathered ? [`${name} is collected from ${code(nameOf(gathered.list))}`] : []),
    ...(same === undefined ? [] : [`${name} is returned as ${code(nameOf(same))}`]),
    ...(into === undefined ? [] : [`${name} is in ${code(nameOf(into))}`]),
    ...(usual === undefined
      ? []
      : [`${name} is never absent: ${usual === callRegion ? "the call's region" : code(JSON.stringify(usual))}`]),
    ...(most === undefined ? [] : [`${name} has at most ${most} items`]),
    ...(vital === undefined ? [] : [`${name} may be null, which is ${absent === undefined ? "an error" : code(JSON.stringify(absent))}`]),
    ...(prefix ? [texts(prefix, "the prefix ")] : []),
    ...(suffix ? [texts(suffix, "the suffix ")] : []),
    ...Object.entries(values ?? {}).map(
      (pair) => texts(pair, "") + (where ? ` where ${code(nameOf(where.field))} is ${codes(where.is)}` : ""),
    ),
    ...(ignored === undefined ? [] : [`${codes(ignored)} in ${name} has no effect`]),
    ...(time === undefined ? [] : [`${name} ${times[time]}`]),
    ...(decoded ? [`${name} is base64, and decoded in the public API`] : []),
    ...(whole === undefined ? [] : [`${name}: ${whole.says}`]),
  ];
}
