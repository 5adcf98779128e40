import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { catalogue } from "../../catalogue/every-operation.ts";
import { fromWire, type JsonObject } from "../../operation/codec.ts";
import { publicDifferences } from "./differences.ts";
import { Translator } from "../translator.ts";

/** The calls and answers that the vendor publishes as examples: see `published/README.md`. */
const examplesFile = join(import.meta.dirname, "published", "examples.json");

/** The page that has the numbers of examples that are read and answered. */
export const coverage: string = readFileSync(join(import.meta.dirname, "../../../../docs/contributing/public-api-coverage.md"), "utf8");

const products = [...new Set(catalogue.map(({ product }) => product))];
const exampleForm = z.object({
  product: z.enum(products),
  action: z.string(),
  version: z.string(),
  part: z.enum(["request", "answer"]),
  body: z.record(z.string(), z.json()),
});

/** A call or an answer as it travels. */
export interface Example extends Omit<z.output<typeof exampleForm>, "body"> {
  readonly body: JsonObject;
}

export function publishedExamples(): readonly Example[] {
  return z.array(exampleForm).parse(JSON.parse(readFileSync(examplesFile, "utf8")));
}

/** Why an example is not read, and what is found wrong with it. */
export interface Unread {
  readonly action: string;
  readonly part: Example["part"];
  readonly because: string;
  readonly wrong: RegExp;
}

const advanced = {
  because: "it has advanced rules, which the specification does not have",
  wrong: /Unrecognized key: "AdvancedRuleItems"/,
};
const texts = { part: "request", because: "it has numbers as strings; the published types have numbers" } as const;
const index = { ...texts, wrong: /policyIndex: .* expected number/ };

export const unread: readonly Unread[] = [
  {
    action: "CreateClusterNodePool",
    part: "request",
    because: "its user script is not base64",
    wrong: /^instanceAdvancedSettings\.userScript: Invalid base64/,
  },
  {
    action: "CreateNodePool",
    part: "request",
    because: "it creates a pool of regular nodes, which the specification does not have, with an invalid taint effect",
    wrong: /^type: .*taints\.0\.effect: /,
  },
  {
    action: "CreateNamespace",
    part: "request",
    because: "it has booleans as strings; the published types have booleans",
    wrong: /^isPublic: .* expected boolean/,
  },
  { action: "CreateTagRetentionRule", part: "request", ...advanced },
  { action: "ModifyTagRetentionRule", part: "request", ...advanced },
  { action: "DescribeImages", ...texts, wrong: /^offset: .* expected number/ },
  { action: "DeleteSecurityGroupPolicies", ...index },
  { action: "ReplaceSecurityGroupPolicies", ...index },
  {
    action: "DescribeReplicationPolicies",
    part: "answer",
    because: "its ID is a string; the published type is a number",
    wrong: /^replicationPolicyInfoList\.0\.id: .* expected number/,
  },
];

const translator = new Translator(publicDifferences);

/** What is wrong with an example; `undefined` if it is read. */
export async function wrongIn({ product, action, version, part, body }: Example): Promise<string | undefined> {
  const operation = catalogue.find((one) => one.product === product && one.action === action && one.version === version);
  if (!operation) return "the catalogue does not have this operation";
  const here = await translator[part]({ product, action, version, region: "" }, body, "here");
  const schema = part === "request" ? operation.input : operation.output;
  return schema
    .safeParse(fromWire(schema, here))
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
    .join("; ");
}
