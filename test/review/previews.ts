import type { KindName } from "../../provider/src/resources/reviews.ts";

type Props = Readonly<Record<string, unknown>>;

/** One resource of a made-up preview. */
export interface Step {
  readonly kind: KindName;
  readonly name: string;
  readonly op: "create" | "update" | "replace" | "create-replacement" | "delete-replaced" | "delete" | "same";
  readonly old?: Props;
  readonly now?: Props;
  readonly outputs?: Props;
  /** For each property, the resources that its value comes from. */
  readonly from?: Readonly<Record<string, readonly string[]>>;
  readonly because?: readonly string[];
  readonly paths?: readonly string[];
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  /** Another one, with whose deletion this one is gone, too: `Vpc net`. */
  readonly deletedWith?: string;
  /** After the change; as before it unless given. */
  readonly protectAfter?: boolean;
  readonly source?: string;
  /** The name before, if an alias says that it is the same resource. */
  readonly was?: string;
}

export function changeInPlace(kind: KindName, old: Props, now: Props): Step {
  return { kind, name: "x", op: "update", old, now, paths: Object.keys(now) };
}

export function deletion(kind: KindName, name: string, old: Props = {}, more: Partial<Step> = {}): Step {
  return { kind, name, op: "delete", old, ...more };
}

export function creation(kind: KindName, name: string, now: Props = {}, more: Partial<Step> = {}): Step {
  return { kind, name, op: "create", now, ...more };
}

export function unchanged(kind: KindName, name: string, old: Props = {}): Step {
  return { kind, name, op: "same", old };
}

interface Diagnostic {
  readonly urn?: string;
  readonly severity: string;
  readonly message: string;
}

export function urnOf(called: string): string {
  const [kind = "", ...name] = called.split(" ");
  return `urn:pulumi:test::project::pulumi-nodejs:dynamic/container-platform:${kind}::${name.join(" ")}`;
}

/** What `pulumi preview --json` would print of these. */
export function preview(steps: readonly Step[], diagnostics: readonly Diagnostic[] = []): string {
  const changeSummary: Record<string, number> = {};
  for (const { op } of steps) changeSummary[op] = (changeSummary[op] ?? 0) + 1;
  const config = { "container-platform:region": "eu-frankfurt" };
  return JSON.stringify({ config, steps: steps.map(stepOf), ...(diagnostics.length > 0 ? { diagnostics } : {}), changeSummary });
}

/** The same of one VPC, which is a resource of another provider there. */
export function foreignPreview(step: Step, type: string): string {
  return preview([step]).replaceAll("pulumi-nodejs:dynamic/container-platform:Vpc", type);
}

/** As JSON leaves out what is undefined, so does the engine. */
function stepOf(step: Step) {
  const { kind, name, op, old = {}, now = old, because, paths, protect = false, protectAfter = protect, was = name } = step;
  const oldState = { ...stateOf({ ...step, name: was }), id: `${kind.toLowerCase()}-${was}`, inputs: old, protect };
  return {
    ...{ op, urn: urnOf(`${kind} ${name}`) },
    oldState: op === "create" ? undefined : oldState,
    newState: op.startsWith("delete") ? undefined : { ...stateOf(step), inputs: now, protect: protectAfter },
    replaceReasons: because,
    detailedDiff: paths ? Object.fromEntries(paths.map((path) => [path, { kind: "update", inputDiff: true }])) : null,
  };
}

function stateOf({ kind, name, from = {}, retainOnDelete = false, deletedWith, source, outputs = {} }: Step) {
  const propertyDependencies = Object.fromEntries(Object.entries(from).map(([property, called]) => [property, called.map(urnOf)]));
  return {
    ...{ urn: urnOf(`${kind} ${name}`), custom: true, type: `pulumi-nodejs:dynamic/container-platform:${kind}`, outputs, retainOnDelete },
    deletedWith: deletedWith === undefined ? undefined : urnOf(deletedWith),
    ...{ dependencies: Object.values(propertyDependencies).flat(), propertyDependencies, sourcePosition: source },
  };
}
