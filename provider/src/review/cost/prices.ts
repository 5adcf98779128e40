import { readFileSync } from "node:fs";
import { placeOf } from "../../schema/paths.ts";
import * as z from "@container-platform/sdk/zod";
import { sentenceOf } from "../../schema/validate.ts";
import { parsedYaml } from "../policy/settings/document.ts";
import { PolicyError } from "../policy/settings/settings.ts";

const table = z.record(z.string(), z.number().min(0)).default({});

const tables = z.strictObject({
  /** By level, such as `L20`: a cluster. */
  clusterLevel: table,
  /** `internet` and `internal`: an endpoint of a cluster. */
  clusterEndpoint: table,
  /** By type, such as `SA5.MEDIUM4`: a node. */
  instanceType: table,
  /** By type, such as `CLOUD_PREMIUM`: a GB of a disk. */
  diskType: table,
  /** `basic`, `standard` and `premium`: a registry. */
  registryType: table,
});

const prices = z.strictObject({
  /** What the amounts are in: `EUR`. */
  currency: z.string().min(1).max(20),
  perMonth: tables.prefault({}),
});

/** What somebody pays a month for what. */
export type Prices = z.output<typeof prices>;
export type Table = keyof Prices["perMonth"];

/** @throws PolicyError with the lines that are wrong */
export function pricesFrom(text: string, file: string): Prices {
  const document = parsedYaml(text);
  const given = document.value ?? {};
  const parsed = prices.safeParse(given);
  if (document.errors.length === 0 && parsed.success) return parsed.data;
  const keysAt = ([first]: readonly PropertyKey[]) => (first === "perMonth" ? tables.keyof().options : prices.keyof().options);
  const mistakes = (parsed.error?.issues ?? []).map((issue) => ({
    line: document.lineOf(issue.path),
    says: `${issue.path.length > 0 ? `${placeOf(issue.path)}: ` : ""}${sentenceOf(issue, given, keysAt(issue.path))}`,
  }));
  const all = document.errors.length > 0 ? document.errors : mistakes;
  throw new PolicyError(all.map(({ line, says }) => `${file}:${line}: ${says}`).join("\n"));
}

/** @throws PolicyError if the file cannot be read, or is not valid */
export function readPrices(file: string): Prices {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new PolicyError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return pricesFrom(text, file);
}
