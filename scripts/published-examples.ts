import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { catalogue } from "../sdk/src/catalogue/every-operation.ts";
import { publicApi } from "../sdk/src/wire-format/wire-format.ts";
import { type Example, examplesFile } from "../sdk/src/wire-format/public/examples.fixture.ts";
import type { JsonObject } from "../sdk/src/operation/codec.ts";
import type { Operation } from "../sdk/src/operation/operation.ts";

// `node scripts/published-examples.ts <folder>`: writes down the examples of the catalogue's operations that the vendor publishes. The folder
// is `tccli/services` of the vendor's command-line client.

const example = z.object({ input: z.string(), output: z.string() });
const file = z.object({ actions: z.record(z.string(), z.array(example)) });
const told = z.object({ Response: z.record(z.string(), z.json()) });
const given = z.record(z.string(), z.json());
const [folder = ""] = process.argv.slice(2);
if (!existsSync(folder)) throw new Error("give the folder tccli/services of the vendor's command-line client");

const examples = catalogue.flatMap((operation) => examplesOf(operation));
writeFileSync(examplesFile, `[\n${examples.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
console.log(`${examples.length} calls and answers are written`);

function examplesOf({ product, action, version }: Operation): Example[] {
  const path = join(folder, publicApi.services[product], `v${version.replaceAll("-", "")}`, "examples.json");
  const published = existsSync(path) ? (file.parse(JSON.parse(readFileSync(path, "utf8"))).actions[action] ?? []) : [];
  return published.flatMap(({ input, output }): Example[] => {
    const call = bodyOf(input);
    const { RequestId: _id, Error: refusal, ...answer } = told.parse(JSON.parse(output)).Response;
    return [
      ...(call ? [{ product, action, version, part: "request", body: call } as const] : []),
      ...(refusal === undefined ? [{ product, action, version, part: "answer", body: answer } as const] : []),
    ];
  });
}

/** The body of a call that is written down as it travels; `undefined` for one in the older form, whose fields are in the address. */
function bodyOf(call: string): JsonObject | undefined {
  const text = /\r?\n\r?\n([^]*)$/.exec(call)?.[1] ?? "";
  return /^\s*\{/.test(text) ? given.parse(JSON.parse(text)) : undefined;
}
