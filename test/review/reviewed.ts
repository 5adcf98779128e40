import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { driftOf, reviewOf } from "../../provider/src/review/review.ts";
import type { Finding } from "../../provider/src/review/verdict.ts";
import { parseEngineOutput } from "../../provider/src/review/plan/engine-output.ts";
import { mergeOutputs } from "../../provider/src/review/plan/engine-run.ts";
import { type Plan, planOf } from "../../provider/src/review/plan/plan.ts";
import type { Report } from "../../provider/src/review/report.ts";
import { Redactor } from "../../provider/src/review/plan/secrets.ts";
import type { Shell } from "../support/shell.ts";
import { preview, type Step } from "./previews.ts";

export function reviewOfTexts(texts: readonly string[], findings: readonly Finding[] = [], redactor = new Redactor("test")): Report {
  return reviewOf(planOfTexts(texts, redactor), findings);
}

export function reviewOfSteps(...steps: readonly Step[]): Report {
  return reviewOfTexts([preview(steps)]);
}

/** Why a made-up preview is not safe: `Vpc net: deletes`. */
export function reasonsIn(...steps: readonly Step[]): readonly string[] {
  return reviewOfSteps(...steps).reasons.map(({ code, called }) => `${called}: ${code}`);
}

/** The steps of a made-up preview that would fail: `Subnet x: step 1 fails: …`. Only they block it. */
export function collisionsIn(steps: readonly Step[], warnings: readonly string[] = []): readonly string[] {
  const text = preview(
    steps,
    warnings.map((message) => ({ severity: "warning", message })),
  );
  const { reasons, verdict } = reviewOfTexts([text]);
  const found = reasons.flatMap(({ code, called, sentence }) => (code === "collides" ? [`${called}: ${sentence}`] : []));
  if ((verdict === "blocked") !== found.length > 0) throw new Error(`it is ${verdict}, and would fail ${found.length} times`);
  return found;
}

export function planOfTexts(texts: readonly string[], redactor = new Redactor("test")): Plan {
  return planOf(mergeOutputs(texts.map(parseEngineOutput)), redactor);
}

export const recordings: Readonly<Record<Shell, string>> = { dynamic: "recorded", native: "recorded-native" };

/** The review of a recorded preview, with its event log. */
export function reviewed(name: string, shell?: Shell): Report {
  return reviewOfTexts(recorded(name, shell));
}

/** The review of a recorded refresh that found changes made outside of Pulumi. */
export function reviewedDrift(name: string, shell?: Shell): Report {
  return driftOf(planOfTexts(recorded(name, shell).slice(-1)));
}

export function recorded(name: string, shell: Shell = "dynamic"): string[] {
  const files = [`${name}.json`, `${name}.events.jsonl`].map((file) => join(import.meta.dirname, recordings[shell], file));
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
}
