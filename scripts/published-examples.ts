import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { catalogue } from "../sdk/src/catalogue/every-operation.ts";
import { publicApi } from "../sdk/src/dialect/dialect.ts";
import { publicDifferences } from "../sdk/src/dialect/public/differences.ts";
import { Translator } from "../sdk/src/dialect/translator.ts";
import { fromWire, type JsonObject } from "../sdk/src/operation/codec.ts";
import type { Operation } from "../sdk/src/operation/operation.ts";

// `node scripts/published-examples.ts <folder>`: whether the calls and answers that the vendor publishes as examples are read. The folder
// is `tccli/services` of the vendor's command-line client. Exits with 1 if one is not read, and nothing below says why.

/** Why an example is not read. */
const explained: Readonly<Record<string, string>> = {
  "call CreateClusterNodePool": "its user script is a word, and no base64",
  "call CreateNodePool": "a pool of regular nodes, which the specification does not have, with an effect that there is not",
  "call CreateNamespace": "truth values as texts; the published types, and the vendor's clients, have booleans",
  "call CreateTagRetentionRule": "advanced rules, which the specification does not have",
  "call ModifyTagRetentionRule": "advanced rules, which the specification does not have",
  "call DescribeImages": "numbers as texts; the published types have numbers",
  "call DeleteSecurityGroupPolicies": "numbers as texts; the published types have numbers",
  "call ReplaceSecurityGroupPolicies": "numbers as texts; the published types have numbers",
  "answer DescribeReplicationPolicies": "its id is a text; the published type is a number",
};

const example = z.object({ input: z.string(), output: z.string() });
const file = z.object({ actions: z.record(z.string(), z.array(example)) });
const told = z.object({ Response: z.record(z.string(), z.json()) });
const given = z.record(z.string(), z.json());
const translator = new Translator(publicDifferences);
const [folder = ""] = process.argv.slice(2);
if (!existsSync(folder)) throw new Error("give the folder tccli/services of the vendor's command-line client");

const counts = { call: { read: 0, explained: 0 }, answer: { read: 0, explained: 0 } };
/** Calls in the older form, whose fields are in the address. */
let older = 0;
const unexplained: string[] = [];

for (const operation of catalogue)
  for (const { input, output } of examplesOf(operation)) {
    const body = bodyOf(input);
    if (body) count("call", operation, await read("request", operation, body));
    else older++;
    const { RequestId: _id, Error: refusal, ...answer } = told.parse(JSON.parse(output)).Response;
    if (refusal === undefined) count("answer", operation, await read("answer", operation, answer));
  }

for (const [part, { read: fine, explained: known }] of Object.entries(counts))
  console.log(`${part}s: ${fine} are read, ${known} are not, for a known reason`);
console.log(`${older} calls are in the older form, which is not read`);
for (const line of unexplained) console.error(line);
if (unexplained.length > 0) process.exitCode = 1;

function examplesOf({ product, action, version }: Operation) {
  const path = join(folder, publicApi.services[product], `v${version.replaceAll("-", "")}`, "examples.json");
  return existsSync(path) ? (file.parse(JSON.parse(readFileSync(path, "utf8"))).actions[action] ?? []) : [];
}

/** The body of a call that is written down as it travels; `undefined` for one without a body of JSON. */
function bodyOf(call: string): JsonObject | undefined {
  const text = /\r?\n\r?\n([^]*)$/.exec(call)?.[1] ?? "";
  return /^\s*\{/.test(text) ? given.parse(JSON.parse(text)) : undefined;
}

/** What is wrong with a part of a call; `undefined` if it is read. */
async function read(part: "request" | "answer", operation: Operation, body: JsonObject): Promise<string | undefined> {
  const { product, action, version } = operation;
  const here = await translator[part]({ product, action, version, region: "" }, body, "here");
  const schema = part === "request" ? operation.input : operation.output;
  return schema
    .safeParse(fromWire(schema, here))
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
    .join("; ");
}

function count(part: keyof typeof counts, { action, version }: Operation, wrong: string | undefined): void {
  if (wrong === undefined) counts[part].read++;
  else if (explained[`${part} ${action}`] !== undefined) counts[part].explained++;
  else unexplained.push(`${part} ${action} ${version}: ${wrong}`);
}
