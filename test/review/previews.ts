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

/** A change of some inputs in place. */
export function changeInPlace(kind: KindName, old: Props, now: Props): Step {
  return { kind, name: "x", op: "update", old, now, paths: Object.keys(now) };
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
  const counts: Record<string, number> = {};
  for (const { op } of steps) counts[op] = (counts[op] ?? 0) + 1;
  return JSON.stringify({
    config: { "container-platform:region": "eu-frankfurt" },
    steps: steps.map(stepOf),
    ...(diagnostics.length > 0 ? { diagnostics } : {}),
    changeSummary: counts,
  });
}

function stepOf({ kind, name, op, old, now, because, paths, protectAfter, was = name, ...rest }: Step) {
  const urn = urnOf(`${kind} ${name}`);
  return {
    op,
    urn,
    ...(op === "create"
      ? {}
      : { oldState: stateOf(urnOf(`${kind} ${was}`), kind, old ?? {}, { ...rest, id: `${kind.toLowerCase()}-${was}` }) }),
    ...(op.startsWith("delete")
      ? {}
      : { newState: stateOf(urn, kind, now ?? old ?? {}, { ...rest, protect: protectAfter ?? rest.protect ?? false }) }),
    ...(because ? { replaceReasons: because } : {}),
    detailedDiff: paths ? Object.fromEntries(paths.map((path) => [path, { kind: "update", inputDiff: true }])) : null,
  };
}

function stateOf(
  urn: string,
  kind: string,
  inputs: Props,
  {
    from = {},
    protect = false,
    retainOnDelete = false,
    deletedWith,
    source,
    id,
    outputs = {},
  }: Pick<Step, "from" | "protect" | "retainOnDelete" | "deletedWith" | "source" | "outputs"> & { readonly id?: string },
) {
  const dependencies = Object.fromEntries(Object.entries(from).map(([property, called]) => [property, called.map(urnOf)]));
  return {
    urn,
    custom: true,
    ...(id === undefined ? {} : { id }),
    type: `pulumi-nodejs:dynamic/container-platform:${kind}`,
    inputs,
    outputs,
    protect,
    retainOnDelete,
    ...(deletedWith === undefined ? {} : { deletedWith: urnOf(deletedWith) }),
    dependencies: Object.values(dependencies).flat(),
    propertyDependencies: dependencies,
    ...(source === undefined ? {} : { sourcePosition: source }),
  };
}
