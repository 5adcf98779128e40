import { engineUrn, testedShell } from "../support/shell.ts";
import type { EngineStack } from "./engine-stack.ts";
import { called, type Program, urnOf } from "./program.ts";
import type { RandomProgram } from "./random-program.ts";
import { orphansOf } from "./sequences.ts";
import type { Part, Step } from "./steps.ts";

/** Commands that do a part of the work, and options that only the real engine has: what their preview passes, they carry out. */

/**
 * Why a run may fail whose preview passes: it leaves out resources that are in its way or that it needs (docs/concepts). The plugin is not
 * told which resource an ID would come from.
 */
const leftOut = [
  /If --target excludes \w+, run without --target/,
  /add --target-dependents/,
  /does not exist yet\. Name it with --target/,
  ...(testedShell === "native" ? [/\w+Id: is required \[/] : []),
];

/** Why a program with `replaceWith` may be refused: Pulumi creates the new resource before it deletes the old one. */
const beside = [/would create the new one while the old one still exists/];

/** Before the run of a step. Throws if something passes the preview and fails, is lost, or is written by a preview. */
export async function runPartly(
  stack: EngineStack,
  random: RandomProgram,
  { partly, fault }: Step,
  isByHand: boolean,
): Promise<readonly string[]> {
  const history: string[] = [];
  if (random.resources.some(({ replacedWith }) => replacedWith)) {
    const { failure = "" } = await stack.partly(random.declarations, "up", isByHand ? ["--refresh"] : [], true);
    if (failure !== "" && !matches(failure, beside)) throw new Error(`refused: ${failure}`);
    if (failure !== "") history.push("replace with: refused");
    if (failure !== "") random.editAll({ replacedWith: undefined });
  }
  if (!partly) return history;
  const { command } = partly;
  const program = random.declarations;
  const flags = await flagsOf(partly, program, stack);
  const preview = await stack.partly(program, command, flags, true);
  const written = preview.calls.filter(({ effect }) => effect === "write");
  if (written.length > 0) throw new Error(`the preview writes: ${written.map(({ action }) => action).join(", ")}`);
  const named = [command, ...flags].join(" ");
  if (preview.failure !== undefined) return [...history, `${named}: refused: ${preview.failure}`];
  if (fault) stack.faults.add({ nth: fault.nth, when: fault.when, ...(fault.lost ? {} : { code: "FailedOperation" }) });
  const { failure, operations } = await stack.partly(program, command, flags);
  stack.faults.clear();
  history.push(`${named}: ${operations.join(", ")}`, ...(failure === undefined ? [] : [failure]));
  const isExpected = fault !== null || isByHand || (partly.only !== null && matches(failure ?? "", leftOut));
  if (failure !== undefined && !isExpected) throw new Error(`the preview passed\n${history.join("\n")}`);
  const orphans = await orphansOf(stack, random, true);
  if (orphans.length > 0) throw new Error(`not in the state: ${orphans.join(", ")}\n${history.join("\n")}`);
  return history;
}

async function flagsOf({ command, only, more }: Part, program: Program, stack: EngineStack): Promise<readonly string[]> {
  const entries = (await stack.entries()).filter(({ status }) => status === "live");
  const names = [...new Set([...(command === "up" ? program : []), ...entries].map(called))];
  const general = more.filter((flag) => command !== "refresh" || flag === "--run-program");
  if (!only || names.length === 0) return general;
  const urns = [...new Set(only.picks.map((pick) => names[pick % names.length] ?? ""))].map((name) => engineUrn(urnOf(name)));
  // `pulumi destroy` always leaves out what those depend on that it excludes.
  const hasDependents = only.hasDependents && !(command === "destroy" && only.flag === "--exclude");
  return [...general, ...urns.flatMap((urn) => [only.flag, urn]), ...(hasDependents ? [`${only.flag}-dependents`] : [])];
}

function matches(text: string, expected: readonly RegExp[]): boolean {
  return expected.some((one) => one.test(text));
}
