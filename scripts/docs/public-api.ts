import { readFileSync } from "node:fs";
import type { Operation } from "@container-platform/sdk";
import { catalogue } from "@container-platform/sdk/reference";
import type { z } from "zod";
import { publicApi } from "../../sdk/src/dialect/dialect.ts";
import { publicDifferences } from "../../sdk/src/dialect/public/differences.ts";
import { publishedExamples, unread, wrongIn } from "../../sdk/src/dialect/public/examples.fixture.ts";
import { modelsOf } from "../../sdk/src/dialect/public/models.fixture.ts";
import { type Lacks, lacksOf } from "../../sdk/src/dialect/public/shapes.fixture.ts";
import { type AnyFields, callRegion, type Difference, type Rule, type TimeForm } from "../../sdk/src/dialect/rule.ts";
import { wireName } from "../../sdk/src/operation/codec.ts";
import { fieldsOf, itemsOf } from "../../sdk/src/operation/operation.ts";
import { proofs } from "../../test/specification/proofs.ts";
import { publicOtherwise } from "../../test/specification/public-otherwise.ts";
import { code, codes, table } from "./markdown.ts";

const file = "public-api.md";
const operationTable = /(?<=<!-- operations -->\n)[^]*?(?=<!-- end -->)/;
const otherwiseTable = /(?<=<!-- otherwise -->\n)[^]*?(?=<!-- end -->)/;
const exampleTable = /(?<=<!-- examples -->\n)[^]*?(?=<!-- end -->)/;
const numbers = /(?<=<!-- numbers -->\n)[^]*?(?=<!-- end -->)/;

/** The page of the public API with its tables, which are written from the dialect's data and the tests. */
export async function publicApiPage(): Promise<Map<string, string>> {
  const differences = (await Promise.all([...new Set(catalogue.map(({ product }) => product))].map(publicDifferences.of))).flat();
  const known = new Map(differences.map((difference) => [keyOf(difference.operation), difference]));
  const place = new URL(`../../docs/${file}`, import.meta.url);
  const rows = catalogue.map((operation) => rowOf(operation, known.get(keyOf(operation))));
  const inWords = `${inNumbers(differences)} ${await examplesInNumbers()}`;
  const text = readFileSync(place, "utf8")
    .replaceAll("\r\n", "\n")
    .replace(numbers, () => `\n${inWords}\n\n`)
    .replace(exampleTable, () => `\n${unreadTable()}\n\n`)
    .replace(operationTable, () => `\n${table(["Operation", "There", "What differs", "Proven by"], rows)}\n\n`)
    .replace(
      otherwiseTable,
      () =>
        `\n${table(
          ["What is stated", "There"],
          publicOtherwise.map(({ title, because }) => [title, because]),
        )}\n\n`,
    );
  return new Map([[file, text]]);
}

function inNumbers(differences: readonly Difference[]): string {
  const different = catalogue.filter((operation) => {
    const known = differences.find((difference) => keyOf(difference.operation) === keyOf(operation));
    const { unknown, required, untold } = lackedBy(operation, known);
    return (known?.request ?? known?.answer ?? known?.unusable) !== undefined || unknown.length + required.length + untold.length > 0;
  }).length;
  const unusable = differences.filter((difference) => difference.unusable !== undefined).length;
  return `Of ${catalogue.length} operations, ${catalogue.length - different} are the same in both forms, ${different - unusable} differ, and ${unusable} cannot be called there. ${proofs.length - publicOtherwise.length} of ${proofs.length} proofs of the specification hold in the form of the public API; the others fail there as they have to.`;
}

async function examplesInNumbers(): Promise<string> {
  const examples = await Promise.all(
    publishedExamples().map(async (example) => ({ part: example.part, isRead: (await wrongIn(example)) === undefined })),
  );
  const [calls, answers] = (["request", "answer"] as const).map((part) => {
    const all = examples.filter((one) => one.part === part);
    return `${all.filter(({ isRead }) => isRead).length} of ${all.length}`;
  });
  return `Of the examples that the vendor publishes, ${calls} calls and ${answers} answers are read.`;
}

function unreadTable(): string {
  return table(
    ["Example", "Why it is not read"],
    unread.map(({ action, part, because }) => [`${code(action)}, ${part === "request" ? "the call" : "the answer"}`, because]),
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

function differing(operation: Operation, difference: Difference | undefined): string {
  const { request, answer, unusable, unproven }: Partial<Difference> = difference ?? {};
  const { unknown, required, untold } = lackedBy(operation, difference);
  return [
    ...(unusable === undefined ? [] : [unusable]),
    ...(request ? [`call: ${wordsOf(operation.input, request)}`] : []),
    ...(answer ? [`answer: ${wordsOf(operation.output, answer)}`] : []),
    ...(unknown.length === 0 ? [] : [`call: refused, because the catalogue does not have them: ${codes(unknown)}`]),
    ...(required.length === 0 ? [] : [`call: optional there, and required by the local platform: ${codes(required)}`]),
    ...(untold.length === 0
      ? []
      : [`answer: not told: ${untold.length === 1 ? "a field" : `${untold.length} fields`} of the published types`]),
    ...(unproven === undefined ? [] : [`not proven: ${unproven}`]),
  ].join(". ");
}

/** What the catalogue lacks of the published models. */
function lackedBy(operation: Operation, difference: Difference | undefined): Lacks {
  return lacksOf(operation, difference, modelsOf(publicApi.services[operation.product], operation.version));
}

function proven(action: string, difference: Difference | undefined): string {
  const showing = proofs.filter(({ shows }) => shows.some((statement) => statement.endsWith(` | ${action}`)));
  const otherwise = showing.filter(({ title }) => publicOtherwise.some((each) => each.title === title)).length;
  const count = showing.length - otherwise;
  return [
    ...(difference?.unusable === undefined ? ["types", "client"] : []),
    ...(count > 0 ? [`${count} ${count === 1 ? "proof" : "proofs"}`] : []),
    ...(otherwise > 0 ? [`${otherwise} otherwise`] : []),
  ].join(", ");
}

const times: Readonly<Record<TimeForm, string>> = {
  Beijing: "is a time 8 hours ahead of UTC, without a zone",
  zoneless: "is a time without a zone",
  UTC: "is a time such as `2026-01-31 12:00:00 +0000 UTC`",
};

/** What is said of many fields, which are named together. */
const together: readonly (readonly [says: string, of: (rule: Rule) => boolean])[] = [
  ["not there", ({ there, gathered }) => there === false && gathered === undefined],
  ["called required, and left out by the vendor's clients, too", ({ optional }) => optional !== undefined],
  [
    "may be absent",
    ({ absent, vital, there, same }) => absent !== undefined && vital === undefined && there !== false && same === undefined,
  ],
];

/** What rules say, in words. */
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
  const { there, same, into, gathered, absent, usual, most, vital, prefix, suffix, values, where, time, ignored, whole } = rule;
  const name = code(path);
  const texts = (ends: readonly [string, string], what: string) => {
    const [here, other] = ends.map((text) => (text === "" ? "nothing" : code(text)));
    return `${name}: ${what}${here} is ${other}`;
  };
  return [
    ...(typeof there === "string" ? [`${name} is ${code(there)}`] : []),
    ...(gathered ? [`${name} is gathered from ${code(nameOf(gathered.list))}`] : []),
    ...(same === undefined ? [] : [`${name} is told as ${code(nameOf(same))}`]),
    ...(into === undefined ? [] : [`${name} is inside of ${code(nameOf(into))}`]),
    ...(usual === undefined ? [] : [`${name} is required: ${usual === callRegion ? "the call's region" : code(JSON.stringify(usual))}`]),
    ...(most === undefined ? [] : [`${name} has ${most} items at most`]),
    ...(vital === undefined ? [] : [`${name} may be null, which is ${absent === undefined ? "refused" : code(JSON.stringify(absent))}`]),
    ...(prefix ? [texts(prefix, "the beginning ")] : []),
    ...(suffix ? [texts(suffix, "the end ")] : []),
    ...Object.entries(values ?? {}).map(
      (pair) => texts(pair, "") + (where ? ` where ${code(nameOf(where.field))} is ${codes(where.is)}` : ""),
    ),
    ...(ignored === undefined ? [] : [`${codes(ignored)} in ${name} has no effect`]),
    ...(time === undefined ? [] : [`${name} ${times[time]}`]),
    ...(whole === undefined ? [] : [`${name}: ${whole.says}`]),
  ];
}
