import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { driftOf } from "../../provider/src/review/judge/drift.ts";
import type { Finding } from "../../provider/src/review/judge/finding.ts";
import { parseEngineOutput } from "../../provider/src/review/plan/engine-text.ts";
import { mergeOutputs } from "../../provider/src/review/plan/merged.ts";
import { type Plan, planOf } from "../../provider/src/review/plan/plan.ts";
import type { Report } from "../../provider/src/review/report.ts";
import { reviewOf } from "../../provider/src/review/review.ts";
import { Redactor } from "../../provider/src/review/plan/secrets.ts";

/** The review of texts as Pulumi prints them. */
export function reviewOfTexts(texts: readonly string[], findings: readonly Finding[] = [], redactor = new Redactor("test")): Report {
  return reviewOf(planOfTexts(texts, redactor), findings);
}

function planOfTexts(texts: readonly string[], redactor = new Redactor("test")): Plan {
  return planOf(mergeOutputs(texts.map(parseEngineOutput)), redactor);
}

/** The review of a recorded preview, with its event log. */
export function reviewed(name: string): Report {
  return reviewOfTexts(recorded(name));
}

/** The review of a recorded refresh that found changes made outside of Pulumi. */
export function reviewedDrift(name: string): Report {
  return driftOf(planOfTexts(recorded(name).slice(-1)));
}

export function recorded(name: string): string[] {
  const files = [`${name}.json`, `${name}.events.jsonl`].map((file) => join(import.meta.dirname, "recorded", file));
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
}
