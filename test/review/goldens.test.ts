import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import { default as AjvDraft04 } from "ajv-draft-04";
import { default as addFormats } from "ajv-formats";
import { goldens } from "./goldens.ts";
import type { Finding } from "../../provider/src/review/verdict.ts";
import { formats } from "../../provider/src/review/render/formats.ts";
import { changes, guardedChanges } from "./flagship-changes.ts";
import { many } from "./many.ts";
import { preview } from "./previews.ts";
import { recorded, reviewed, reviewedDrift, reviewOfTexts } from "./reviewed.ts";

const folder = join(import.meta.dirname, "goldens");

test("recorded previews are rendered as before; `npm run record:previews` writes intended changes", () => {
  const told = goldens();
  expect(readdirSync(folder).toSorted()).toEqual([...told.keys()].toSorted());
  for (const [file, text] of told) expect(text, file).toBe(readFileSync(join(folder, file), "utf8"));
});

const ours = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ours);
const isReport = ours.compile(parsed(join(import.meta.dirname, "../../provider/review.schema.json")));

const theirs = new AjvDraft04.default({ strict: false, allErrors: true });
addFormats.default(theirs);
const isSarif = theirs.compile(parsed(join(import.meta.dirname, "schemas/sarif-schema-2.1.0.json")));

const finding: Finding = {
  rule: "CP-1",
  severity: "high",
  enforcement: "block",
  outcome: "fail",
  urn: "urn:pulumi:test::throw-away::pulumi-nodejs:dynamic/container-platform:Cluster::platform",
  property: "deletionProtection",
  sentence: "is not protected",
  remedy: "Protect it.",
  references: ["CKV_AWS_150"],
};

const reports = {
  ...Object.fromEntries(
    ["first", "nothing", ...Object.keys(changes), ...Object.keys(guardedChanges)].map((name) => [name, reviewed(name)]),
  ),
  drift: reviewedDrift("drift"),
  large: reviewOfTexts([preview(many)]),
  findings: reviewOfTexts(recorded("cidr"), [
    finding,
    { ...finding, rule: "CP-2", outcome: "undetermined" },
    { ...finding, rule: "CP-3", enforcement: "advise" },
  ]),
};

describe.each(Object.entries(reports))("the report of %s", (_, report) => {
  test("is valid by our schema", () => {
    expect(isReport(JSON.parse(formats.json(report, ""))), JSON.stringify(isReport.errors)).toBe(true);
  });

  test("is valid SARIF by its schema", () => {
    expect(isSarif(JSON.parse(formats.sarif(report, ""))), JSON.stringify(isSarif.errors)).toBe(true);
  });
});

function parsed(file: string): object {
  const found: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof found !== "object" || found === null) throw new Error(`${file} holds no object`);
  return found;
}
