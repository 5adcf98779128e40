import { definitions } from "./definitions.ts";
import type { RawState, RawStep, RawViolation, Told } from "./input.ts";
import type { Redactor } from "./secrets.ts";
import { inputsOf, positionOf } from "./states.ts";
import { type Operation, type SourcePosition, type Subject } from "./subject.ts";
import { type KindName, kinds } from "../../resources/reviews.ts";

/** One move of the engine, in the order in which it makes them. */
export interface Move {
  readonly urn: string;
  readonly does: "create" | "update" | "delete" | "adopt";
}

export interface Diagnostic {
  readonly urn: string | undefined;
  readonly severity: "error" | "warning" | "info";
  /** Without secrets. */
  readonly message: string;
}

/** What a run of the engine is about to do, or what it found changed outside. */
export interface Plan {
  readonly project: string | undefined;
  readonly stack: string | undefined;
  readonly region: string | undefined;
  /** Every resource of the plan; those that stay as they are only if the preview was made with `--show-sames`. */
  readonly subjects: readonly Subject[];
  /** What a refresh found: `before` is what the state has, `inputs` what is there. */
  readonly drift: readonly Subject[];
  readonly moves: readonly Move[];
  readonly diagnostics: readonly Diagnostic[];
  readonly violations: readonly RawViolation[];
  /** Why the preview did not come to its end: the errors. Empty if it did. */
  readonly failures: readonly Diagnostic[];
  /** Whether it is known what stands on what. */
  readonly graph: boolean;
  /** Whether the engine's event log was there. */
  readonly logged: boolean;
}

const ours = /^pulumi-nodejs:dynamic\/container-platform:(\w+)$/;
const replacing = new Set(["replace", "create-replacement", "delete-replaced", "import-replacement", "read-replacement"]);
const passing = new Set(["remove-pending-replace", "discard-replaced", "read-discard", "refresh"]);

/** Makes a plan of what the engine told. */
export function planOf(told: Told, redactor: Redactor): Plan {
  const steps = told.steps.filter((step) => !passing.has(step.op) && isTold(step));
  const region = told.config["container-platform:region"];
  const subjects = [...grouped(steps).values()].map((group) => subjectOf(group, redactor, region));
  const drift = told.found.filter((step) => step.op !== "same" && step.op !== "refresh" && isTold(step));
  const urns = [...told.steps, ...told.found].map(({ urn }) => urn);
  const [, , stack, project] = /^(urn:pulumi:)([^:]+)::([^:]+)::/.exec(urns[0] ?? "") ?? [];
  const diagnostics = told.diagnostics.map(({ urn, severity, message }): Diagnostic => ({
    urn: urn === "" ? undefined : urn,
    severity: severity === "error" || severity === "warning" ? severity : severity.startsWith("info") ? "info" : "warning",
    message: redactor.text(message.trim()),
  }));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return {
    project,
    stack,
    region,
    subjects,
    drift: drift.map((step) => subjectOf([step], redactor, region)),
    moves: steps.flatMap(moveOf),
    diagnostics,
    violations: told.violations.map((violation) => ({ ...violation, message: redactor.text(violation.message) })),
    failures: told.finished === false && errors.length === 0 ? [unfinished] : told.finished === true ? [] : errors,
    graph: told.graph,
    logged: told.logged,
  };
}

const unfinished: Diagnostic = { urn: undefined, severity: "error", message: "the preview did not come to its end" };

/** Providers, components and the stack itself are no things on a platform. */
function isTold({ urn, oldState, newState }: RawStep): boolean {
  return (newState ?? oldState)?.custom !== false && !typeOf(urn).startsWith("pulumi:");
}

/** A URN has the types of its parents, too. */
function typeOf(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The steps of each resource. What an earlier run left to be deleted is a thing of its own. */
function grouped(steps: readonly RawStep[]): Map<string, RawStep[]> {
  const live = new Map(steps.flatMap(({ op, urn, oldState }) => (oldState?.id && !op.startsWith("delete") ? [[urn, oldState.id]] : [])));
  const groups = new Map<string, RawStep[]>();
  for (const step of steps) {
    const id = step.op.startsWith("delete") ? step.oldState?.id : undefined;
    const isLeft = id !== undefined && live.has(step.urn) && live.get(step.urn) !== id;
    const key = isLeft ? `${step.urn} ${id}` : step.urn;
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return groups;
}

function subjectOf(steps: readonly RawStep[], redactor: Redactor, region: string | undefined): Subject {
  const operation = operationOf(steps);
  const urn = steps[0]?.urn ?? "";
  const old = steps.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const now = operation === "delete" ? undefined : (steps.findLast(({ newState }) => newState)?.newState ?? undefined);
  const told = now ?? old;
  const type = typeOf(urn);
  const kind = kindOf(type);
  const definition = kind && definitions[kind];
  const from = dependenciesOf(told);
  const places = steps.map(({ op }) => op);
  return {
    urn,
    kind,
    type,
    name: urn.split("::").slice(3).join("::"),
    operation,
    id: old?.id || undefined,
    inputs: inputsOf(now?.inputs ?? {}, { redactor, definition, from }),
    before: old && inputsOf(old.inputs ?? {}, { redactor, definition, from: {} }),
    dependencies: told?.dependencies ?? [],
    propertyDependencies: from,
    protect: (old ?? told)?.protect === true,
    retained: (old ?? told)?.retainOnDelete === true,
    source: sourceOf(now) ?? sourceOf(old),
    deletesFirst: deletesFirst(places),
    replaceKeys: [...new Set(steps.flatMap(({ replaceReasons }) => replaceReasons ?? []))],
    paths: [...new Set(steps.flatMap(({ detailedDiff, diffReasons }) => (detailedDiff ? Object.keys(detailedDiff) : (diffReasons ?? []))))],
    region: regionOf(old) ?? region,
  };
}

/** Without its two moves, a replacement does not tell which of them comes first. */
function deletesFirst(ops: readonly string[]): boolean | undefined {
  const [gone, come] = [ops.indexOf("delete-replaced"), ops.findIndex((op) => op === "create-replacement" || op === "import-replacement")];
  return gone < 0 || come < 0 ? undefined : gone < come;
}

function operationOf(steps: readonly RawStep[]): Operation {
  const ops = steps.map(({ op }) => op);
  if (ops.every((op) => op === "delete" || op === "delete-replaced")) return "delete";
  if (ops.some((op) => replacing.has(op))) return "replace";
  if (ops.includes("import")) return "adopt";
  if (ops.includes("create")) return steps.some(({ newState }) => newState?.inputs?.["__adopt"] !== undefined) ? "adopt" : "create";
  if (ops.includes("update")) return "update";
  return ops.includes("read") ? "read" : "same";
}

const does: Readonly<Record<string, Move["does"]>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
  import: "adopt",
  "import-replacement": "adopt",
};

function moveOf({ op, urn, newState }: RawStep): Move[] {
  const found = does[op];
  if (found === undefined) return [];
  return [{ urn, does: found === "create" && newState?.inputs?.["__adopt"] !== undefined ? "adopt" : found }];
}

export function kindOf(type: string): KindName | undefined {
  const [, name] = ours.exec(type) ?? [];
  return kinds.find((kind) => kind === name);
}

function dependenciesOf(state: RawState | undefined): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(state?.propertyDependencies ?? {}).map(([property, urns]) => [property, urns ?? []]));
}

function sourceOf(state: RawState | undefined): SourcePosition | undefined {
  const frames = (state?.stackTrace ?? []).map(({ sourcePosition }) => sourcePosition);
  return [state?.sourcePosition, ...frames].map(positionOf).find((position) => position !== undefined);
}

function regionOf(state: RawState | undefined): string | undefined {
  const home = state?.outputs?.["__home"];
  const region: unknown = typeof home === "object" && home !== null ? Reflect.get(home, "region") : undefined;
  return typeof region === "string" ? region : undefined;
}
