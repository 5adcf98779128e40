import { definitions } from "./definitions.ts";
import { type EngineOutput, jsonIn, type RawState, type RawStep, type RawViolation, stackIn, typeOf } from "./engine-output.ts";
import type { Redactor } from "./secrets.ts";
import { parse } from "../../definition/codes.ts";
import { isProps, pick, same } from "../../schema/values.ts";
import { inputsOf, positionOf } from "./states.ts";
import type { Operation, SourcePosition, Subject } from "./subject.ts";
import { differencesIn } from "./properties.ts";
import { type KindName, kinds } from "../../resources/reviews.ts";
import { kindOfToken, packageName } from "../../runtime/tokens.ts";

export interface PlannedStep {
  readonly urn: string;
  readonly does: "create" | "update" | "delete" | "adopt";
}

export interface Diagnostic {
  readonly urn: string | undefined;
  readonly severity: "error" | "warning" | "info";
  /** Without secrets. */
  readonly message: string;
}

/** What a run of the engine is about to do, or which changes outside of Pulumi it has found. */
export interface Plan extends Pick<EngineOutput, "lacksSames" | "hasDependencies" | "hasEventLog"> {
  readonly project: string | undefined;
  readonly stack: string | undefined;
  readonly region: string | undefined;
  /** All resources of the plan. Those that do not change are included only if the preview was made with `--show-sames`. */
  readonly subjects: readonly Subject[];
  /** The resources that a refresh found changed: `before` are the inputs in the state, `inputs` the live ones. */
  readonly drift: readonly Subject[];
  /** In the order of the engine. */
  readonly steps: readonly PlannedStep[];
  readonly diagnostics: readonly Diagnostic[];
  readonly violations: readonly RawViolation[];
  /** The errors because of which the preview did not finish; empty if it did. */
  readonly failures: readonly Diagnostic[];
  /** The stack's outputs that are gone afterwards, and those that have another value or one that is not known yet. */
  readonly outputs: { readonly gone: readonly string[]; readonly changed: readonly string[] } | undefined;
  /** If the engine has looked at a part of the stack alone: the URNs of new resources that it has left out, as far as they are known. */
  readonly leftOut: readonly string[] | undefined;
  /** Whether hashes of secrets can be compared with those of other runs. */
  readonly isKeyed: boolean;
}

const replacing = new Set(["replace", "create-replacement", "delete-replaced", "import-replacement", "read-replacement"]);
/** Steps that change nothing but the state, or that only announce others. */
const ignored = new Set(["remove-pending-replace", "discard", "discard-replaced", "read-discard", "refresh", "diff"]);
const known = new Set([...replacing, "same", "create", "update", "delete", "read", "import"]);

export function planOf(output: EngineOutput, redactor: Redactor): Plan {
  const { lacksSames, hasDependencies, hasEventLog } = output;
  const leftOut = output.steps.filter(isLeftOut);
  const isOtherDynamic = (type: string) => type.startsWith("pulumi-nodejs:") && kindOf(type) === undefined;
  const hasOtherDynamic = () => output.lacksSames || output.steps.some(({ urn }) => isOtherDynamic(typeOf(urn)));
  const isOfPlan = (step: RawStep) => isResource(step, hasOtherDynamic);
  const steps = underNewNames(output.steps.filter((step) => !ignored.has(step.op) && isOfPlan(step) && !isLeftOut(step)));
  const region = output.config["container-platform:region"];
  const drift = output.refreshed.filter((step) => step.op !== "same" && step.op !== "refresh" && isOfPlan(step));
  const { stack, project } = stackIn(output);
  const diagnostics = output.diagnostics.map(({ urn, severity, message }): Diagnostic => ({
    urn: urn === "" ? undefined : urn,
    severity: severity === "error" || severity === "warning" ? severity : severity.startsWith("info") ? "info" : "warning",
    // Pulumi writes the severity before the message.
    message: redactor.text(message.trim().replace(/^(?:error|warning):\s*/i, "")),
  }));
  const subjects = handedOver(
    [...grouped(steps).values()].map((group) => subjectOf(group, redactor, region)),
    diagnostics,
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return {
    project,
    stack,
    region,
    subjects,
    drift: drift.map((step) => ({ ...subjectOf([step], redactor, region), drifted: Object.keys(saidIn(step.newState)) })),
    steps: steps.flatMap(plannedStep),
    diagnostics,
    violations: output.violations.map((violation) => ({ ...violation, message: redactor.text(violation.message) })),
    failures: output.finished === false && errors.length === 0 ? [unfinished] : errors,
    outputs: output.finished === true && output.outputs ? outputsOf(output.outputs) : undefined,
    leftOut: output.isPartial === true || leftOut.length > 0 ? leftOut.map(({ urn }) => urn) : undefined,
    lacksSames,
    hasDependencies,
    hasEventLog,
    isKeyed: redactor.isKeyed,
  };
}

function outputsOf({ before, after }: NonNullable<EngineOutput["outputs"]>): NonNullable<Plan["outputs"]> {
  const names = Object.keys(before);
  return {
    gone: names.filter((name) => !(name in after)),
    changed: names.filter((name) => name in after && !same(before[name], after[name])),
  };
}

const unfinished: Diagnostic = { urn: undefined, severity: "error", message: "the preview did not finish" };

/** Whether a step is about a resource on a platform, and not about a component or the stack; or about a provider that changes its target. */
function isResource(step: RawStep, hasOtherDynamic: () => boolean): boolean {
  const { op, urn, oldState, newState } = step;
  if (!known.has(op)) return true;
  const type = typeOf(urn);
  if (type.startsWith("pulumi:providers:")) return (op === "update" && !keepsTarget(step, hasOtherDynamic)) || replacing.has(op);
  return (newState ?? oldState)?.custom !== false && !type.startsWith("pulumi:");
}

/** Whether a resource would be made, and is not, because it is no target: the engine calls it the same, and it has no id. */
function isLeftOut({ op, urn, oldState, newState }: RawStep): boolean {
  return op === "same" && newState?.custom === true && !typeOf(urn).startsWith("pulumi:") && !newState.id && !oldState?.id;
}

/** The steps under the names that an alias gives: the engine deletes what is replaced under the old one. */
function underNewNames(steps: readonly RawStep[]): readonly RawStep[] {
  const names = new Map(
    steps.flatMap(({ urn, oldState, newState }) =>
      newState && oldState?.urn && oldState.urn !== urn ? [[oldState.urn, urn] as const] : [],
    ),
  );
  return steps.map((step) => (step.op === "delete-replaced" ? { ...step, urn: names.get(step.urn) ?? step.urn } : step));
}

/**
 * The steps of each resource. An old copy that an interrupted replacement has not deleted yet is a separate resource, although it has the
 * same URN and, with other providers, possibly the same id.
 */
function grouped(steps: readonly RawStep[]): Map<string, RawStep[]> {
  const kept = steps.filter(({ op }) => !op.startsWith("delete"));
  const keptUrns = new Set(kept.map(({ urn }) => urn));
  const liveIds = new Map(kept.flatMap(({ urn, oldState }) => (oldState?.id ? [[urn, oldState.id]] : [])));
  return Map.groupBy(steps, ({ op, urn, oldState }) => {
    const id = oldState?.id;
    const isOther = id !== undefined && liveIds.has(urn) && liveIds.get(urn) !== id;
    const isOldCopy = keptUrns.has(urn) && (op === "delete" || (op === "delete-replaced" && isOther));
    return isOldCopy ? `${urn} ${id}` : urn;
  });
}

const guards = ["protect", "retainOnDelete"] as const;

function subjectOf(steps: readonly RawStep[], redactor: Redactor, region: string | undefined): Subject {
  const found = operationOf(steps);
  const urn = steps[0]?.urn ?? "";
  const old = steps.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const now = found === "delete" ? undefined : (steps.findLast(({ newState }) => newState)?.newState ?? undefined);
  const unguarded = now && old ? guards.filter((guard) => old[guard] === true && now[guard] !== true) : [];
  // What keeps a resource from being deleted is no input: the engine takes the rest for the same.
  const operation = found === "same" && unguarded.length > 0 ? "update" : found;
  const state = now ?? old;
  const type = typeOf(urn);
  const kind = kindOf(type);
  const definition = kind && definitions[kind];
  const from = state?.propertyDependencies ?? {};
  const said = saidIn(old);
  const inputs = inputsOf(now?.inputs ?? {}, { redactor, definition, from });
  const before = old && inputsOf({ ...old.inputs, ...said }, { redactor, definition, from: {} });
  const ops = steps.map(({ op }) => op);
  const paths = [
    ...new Set(steps.flatMap(({ detailedDiff, diffReasons }) => (detailedDiff ? Object.keys(detailedDiff) : (diffReasons ?? [])))),
  ];
  return {
    urn,
    kind,
    type,
    name: urn.split("::").slice(3).join("::"),
    operation,
    id: old?.id || undefined,
    inputs,
    before,
    differences: found === "delete" ? [] : differencesIn(before ?? {}, inputs, paths),
    live: (name) => inputsOf(pick(old?.outputs ?? {}, [name]), { redactor, definition, from: {} })[name],
    drifted: operation === "same" || operation === "update" ? Object.keys(said) : [],
    dependencies: state?.dependencies ?? [],
    propertyDependencies: from,
    protect: (old ?? state)?.protect === true,
    retained: (old ?? state)?.retainOnDelete === true,
    adopted: operation === "adopt" ? adoptedId(now) : undefined,
    importChanges: [],
    takenOverBy: undefined,
    deletedWith: (old ?? state)?.deletedWith || undefined,
    leftWith: undefined,
    goesWith: undefined,
    unguarded,
    ops,
    source: sourceOf(now) ?? sourceOf(old),
    deletesFirst: deletesFirst(ops),
    replaceKeys: [...new Set(steps.flatMap(({ replaceReasons }) => replaceReasons ?? []))],
    paths,
    region: regionOf(old) ?? region,
  };
}

function adoptedId(state: RawState | undefined): string | undefined {
  const own = state?.inputs?.["__adopt"];
  return typeof own === "string" ? own : state?.id || undefined;
}

/** The changes of an import that a warning lists. */
function changesOfImport({ urn }: Subject, warning: Diagnostic): readonly string[] {
  if (warning.urn !== urn) return [];
  const { code, message = "" } = parse(warning.message) ?? {};
  const [, ...changes] = message.split("\n");
  return code === "ImportChanges" ? changes.map((change) => change.trim()) : [];
}

/**
 * What one resource leaves and another one of the plan imports is not deleted on the platform, nor what is `deletedWith` another one that is.
 * A warning lists the changes of an import.
 */
function handedOver(subjects: readonly Subject[], diagnostics: readonly Diagnostic[]): Subject[] {
  const takers = new Map(subjects.flatMap(({ urn, type, adopted }) => (adopted === undefined ? [] : [[`${type} ${adopted}`, urn]])));
  const deleted = new Set(subjects.flatMap(({ urn, operation }) => (operation === "delete" ? [urn] : [])));
  return subjects.map((subject) => {
    const { operation, kind, type, id, deletedWith, adopted } = subject;
    if (adopted !== undefined) return { ...subject, importChanges: diagnostics.flatMap((warning) => changesOfImport(subject, warning)) };
    if (operation !== "delete" || kind === undefined) return subject;
    return { ...subject, leftWith: deleted.has(deletedWith ?? "") ? deletedWith : undefined, takenOverBy: takers.get(`${type} ${id}`) };
  });
}

/** What the program has said of inputs that were changed outside of Pulumi, and that cannot be changed back. A change is one of that. */
function saidIn(state: RawState | null | undefined): Record<string, unknown> {
  const said = state?.outputs?.["__said"];
  const inputs = state?.inputs ?? {};
  if (!isProps(said)) return {};
  const ofInputs = Object.entries(said).filter(([key]) => key in inputs);
  return Object.fromEntries(
    ofInputs.map(([key, value]) => [key, isProps(value) && isProps(inputs[key]) ? { ...inputs[key], ...value } : value]),
  );
}

/** Whether a replacement deletes first; `undefined` if the plan does not have its two steps. */
function deletesFirst(ops: readonly string[]): boolean | undefined {
  const deletion = ops.indexOf("delete-replaced");
  const creation = ops.findIndex((op) => op === "create-replacement" || op === "import-replacement");
  return deletion < 0 || creation < 0 ? undefined : deletion < creation;
}

function operationOf(steps: readonly RawStep[]): Operation {
  const ops = steps.map(({ op }) => op);
  if (ops.some((op) => !known.has(op))) return "unknown";
  if (ops.every((op) => op === "delete" || op === "delete-replaced")) return "delete";
  if (ops.some((op) => replacing.has(op))) return "replace";
  if (ops.includes("import")) return "adopt";
  if (ops.includes("create")) return steps.some(({ newState }) => newState?.inputs?.["__adopt"] !== undefined) ? "adopt" : "create";
  if (ops.includes("update")) return "update";
  return ops.includes("read") ? "read" : "same";
}

const does: Readonly<Record<string, PlannedStep["does"]>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
  import: "adopt",
  "import-replacement": "adopt",
};

function plannedStep({ op, urn, newState }: RawStep): PlannedStep[] {
  const found = does[op];
  if (found === undefined) return [];
  return [{ urn, does: found === "create" && newState?.inputs?.["__adopt"] !== undefined ? "adopt" : found }];
}

export function kindOf(type: string): KindName | undefined {
  const name = kindOfToken(type);
  return kinds.find((kind) => kind === name);
}

function sourceOf(state: RawState | undefined): SourcePosition | undefined {
  const frames = (state?.stackTrace ?? []).map(({ sourcePosition }) => sourcePosition);
  return [state?.sourcePosition, ...frames].map(positionOf).find((position) => position !== undefined);
}

function regionOf(state: RawState | undefined): string | undefined {
  const home = state?.outputs?.["__home"];
  return isProps(home) && typeof home["region"] === "string" ? home["region"] : undefined;
}

/** Settings that do not say where resources are. Their effect on resources is a change of the resources. */
const placeless: readonly string[] = ["callsPerSecond", "defaultTags", "record", "secretKey", "token"];

/**
 * Whether the resources of a provider stay in the same target: endpoint, region, account. Pulumi gives its own dynamic provider
 * (`pulumi-nodejs`) the configuration of all packages and of the program; the keys of this package begin with its name.
 *
 * @param hasOtherDynamic whether the stack may have dynamic resources of another package, whose target a key of that package may be
 */
function keepsTarget({ urn, oldState, newState }: RawStep, hasOtherDynamic: () => boolean): boolean {
  const states = [oldState?.inputs ?? {}, newState?.inputs ?? {}];
  const isDynamic = typeOf(urn) === "pulumi:providers:pulumi-nodejs";
  const isOwn = /::default(?:_|$)/.test(urn) ? !hasOtherDynamic() : states.every((inputs) => `${packageName}:provider` in inputs);
  if (isDynamic ? !isOwn : typeOf(urn) !== `pulumi:providers:${packageName}`) return false;
  const [before, after] = states.map((inputs) => targetOf(isDynamic ? settingsIn(inputs) : inputs));
  return same(before, after);
}

function settingsIn(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const prefix = `${packageName}:`;
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  );
}

/** The settings that decide about the target. `provider` lists those that the program gives: they win over the environment. */
function targetOf(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { provider, ...others } = settings;
  const deciding = Object.entries(others).filter(([key]) => !placeless.includes(key));
  const own = typeof provider === "string" ? jsonIn(provider) : undefined;
  const given = isProps(own) && Array.isArray(own["given"]) ? own["given"].filter((name) => !placeless.includes(String(name))) : provider;
  return { ...Object.fromEntries(deciding), provider: given };
}
